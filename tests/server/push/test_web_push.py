"""Messages that only one browser can read, signed by this server."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from chromino.server.push.web_push import BadKeys, Browser, Signer, encrypt, from_base64, new_key, to_base64
from tests.server.push.push_service import Subscriber, check_signature

# The example in RFC 8291, appendix A.
UA_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
AS_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_a_message_is_encrypted_as_the_standard_says() -> None:
    own = ec.derive_private_key(int.from_bytes(from_base64(AS_PRIVATE), "big"), ec.SECP256R1())
    browser = Browser.of("https://push.example/1", UA_PUBLIC, AUTH)
    text = b"When I grow up, I want to be a watermelon"
    assert to_base64(encrypt(text, browser, own, from_base64(SALT))) == BODY


def test_only_the_right_browser_can_read_a_message() -> None:
    reader, other = Subscriber("https://push.example/1"), Subscriber("https://push.example/2")
    body = encrypt(b"Your turn", reader.browser)
    assert reader.decrypt(body) == b"Your turn"
    with pytest.raises(ValueError, match="tag"):
        other.decrypt(body)


def test_messages_are_signed_for_one_service_and_for_a_few_hours() -> None:
    signer = Signer.load(new_key(), "mailto:ada@chromino.example")
    headers = signer.headers("https://push.example:8443/abc", now=1000.0)
    claims = check_signature(headers["Authorization"])
    assert claims == {"aud": "https://push.example:8443", "exp": 1000 + 12 * 3600, "sub": "mailto:ada@chromino.example"}


@pytest.mark.parametrize(
    ("key", "auth"),
    [("", AUTH), ("AAAA", AUTH), (UA_PUBLIC, "AAAA"), (UA_PUBLIC[:-2] + "AA", AUTH), ("é", AUTH), (UA_PUBLIC, "é")],
)
def test_invalid_keys_are_refused(key: str, auth: str) -> None:
    with pytest.raises(BadKeys):
        Browser.of("https://push.example/1", key, auth)
