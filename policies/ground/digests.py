"""Digests by Python's own small modules: `hashlib` loads OpenSSL first, which takes as long as reading fifty manifests.

The standard library's `random` does the same.
"""

from __future__ import annotations

import sys

__all__ = ["blake2b", "sha256"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import sha256
