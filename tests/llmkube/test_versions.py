"""The version of LLMKube that counts: by the installed CRDs, else by the configuration, else the newest."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.operator import operator_of
from weighbridge.policies.families.llmkube.versions import INFERENCE_SERVICE, MODEL, known_version
from weighbridge.policies.families.upstream_versions import Version, parse_version, standing_for
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.webhook.inputs.bundled import BundledStandIns, bundled_crds
from weighbridge.webhook.inputs.facts import bundled_definitions

OLD = parse({"llmkube": {"version": "v0.9.5"}})
QUOTA = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "GPUQuota")


@cache
def _bundled(*, is_old: bool) -> list[Any]:
    return list(bundled_crds(OLD if is_old else DEFAULT))


def crd(kind: str, config: Configuration = DEFAULT, *, without: str = "") -> Any:
    """A bundled CRD without one field of its spec."""
    of_llmkube = (crd for crd in _bundled(is_old=config is OLD) if crd["spec"]["group"] == QUOTA.group)
    found = copy.deepcopy(next(crd for crd in of_llmkube if crd["spec"]["names"]["kind"] == kind))
    if without:
        schema = found["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        *steps, last = ["spec", *without.split(".")]
        for step in steps:
            schema = schema["properties"][step]
        del schema["properties"][last]
    return found


def installed(*manifests: Any) -> Definitions:
    found = Definitions.from_manifests(manifests)
    assert not found.issues
    return found


@pytest.mark.parametrize(
    ("manifests", "version"),
    [
        ([crd("Model"), crd("InferenceService")], (0, 9, 19)),
        ([crd("Model", OLD), crd("InferenceService", OLD)], (0, 9, 5)),
        ([crd("Model")], (0, 9, 19)),
        ([crd("Model", OLD)], (0, 9, 5)),
        ([crd("InferenceService", OLD)], (0, 9, 5)),
        ([crd("Model", without="prefetch")], (0, 9, 10)),
        ([crd("Model", OLD, without="files")], (0, 8, 17)),
        ([crd("InferenceService", without="speculativeDecoding.draftModel")], (0, 9, 17)),
        ([crd("InferenceService", OLD, without="extraVolumes")], (0, 9, 4)),
        # A release has CRDs of both kinds, so the older of the two versions decides.
        ([crd("Model"), crd("InferenceService", OLD)], (0, 9, 5)),
        ([crd("Model", OLD), crd("InferenceService")], (0, 9, 5)),
        ([crd("ModelRouter")], None),
        ([], None),
    ],
)
def test_the_installed_crds_tell_the_version(manifests: list[Any], version: Version | None) -> None:
    assert known_version(installed(*manifests)) == version


def test_an_enumeration_tells_it_too() -> None:
    service = crd("InferenceService", without="modelCache.persistence")
    spec = service["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    del spec["speculativeDecoding"]["properties"]["draftModel"]
    assert known_version(installed(service)) == (0, 9, 14)
    spec["vllmConfig"]["properties"]["quantization"]["enum"].remove("mxfp4")
    assert known_version(installed(service)) == (0, 9, 13)


def test_what_only_stands_in_tells_nothing() -> None:
    assert known_version(bundled_definitions()) is None
    assert known_version(bundled_definitions(OLD)) is None


@pytest.mark.parametrize(
    ("stated", "bundled"),
    [("v0.9.5", "v0.9.5"), ("0.8.18", "v0.9.5"), ("v0.9.6", "v0.9.19"), ("v0.9.19", "v0.9.19"), ("v1.0.0", "v0.9.19")],
)
def test_the_configuration_chooses_the_next_that_is_not_older(stated: str, bundled: str) -> None:
    assert FAMILY.bundled_version(Definitions(), parse({"llmkube": {"version": stated}})) == bundled


def test_without_a_word_the_newest_counts() -> None:
    assert FAMILY.bundled_version(Definitions(), DEFAULT) == "v0.9.19"


def test_the_installed_crds_win_over_the_configuration() -> None:
    known = installed(crd("Model", OLD))
    assert FAMILY.bundled_version(known, parse({"llmkube": {"version": "v0.9.19"}})) == "v0.9.5"
    definitions = known.completed_by(BundledStandIns(known, DEFAULT))
    service = definitions.get(INFERENCE_SERVICE)
    assert service is not None
    assert "suspend" not in service.openapi_schema["properties"]["spec"]["properties"]
    assert definitions.get(QUOTA) is None
    assert definitions.get(MODEL) is known.get(MODEL)


def test_versions_are_numbers_not_texts() -> None:
    assert parse_version("v0.9.5") == (0, 9, 5)
    assert parse_version("0.10.0") == (0, 10, 0)
    assert [parse_version(text) for text in ("", "latest", "v0.9", "v0.9.5-rc1")] == [None] * 4
    assert standing_for((0, 9, 10), ("v0.9.5", "v0.9.19")) == "v0.9.19"


@pytest.mark.parametrize(
    ("manifests", "config", "version", "origin"),
    [
        ([crd("Model", OLD)], DEFAULT, (0, 9, 5), "installed CRDs"),
        ([crd("Model", OLD)], parse({"llmkube": {"version": "v0.9.12"}}), (0, 9, 12), "configuration"),
        ([], DEFAULT, (0, 9, 19), "upstream default"),
    ],
)
def test_the_operator_is_of_the_version_of_its_crds_unless_told_otherwise(
    manifests: list[Any], config: Configuration, version: Version, origin: str
) -> None:
    operator = operator_of(Facts(installed(*manifests)), config)
    assert (operator.version, operator.origin("version")) == (version, origin)


def test_the_operator_s_deployment_knows_better_than_its_crds() -> None:
    container = {"image": "ghcr.io/defilantech/llmkube-controller:0.9.17"}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "o", "namespace": "n"}}
    facts = from_objects([{**deployment, "spec": {"template": {"spec": {"containers": [container]}}}}], installed(crd("Model", OLD)))
    assert operator_of(facts, DEFAULT).version == (0, 9, 17)


@pytest.mark.parametrize(
    ("image", "labels", "version"),
    [
        ("ghcr.io/defilantech/llmkube-controller:0.9.9-amd64", {}, (0, 9, 9)),
        (f"ghcr.io/defilantech/llmkube-controller@sha256:{'a' * 64}", {"app.kubernetes.io/version": "0.9.9"}, (0, 9, 9)),
        ("mirror.example.com/manager:v0.9.9", {"control-plane": "controller-manager", "helm.sh/chart": "llmkube-0.9.9"}, (0, 9, 9)),
        ("mirror.example.com/manager:v0.9.9", {"control-plane": "controller-manager", "app.kubernetes.io/name": "llmkube"}, (0, 9, 9)),
        ("mirror.example.com/manager:v0.9.9", {"control-plane": "controller-manager", "helm.sh/chart": "other-0.9.9"}, (0, 9, 19)),
    ],
)
def test_the_operator_is_found_by_its_image_or_by_the_labels_of_its_chart(image: str, labels: dict[str, str], version: Version) -> None:
    assert operator_of(from_objects([running("o", image, labels)], bundled_definitions(DEFAULT)), DEFAULT).version == version


def test_the_operator_comes_before_what_has_an_image_of_a_similar_name() -> None:
    others = [running("a", "example.com/llmkube:0.9.5", {}), running("b", "ghcr.io/defilantech/llmkube-controller:0.9.17", {})]
    assert operator_of(from_objects(others, bundled_definitions(DEFAULT)), DEFAULT).version == (0, 9, 17)


def running(name: str, image: str, labels: dict[str, str]) -> dict[str, Any]:
    """A Deployment of one container that runs an image."""
    pod = {"spec": {"containers": [{"name": "manager", "image": image}]}}
    metadata = {"name": name, "namespace": "n", "labels": labels}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": pod}}
