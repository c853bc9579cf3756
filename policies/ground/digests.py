"""Digests by Python's own small modules: `hashlib` loads OpenSSL first, which takes as long as reading fifty manifests.

The standard library's `random` does the same.
"""

from __future__ import annotations

import sys

__all__ = ["blake2b", "sha256"]

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

if sys.version_info >= (3, 12):
    try:
        from _sha2 import sha256
    except ImportError:
        from hashlib import sha256
else:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # the stubs know only later ones
    except ImportError:
        from hashlib import sha256
