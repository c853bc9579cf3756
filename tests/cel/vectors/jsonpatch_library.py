"""Functions for JSON patches, which mutating policies may call and rules of CRDs may not; some of upstream's vectors need them."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.overload import Library, traversal, traversal_estimated
from weighbridge.policies.cel.values.types import STRING

_ESCAPES: Final = str.maketrans({"/": "~1", "~": "~0"})


def escape_key(key: str) -> str:
    """A map's key as one step of a JSON pointer."""
    return key.translate(_ESCAPES)


LIBRARY: Final = Library(since=(1, 32))
LIBRARY.function(
    "jsonpatch.escapeKey",
    "string_jsonpatch_escapeKey_string",
    (STRING,),
    STRING,
    escape_key,
    cost=traversal(0),
    estimate=traversal_estimated(0, keeps_size=True),
)
