"""The CRDs that ship with the families, for clusters and folders that bring none of their own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from policies.families import families
from policies.objects import JSONObject
from webhook.manifests import documents


def bundled_crds() -> Iterator[JSONObject]:
    """The CRD of every kind of every family."""
    for family in families():
        for kind in family.kinds:
            name = f"{kind.gvk.group}_{kind.plural}.yaml"
            yield next(documents(name, files(family.package).joinpath("crds", name).read_bytes())).value
