"""The map insertion that `transformMap` and `transformMapEntry` expand to.

No rule can write its name. A repeated key is an error.

    [1, 1].transformMapEntry(i, v, {v: i})   -> error: insert failed: key 1 already exists
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.overload import Library
from weighbridge.policies.cel.run_time_errors import key_exists
from weighbridge.policies.cel.values.access import pairs
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.types import map_of, parameter
from weighbridge.policies.cel.values.values import CelError, MapValue, Value


def insert(target: MapValue, key: Value, value: Value) -> MapValue:
    """Put an entry into the accumulator of a fold. It may change in place, since nothing else reads it before the fold ends."""
    if target.find(key)[1]:
        raise CelError(key_exists(go_text(key)))
    target.put(key, value)
    return target


def insert_all(target: MapValue, update: Value) -> MapValue:
    """Put all entries of a map into the accumulator."""
    for key, value in pairs(update):
        insert(target, key, value)
    return target


_K: Final = parameter("K")
_V: Final = parameter("V")
_MAP: Final = map_of(_K, _V)
LIBRARY: Final = Library(since=(1, 32))
LIBRARY.function("cel.@mapInsert", "@mapInsert_map_key_value", (_MAP, _K, _V), _MAP, insert)
LIBRARY.function("cel.@mapInsert", "@mapInsert_map_map", (_MAP, _MAP), _MAP, insert_all)
