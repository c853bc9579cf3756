"""The users of a control plane's API server, and the files with their credentials: tokens, kubeconfig, signing key.

Formats: static token file (kubernetes.io, "Authenticating", section "Static token file"), kubeconfig v1 (JSON is YAML),
and the EC private key of RFC 5915.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

# The order of the group of curve P-256 (FIPS 186-4, D.1.2.3): a private key is a number from 1 to one less.
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
# SEQUENCE { INTEGER 1, OCTET STRING of 32 bytes ...
_EC_KEY_HEAD = bytes.fromhex("3031 0201 01 0420")
# ... [0] OBJECT IDENTIFIER 1.2.840.10045.3.1.7 }
_EC_KEY_CURVE = bytes.fromhex("a00a 0608 2a8648ce3d030107")


@dataclass(frozen=True, slots=True)
class User:
    """A user, whom the API server knows by a token."""

    name: str
    groups: tuple[str, ...] = ()
    token: str = field(default_factory=lambda: secrets.token_hex(16))


def token_file_text(users: Sequence[User]) -> str:
    """The file for --token-auth-file: token, user, uid and the quoted list of groups on each line."""
    return "".join(f'{user.token},{user.name},{user.name},"{",".join(user.groups)}"\n' for user in users)


def kubeconfig_text(users: Sequence[User], *, server: str, ca_file: Path) -> str:
    """A kubeconfig with a context named after each user; the first is the current one."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "plane", "cluster": {"server": server, "certificate-authority": str(ca_file)}}],
        "users": [{"name": user.name, "user": {"token": user.token}} for user in users],
        "contexts": [{"name": user.name, "context": {"cluster": "plane", "user": user.name}} for user in users],
        "current-context": users[0].name,
    }
    return json.dumps(config, indent=2)


def signing_key_pem() -> str:
    """A new private key for service account tokens.

    RFC 5915 lets the public key be left out, and Go works it out when it reads the file; so no cryptography is needed.
    """
    number = secrets.randbelow(_P256_ORDER - 1) + 1
    encoded = base64.b64encode(_EC_KEY_HEAD + number.to_bytes(32, "big") + _EC_KEY_CURVE).decode()
    lines = [encoded[start : start + 64] for start in range(0, len(encoded), 64)]
    return "\n".join(["-----BEGIN EC PRIVATE KEY-----", *lines, "-----END EC PRIVATE KEY-----", ""])
