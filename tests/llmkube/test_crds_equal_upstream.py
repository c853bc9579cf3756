"""LLMKube's bundled CRDs compared with upstream's: the newest field by field, the old one by the corpus and by the changes since."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.yaml_documents import read
from weighbridge.policies.apiserver.acceptance import acceptance_errors
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.webhook.inputs.bundled import bundled_crds

NEWEST, OLD = FAMILY.versions[-1], FAMILY.versions[0]
FOLDER = Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds"
UPSTREAM = "corpus/llmkube/crds"
SCHEMA = ("spec", "versions", 0, "schema", "openAPIV3Schema")
#: Differences from upstream that could be avoided, with the reason.
DIFFERENCES: dict[str, str] = {}

#: By kind, the parts of the newest CRD that the old one lacks or has in another form.
SINCE_OLD = {
    "Model": {
        "spec.source.pattern",  # s3, v0.9.6
        "spec.sourceSecretRef",  # v0.9.6
        "spec.prefetch",  # v0.9.11
        "spec.prefetchTolerations",  # after v0.9.19
    },
    "InferenceService": {
        "spec.bindAddress",  # v0.9.11
        "spec.hotCacheMaxSize",  # v0.9.7
        "spec.maxPodLifetimeIdleTimeoutSeconds",  # v0.9.9
        "spec.maxPodLifetimeSeconds",  # v0.9.9
        "spec.modelCache.persistence",  # v0.9.15
        "spec.modelCache.x-kubernetes-validations",  # v0.9.15
        "spec.pagedSSDCacheDir",  # v0.9.7
        "spec.pagedSSDCacheMaxSize",  # v0.9.7
        "spec.resources.ephemeralStorage",  # with the ephemeral cache, v0.9.15 or later
        "spec.resources.gpuSharing",  # v0.9.9
        "spec.runtime.enum",  # llamacpp-router, v0.9.8
        "spec.sglangConfig.logLevel",  # this and the next five v0.9.6
        "spec.sglangConfig.loraAdapters",
        "spec.sglangConfig.skipTokenizerInit",
        "spec.sglangConfig.speculative.acceptThresholdAcc",
        "spec.sglangConfig.speculative.acceptThresholdSingle",
        "spec.sglangConfig.trustRemoteCode",
        "spec.slo",  # v0.9.8
        "spec.speculativeDecoding.draftModel",  # v0.9.18
        "spec.speculativeDecoding.draftModelRef",  # v0.9.18
        "spec.speculativeDecoding.pMin",  # v0.9.18
        "spec.speculativeDecoding.type.enum",  # v0.9.18
        "spec.speculativeDecoding.x-kubernetes-validations",  # v0.9.18
        "spec.suspend",  # v0.9.11
        "spec.vllmConfig.quantization.enum",  # mxfp4, v0.9.14
        "status.acceleration",  # v0.9.18
        "status.phase.enum",  # Suspended, v0.9.11
    },
    "ModelRouter": {"spec.proxy.nodeSelector"},  # v0.9.16
}
#: The old CRDs of Foreman's kinds aren't known.
FOREMAN = {"Agent", "AgenticTask", "Workload", "AgentRelease", "FleetNode", "ModelProfile"}
CAME_LATER = {"GPUQuota", "LoRAAdapter", "ModelPool", "FederatedCluster", *FOREMAN}


def crds(version: str) -> dict[str, Any]:
    """The bundled CRDs of one version, by kind."""
    config = parse({"llmkube": {"version": version}})
    of_family = {kind.gvk.kind for kind in FAMILY.kinds}
    groups = {kind.gvk.group for kind in FAMILY.kinds}
    found = {crd["spec"]["names"]["kind"]: crd for crd in bundled_crds(config) if crd["spec"]["group"] in groups}
    return {kind: crd for kind, crd in found.items() if kind in of_family}


def bare(value: Any) -> Any:
    """A value without descriptions and the order of `required`, which have no meaning for the server."""
    if isinstance(value, dict):
        return {
            key: sorted(inner) if key == "required" and isinstance(inner, list) else bare(inner)
            for key, inner in value.items()
            if not (key == "description" and isinstance(inner, str))
        }
    return [bare(item) for item in value] if isinstance(value, list) else value


def schema_of(crd: Any) -> Any:
    for step in SCHEMA:
        crd = crd[step]
    return bare(crd)


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The paths at which two schemas differ, without `properties`."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            below = path if key == "properties" else f"{path}.{key}".lstrip(".")
            if key in one and key in other:
                yield from differences(one[key], other[key], below)
            else:
                yield below
    elif one != other:
        yield path


def test_the_newest_crds_are_upstreams_but_for_their_words(shared: Path) -> None:
    upstream = {path.name: bare(read(path.read_text())) for path in (shared / UPSTREAM).glob("*.yaml")}
    ours = {path.name: bare(read(path.read_text())) for path in (FOLDER / NEWEST).glob("*.yaml")}
    assert sorted(ours) == sorted(upstream)
    for name, crd in ours.items():
        assert crd["metadata"]["name"] == upstream[name]["metadata"]["name"]
        assert [place for place in differences(crd["spec"], upstream[name]["spec"]) if place not in DIFFERENCES] == []


def test_a_crd_has_a_readable_place_for_each_kind_of_the_family() -> None:
    for version in FAMILY.versions:
        there = {path.name for path in (FOLDER / version).glob("*.yaml")}
        assert there == {f"{crd['spec']['group']}_{crd['spec']['names']['plural']}.yaml" for crd in crds(version).values()}


def test_kinds_that_came_later_are_not_in_the_old_version() -> None:
    assert set(crds(NEWEST)) - set(crds(OLD)) == CAME_LATER
    assert set(crds(OLD)) == set(SINCE_OLD)


@pytest.mark.parametrize("kind", sorted(SINCE_OLD))
def test_the_old_crd_differs_by_what_came_since_and_nothing_else(kind: str) -> None:
    new, old = crds(NEWEST)[kind], crds(OLD)[kind]
    assert set(differences(schema_of(new), schema_of(old))) == SINCE_OLD[kind]
    for crd in (new, old):
        del crd["spec"]["versions"][0]["schema"]
    assert bare(new["spec"]) == bare(old["spec"])


def as_catalogued(schema: Any, *, is_root: bool = True) -> Any:
    """A CRD's schema in the form of catalogues of JSON Schemas: with closed objects, and with nulls allowed for fields that aren't
    required.
    """
    out = dict(schema)
    if "properties" in schema:
        required = schema.get("required", ())
        properties = {key: as_catalogued(inner, is_root=False) for key, inner in schema["properties"].items()}
        out["properties"] = {key: inner if key in required else nullable(inner) for key, inner in properties.items()}
        if not is_root:
            out["additionalProperties"] = False
    if isinstance(schema.get("items"), dict):
        out["items"] = as_catalogued(schema["items"], is_root=False)
    return out


def nullable(schema: Any) -> Any:
    return {**schema, "type": [schema["type"], "null"]}


def test_the_old_model_is_the_catalogues(shared: Path) -> None:
    seed = json.loads((shared / "seeds" / "llmkube-model.schema.json").read_text())
    assert as_catalogued(schema_of(crds(OLD)["Model"])) == bare(seed)


@pytest.mark.parametrize("version", FAMILY.versions)
def test_a_server_would_take_the_crds(version: str) -> None:
    assert {kind: list(map(str, acceptance_errors(crd))) for kind, crd in crds(version).items()} == {kind: [] for kind in crds(version)}
