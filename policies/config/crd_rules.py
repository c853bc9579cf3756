"""Whether the webhook makes the checks of a CRD, which the API server usually makes by the installed CRD."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from weighbridge.policies.config.values import choice_trouble
from weighbridge.policies.ground.objects import Path

#: The key for every API group that isn't named.
ANY_GROUP: Final = "*"


#: Which checks of a CRD the webhook makes itself.
CRDRules: TypeAlias = Literal["always", "missing", "never"]


def crd_rules_of(setting: CRDRules | Mapping[str, CRDRules], group: str) -> CRDRules:
    """The setting for an API group."""
    if isinstance(setting, str):
        return setting
    return setting.get(group) or setting.get(ANY_GROUP) or "missing"


def mistakes(setting: CRDRules | Mapping[str, CRDRules], groups: Collection[str], path: Path) -> Iterator[tuple[Path, str]]:
    """The mistakes: groups that belong to no family."""
    for group in () if isinstance(setting, str) else setting:
        if trouble := choice_trouble(group, (*groups, ANY_GROUP), "an API group of a known system"):
            yield (*path, group), trouble
