"""The release of a cluster, and the CRD by which a kind is judged there."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.families.test_bundled_crds import bare
from tests.yaml_documents import read
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.inference_extension import kinds
from weighbridge.policies.families.inference_extension.family import FAMILY
from weighbridge.policies.families.inference_extension.settings import InferenceExtension
from weighbridge.policies.families.inference_extension.versions import VERSIONS, known_version, version_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.inputs.bundled import BundledStandIns

CRDS = Path(__file__).resolve().parents[2] / "policies" / "families" / "inference_extension" / "crds"


def crd(version: str, gvk: GroupVersionKind) -> Any:
    plural = next(kind.plural for kind in FAMILY.kinds if kind.gvk == gvk)
    return read((CRDS / version / f"{gvk.group}_{plural}.yaml").read_text())


def installed(*crds: JSONObject) -> Definitions:
    return Definitions.from_manifests(copy.deepcopy(crds))


def spec_of(found: JSONObject) -> Any:
    return found["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]


def stand_ins(version: str) -> dict[GroupVersionKind, Any]:
    """The bundled CRDs of the version that a configuration names."""
    known = BundledStandIns(Definitions(), parse({"inferenceExtension": {"version": version}}))
    return {found.gvk: found.read() for group in (kinds.STABLE, kinds.EXPERIMENTAL) for found in known.of(group)}


@pytest.mark.parametrize("version", ["v1.0.0", "v1.0.2", "v1.3.0", "v1.5.0", "v1.6.0"])
def test_a_pool_tells_its_release(version: str) -> None:
    assert known_version(installed(crd(version, kinds.POOL))) == tuple(map(int, version[1:].split(".")))


@pytest.mark.parametrize(
    ("found", "version"),
    [
        ([("v0.5.1", kinds.MODEL)], (0, 5, 1)),
        ([("v1.4.0", kinds.OLD_POOL)], (0, 5, 1)),
        ([("v1.5.0", kinds.OBJECTIVE)], (1, 0, 0)),
        ([("v1.6.0", kinds.IMPORT)], (1, 1, 0)),
        ([("v1.2.0", kinds.REWRITE)], (1, 2, 0)),
        ([("v1.5.0", kinds.REWRITE)], (1, 3, 0)),
        # A CRD that an upgrade left behind doesn't count.
        ([("v0.5.1", kinds.MODEL), ("v1.6.0", kinds.POOL)], (1, 6, 0)),
        ([], None),
    ],
)
def test_the_newest_crd_counts(found: Iterable[tuple[str, GroupVersionKind]], version: tuple[int, int, int] | None) -> None:
    definitions = installed(*(crd(release, gvk) for release, gvk in found))
    assert known_version(definitions) == version
    assert version_of(definitions, DEFAULT) == version
    configured = version_of(definitions, parse({"inferenceExtension": {"version": "v1.4.0"}}))
    assert configured == (version or (1, 4, 0)), "the installed CRDs go before the configuration"


@pytest.mark.parametrize(
    ("version", "there"),
    [
        ("v0.3.0", {kinds.MODEL, kinds.OLD_POOL}),
        ("v1.0.0", {kinds.MODEL, kinds.OLD_POOL, kinds.POOL, kinds.OBJECTIVE}),
        ("v1.2.0", {kind.gvk for kind in FAMILY.kinds}),
        ("v1.6.0", {kind.gvk for kind in FAMILY.kinds}),
        ("v1.7.0", {kind.gvk for kind in FAMILY.kinds}),
    ],
)
def test_a_kind_stands_in_from_its_first_release_on(version: str, there: set[GroupVersionKind]) -> None:
    assert set(stand_ins(version)) == there


def test_a_release_in_between_is_judged_by_the_next_and_a_removed_kind_by_its_last() -> None:
    def schema(version: str, gvk: GroupVersionKind) -> Any:
        return stand_ins(version)[gvk].openapi_schema["properties"]["spec"]["properties"]

    assert "appProtocol" not in schema("v1.1.0", kinds.POOL)
    assert "appProtocol" in schema("v1.4.0", kinds.POOL)
    assert "split" in schema("v1.2.0", kinds.REWRITE)["rules"]["items"]["properties"]
    assert "targets" in schema("v1.3.0", kinds.REWRITE)["rules"]["items"]["properties"]
    assert stand_ins("v1.6.0")[kinds.MODEL].openapi_schema == stand_ins("v0.5.1")[kinds.MODEL].openapi_schema


def test_pools_differ_from_release_to_release_in_what_upstream_changed() -> None:
    newest = spec_of(crd("v1.6.0", kinds.POOL))
    wanted = copy.deepcopy(newest)
    wanted["required"] = sorted([*wanted["required"], "endpointPickerRef"])
    assert bare(spec_of(crd("v1.5.0", kinds.POOL))) == bare(wanted)
    del wanted["properties"]["appProtocol"]
    assert bare(spec_of(crd("v1.3.0", kinds.POOL))) == bare(wanted)
    ports = wanted["properties"]["targetPorts"]
    ports["maxItems"] = 1
    del ports["x-kubernetes-validations"]
    assert bare(spec_of(crd("v1.0.2", kinds.POOL))) == bare(wanted)
    for bound in ("minProperties", "maxProperties"):
        del wanted["properties"]["selector"]["properties"]["matchLabels"][bound]
    assert bare(spec_of(crd("v1.0.0", kinds.POOL))) == bare(wanted)


def test_the_first_pool_of_the_old_group_equals_upstreams(shared: Path) -> None:
    name = f"{kinds.EXPERIMENTAL}_inferencepools.yaml"
    upstream = read((shared / "corpus" / "gie" / "crds" / name).read_text())
    assert bare(crd("v0.5.1", kinds.OLD_POOL)["spec"]) == bare(upstream["spec"])


def test_every_folder_is_a_version() -> None:
    assert {path.name for path in CRDS.iterdir()} == set(VERSIONS)


def test_a_version_that_is_none_is_told() -> None:
    assert list(InferenceExtension(version="newest").mistakes(("x",))) == [
        (("x", "version"), "'newest' isn't a version; write one such as v1.5.0")
    ]
    assert list(InferenceExtension(version="v1.5.0").mistakes(("x",))) == []
