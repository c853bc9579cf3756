"""The kinds that kube-apiserver brings itself, with the versions of each, the preferred one first: `built_in.json`.

Source: Kubernetes v1.36.3, api/discovery (every API and version enabled); resources only, without subresources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

#: Kinds with their versions.
Kinds = Mapping[str, Sequence[str]]


@cache
def built_in_groups() -> Mapping[str, Kinds]:
    """The kinds by their API groups."""
    from json import loads
    from pkgutil import get_data

    groups: Mapping[str, Kinds] = loads(get_data(__package__, "built_in.json") or b"")
    return groups


def is_built_in(group: str, version: str, kind: str) -> bool:
    """Whether kube-apiserver serves this version of a kind without any CustomResourceDefinition."""
    return version in built_in_groups().get(group, {}).get(kind, ())
