"""A handshake with a webhook that is called by URL, with the registered caBundle: what the API server would see of its certificate."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64decode
from typing import Final
from urllib.parse import urlsplit

from weighbridge.policies.ground.fields import items, part, text
from weighbridge.webhook.doctor.check import Check, ok, problem, unknown
from weighbridge.webhook.doctor.installed import Installed
from weighbridge.webhook.doctor.registered import Registered
from weighbridge.webhook.doctor.remedies import address, remedy

_SECONDS: Final = 5.0
#: OpenSSL's numbers for why a certificate isn't trusted (X509_V_ERR_*), with the messages of Go's crypto/x509.
_UNTRUSTED: Final = frozenset({2, 18, 19, 20, 21, 30})
_EXPIRED: Final = frozenset({9, 10})
_OTHER_NAME: Final = frozenset({62, 64})


async def handshakes(registered: Registered, installed: Installed) -> list[Check]:
    """One check for each address and bundle with which the webhooks are called."""
    called: dict[tuple[str, str], str] = {}
    for configuration in registered.own.values():
        for webhook in items(configuration, "webhooks"):
            client = part(webhook, "clientConfig")
            url = text(client, "url")
            if url:
                called.setdefault((address(url), text(client, "caBundle")), url)
    return [await _shaken(url, bundle, installed) for (_, bundle), url in called.items()]


async def _shaken(url: str, bundle: str, installed: Installed) -> Check:
    what = f"handshake with {address(url)}"
    parts = urlsplit(url)
    try:
        context = ssl.create_default_context(cadata=b64decode(bundle).decode() or None)
    except (ValueError, ssl.SSLError):
        # The check of the caBundle says what is wrong with it.
        return unknown(what, "the caBundle can't be read")
    try:
        opening = asyncio.open_connection(parts.hostname, parts.port or 443, ssl=context)
        _, writer = await asyncio.wait_for(opening, _SECONDS)
    except ssl.SSLCertVerificationError as error:
        reason = _in_words(error)
        meaning, run = remedy(reason, url, installed)
        return problem(what, f"{reason}{f': {meaning}' if meaning else ''}", run)
    except (OSError, TimeoutError) as error:
        reason = str(error) or "no answer came in time"
        return unknown(what, f"it can't be reached from here: {reason}")
    writer.close()
    return ok(what, "the registered caBundle trusts its certificate")


def _in_words(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code in _UNTRUSTED:
        return "x509: certificate signed by unknown authority"
    if error.verify_code in _EXPIRED:
        return "x509: certificate has expired or is not yet valid"
    if error.verify_code in _OTHER_NAME:
        return f"x509: cannot validate certificate: {error.verify_message}"
    return f"x509: {error.verify_message}"
