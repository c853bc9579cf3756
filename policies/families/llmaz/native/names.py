"""Rules about names. The name of an object that exists can't change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native

_NAME: Final = "object.metadata.?name.orValue('')"
_IS_OLD: Final = "request.operation != 'CREATE'"

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-008": native(
        must(f"{_IS_OLD} || {_NAME}.size() <= 63", ".metadata.name", "the name can't be used: must be no more than 63 characters"),
        must(f"{_IS_OLD} || !{_NAME}.contains('.')", ".metadata.name", "the name can't be used: must not contain dots"),
    ),
    "LLMAZ-037": native(
        must(
            f"{_IS_OLD} || {_NAME}.size() <= 60 || {_NAME}.size() > 63",
            ".metadata.name",
            "the name of the Service in front, which ends with -lb, has more than 63 characters",
        )
    ),
    "LLMAZ-065": native(
        must(
            f"{_IS_OLD} || {_NAME}.size() > 60 || {_NAME}.size() <= 52 - (variables.size > 1 ? string(variables.last).size() + 1 : 0)",
            ".metadata.name",
            "the name is too long: a label of the pods consists of it and up to 11 more characters, and a label has at most 63",
        ),
        size="int(dyn(object).?spec.workloadTemplate.size.orValue(1))",
        last="[object.?spec.replicas.orValue(1) - 1, 0].max()",
    ),
}
