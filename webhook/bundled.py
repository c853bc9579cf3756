"""The CRDs that ship with the families, for clusters and folders that bring none of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from policies.families import families
from policies.families.family import Family, Kind
from policies.objects import GroupVersionKind, JSONObject


def bundled_crd(gvk: GroupVersionKind) -> JSONObject | None:
    """The CRD of one kind, or `None` where no family has the kind."""
    for family in families():
        kind = family.kind(gvk)
        if kind is not None:
            return _read(family, kind)
    return None


def bundled_crds() -> Iterator[JSONObject]:
    """All CRDs that ship."""
    for family in families():
        for kind in family.kinds:
            yield _read(family, kind)


@cache
def _read_text(package: str, name: str) -> bytes:
    return files(package).joinpath("crds", name).read_bytes()


def _read(family: Family, kind: Kind) -> JSONObject:
    from webhook.manifests import documents

    name = f"{kind.gvk.group}_{kind.plural}.yaml"
    crd: JSONObject = next(documents(name, _read_text(family.package, name))).value
    return crd
