"""Web Push messages: encrypted for one browser (RFC 8291), signed by this server (VAPID, RFC 8292). No I/O.

`cryptography` does the math. pywebpush would do the rest, but it pulls in two HTTP clients, and we can't tell
either of them which addresses to avoid.
"""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_CURVE = ec.SECP256R1()
_AUTH_BYTES = 16
_SALT_BYTES = 16
_RECORD_SIZE = 4096
_LAST_RECORD = b"\x02"
_SIGNATURE_SECONDS = 12 * 3600  # Push services accept up to a day.


class BadKeys(ValueError):
    """Keys that no browser would send."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser's endpoint and keys, from its `PushSubscription`."""

    endpoint: str
    public_key: bytes
    auth: bytes

    @classmethod
    def of(cls, endpoint: str, p256dh: str, auth: str) -> Browser:
        """A browser with these keys, in Base64. Raises `BadKeys` if they're invalid."""
        try:
            browser = cls(endpoint, from_base64(p256dh), from_base64(auth))
            ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, browser.public_key)
        except ValueError as error:
            raise BadKeys(str(error)) from None
        if len(browser.auth) != _AUTH_BYTES:
            raise BadKeys(f"the secret must be {_AUTH_BYTES} bytes long, not {len(browser.auth)}")
        return browser


class Signer:
    """This server, as push services know it."""

    def __init__(self, private_key: ec.EllipticCurvePrivateKey, contact: str) -> None:
        self._private_key = private_key
        self._contact = contact
        self.public_key = to_base64(_encoded(private_key.public_key()))
        """Browsers subscribe with this key, and accept only messages signed with the matching private key."""

    @classmethod
    def load(cls, text: str, contact: str) -> Signer:
        """The signer with a key from `new_key`."""
        key = serialization.load_pem_private_key(text.encode(), password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("this isn't a key for signing push messages")
        return cls(key, contact)

    def headers(self, endpoint: str, now: float) -> dict[str, str]:
        """Headers that prove to the push service who's sending."""
        url = urlsplit(endpoint)
        claims = {"aud": f"{url.scheme}://{url.netloc}", "exp": int(now) + _SIGNATURE_SECONDS, "sub": self._contact}
        signed = f"{_base64_json({'typ': 'JWT', 'alg': 'ES256'})}.{_base64_json(claims)}"
        signature = self._private_key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        raw_signature = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))
        return {"Authorization": f"vapid t={signed}.{to_base64(raw_signature)}, k={self.public_key}"}


def new_key() -> str:
    """Create a private key for a server that has none yet."""
    key = ec.generate_private_key(_CURVE)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def encrypt(
    payload: bytes, browser: Browser, own_key: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """The body of a message that only this browser can read. `own_key` and `salt` are random, except in tests."""
    own_key = own_key or ec.generate_private_key(_CURVE)
    salt = salt or secrets.token_bytes(_SALT_BYTES)
    public = _encoded(own_key.public_key())
    shared = own_key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, browser.public_key))
    secret = _derived(shared, browser.auth, b"WebPush: info\0" + browser.public_key + public, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD_SIZE.to_bytes(4, "big") + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, payload + _LAST_RECORD, None)


def to_base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Decode Base64 without padding. Raises `ValueError` if the text is invalid."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _encoded(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _base64_json(content: dict[str, object]) -> str:
    return to_base64(json.dumps(content, separators=(",", ":")).encode())
