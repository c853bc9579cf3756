"""The digests are those of the standard library, with or without its small modules."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from weighbridge.policies.ground.digests import blake2b, sha256

TEXTS = (b"", b"a", b"weighbridge" * 1000)


@pytest.mark.parametrize("text", TEXTS, ids=len)
def test_digests_are_those_of_the_standard_library(text: bytes) -> None:
    assert sha256(text).hexdigest() == hashlib.sha256(text).hexdigest()
    assert blake2b(text, digest_size=32).digest() == hashlib.blake2b(text, digest_size=32).digest()


def test_an_interpreter_without_the_small_modules_has_the_same() -> None:
    program = (
        "import sys\n"
        "sys.modules.update(_sha256=None, _sha2=None)\n"
        "from weighbridge.policies.ground.digests import sha256\n"
        "print(sha256(b'a').hexdigest(), 'hashlib' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"{hashlib.sha256(b'a').hexdigest()} True\n"
