"""Recorded cases of both operators, `aim.jsonl.gz` and `aim-kaiwo.jsonl.gz`; the README next to them explains their form."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any, Final

from tests.conftest import SHARED

OPERATORS: Final = SHARED / "conformance" / "operators"
FILES: Final = ("aim", "aim-kaiwo")


@cache
def records(file: str) -> list[dict[str, Any]]:
    """All cases of one file; none if it doesn't exist."""
    path = OPERATORS / f"{file}.jsonl.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]
