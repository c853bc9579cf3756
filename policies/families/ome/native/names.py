"""Rules about the names of services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

_NAME: Final = "object.metadata.?name.orValue('')"

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-047": native(
        must(
            f"!has(object.spec) || {_NAME}.size() <= 63",
            ".metadata.name",
            says=f"'it has ' + string({_NAME}.size()) + ' characters, but a label\\'s value has at most 63'",
        )
    ),
    "OME-048": native(
        must(f"!has(object.spec) || {_NAME}.matches('^([a-z]([-a-z0-9]*[a-z0-9])?)?$')", ".metadata.name", "OME's webhook refuses the name")
    ),
}
