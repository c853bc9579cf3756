"""The CRDs that ship equal upstream's: the same fields, constraints, defaults and rules; only the descriptions are ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.yaml_documents import read
from weighbridge.policies.families import families
from weighbridge.webhook.inputs.bundled import bundled_crds

#: The folders below ../shared/corpus that hold upstream's own CRDs, by their group.
UPSTREAM = {
    "aim.eai.amd.com": "aim/crds-newest",
    "aim.silogen.ai": "aim/crds",
    "inference.llmkube.dev": "llmkube/crds",
    "federation.llmkube.dev": "llmkube/crds",
    "foreman.llmkube.dev": "llmkube/crds",
    "inference.networking.k8s.io": "gie/crds-newest",
    "inference.networking.x-k8s.io": "gie/crds gie/crds-newest gie/crds-newest/last-shipped-v1.4.0 gie/crds-newest/last-shipped-v1.5.0",
    "llmaz.io": "llmaz/crds",
    "inference.llmaz.io": "llmaz/crds",
    "ome.io": "ome/crds/config/crd/full",
}


def bare(value: Any) -> Any:
    """A value without descriptions and the order of `required`, which have no meaning for the server."""
    if isinstance(value, dict):
        return {
            key: sorted(inner) if key == "required" and isinstance(inner, list) else bare(inner)
            for key, inner in value.items()
            if not (key == "description" and isinstance(inner, str))
        }
    return [bare(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("crd", list(bundled_crds()), ids=lambda crd: crd["metadata"]["name"])
def test_a_bundled_crd_is_upstreams_but_for_its_words(crd: Any, shared: Path) -> None:
    group, plural = crd["spec"]["group"], crd["spec"]["names"]["plural"]
    assert group in UPSTREAM, f"add {group} to UPSTREAM in this file, with the folder below ../shared/corpus that holds upstream's CRDs"
    folders = [shared / "corpus" / folder for folder in UPSTREAM[group].split()]
    paths = [path for folder in folders if (path := folder / f"{group}_{plural}.yaml").exists()]
    assert paths, f"../shared/corpus lacks {group}_{plural}.yaml in {UPSTREAM[group]}: put upstream's CRD there, or correct UPSTREAM"
    # The last folder that has it has the newest.
    path = paths[-1]
    assert bare(crd["spec"]) == bare(read(path.read_text())["spec"])


def test_every_kind_of_every_family_has_its_crd() -> None:
    crds = {(crd["spec"]["group"], crd["spec"]["names"]["kind"]): crd["spec"] for crd in bundled_crds()}
    for family in families():
        for kind in family.kinds:
            lacking = f"crds/ of {family.name} lacks {kind.gvk.group}_{kind.plural}.yaml"
            assert (kind.gvk.group, kind.gvk.kind) in crds, lacking
            crd = crds[kind.gvk.group, kind.gvk.kind]
            assert crd["names"]["plural"] == kind.plural
            assert (crd["scope"] == "Namespaced") is kind.namespaced
            assert kind.gvk.version in [version["name"] for version in crd["versions"]]
