"""The other side of Web Push for tests: browsers that decrypt, and a service that verifies what it's sent."""

from __future__ import annotations

import asyncio
import datetime
import json
import re
import secrets
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from chromino.server.push.web_push import Browser, from_base64, to_base64

_SALT_BYTES, _SIZE_BYTES = 16, 4


class Subscriber:
    """A browser that has subscribed at an endpoint."""

    def __init__(self, endpoint: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = secrets.token_bytes(16)
        self.endpoint = endpoint
        self.p256dh = to_base64(_point(self._key.public_key()))
        self.auth = to_base64(self._auth)

    @property
    def browser(self) -> Browser:
        return Browser.of(self.endpoint, self.p256dh, self.auth)

    def decrypt(self, body: bytes) -> bytes:
        """Written from RFC 8188 and RFC 8291, deriving keys with HMAC; `ValueError` if it's for someone else."""
        salt, rest = body[:_SALT_BYTES], body[_SALT_BYTES + _SIZE_BYTES :]
        sender, encrypted = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(self._key.curve, sender))
        info = b"WebPush: info\0" + _point(self._key.public_key()) + sender
        secret = _mac(_mac(self._auth, shared), info + b"\1")
        extracted = _mac(salt, secret)
        key = _mac(extracted, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _mac(extracted, b"Content-Encoding: nonce\0\1")[:12]
        try:
            padded = AESGCM(key).decrypt(nonce, encrypted, None)
        except InvalidTag:
            raise ValueError("the tag is wrong") from None
        text, mark = padded.rstrip(b"\0")[:-1], padded.rstrip(b"\0")[-1:]
        assert mark == b"\2"
        return text


def check_signature(authorization: str) -> dict[str, Any]:
    """Returns the server's claims, which must be signed with the key that it names."""
    found = re.fullmatch(r"vapid t=(([\w-]+)\.([\w-]+))\.([\w-]+), k=([\w-]+)", authorization)
    assert found is not None, authorization
    signed, head, claims, signature, key = found.groups()
    assert json.loads(from_base64(head)) == {"typ": "JWT", "alg": "ES256"}
    both = from_base64(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(key))
    numbers = (int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big"))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    found_claims: dict[str, Any] = json.loads(from_base64(claims))
    return found_claims


@dataclass
class PushService:
    """A local push service. It answers with `answers`, in order, and then with 201."""

    port: int
    context: ssl.SSLContext
    """Trusts the service's certificate."""
    answers: list[str] = field(default_factory=list)
    received: asyncio.Queue[tuple[str, dict[str, str], bytes]] = field(default_factory=asyncio.Queue)
    """Path, headers and body of each message."""

    def endpoint(self, name: str) -> str:
        return f"https://localhost:{self.port}/{name}"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
        answer = self.answers.pop(0) if self.answers else "201 Created"
        writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        await self.received.put((asked.split()[1], headers, body))


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """A running push service with a self-signed certificate."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(_certificate(folder))
    found = PushService(0, ssl.create_default_context(cafile=str(folder / "push.pem")))
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0, ssl=serving)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


def _certificate(folder: Path) -> Path:
    """A self-signed certificate for localhost, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "push.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return path


def _mac(key: bytes, data: bytes) -> bytes:
    found = hmac.HMAC(key, hashes.SHA256())
    found.update(data)
    return found.finalize()


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
