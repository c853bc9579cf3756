"""The parts of the prediction that depend on the operator's version and settings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.service.predicting import a_model, a_service, made, pod, predict, value
from weighbridge.policies.families.llmkube.settings import Operator
from weighbridge.policies.ground.objects import JSONObject

AMD = {"count": 1, "vendor": "amd"}
TOLERATION = {"key": "spot", "operator": "Exists"}


@pytest.mark.parametrize(
    ("gpu", "version", "image"),
    [
        ({"count": 1}, "v0.9.8", "ghcr.io/ggml-org/llama.cpp:server"),
        ({"count": 1}, "v0.9.9", "ghcr.io/ggml-org/llama.cpp:server-cuda-b10068"),
        ({"enabled": True}, "v0.9.9", "ghcr.io/ggml-org/llama.cpp:server-cuda-b10068"),
        ({"vendor": "nvidia"}, "v0.9.9", "ghcr.io/ggml-org/llama.cpp:server"),
        ({**AMD, "runtime": "rocm"}, "v0.9.7", "ghcr.io/ggml-org/llama.cpp:server"),
        ({"count": 1, "vendor": "intel"}, "v0.9.19", "ghcr.io/ggml-org/llama.cpp:server"),
    ],
)
def test_llama_cpp_runs_the_image_of_its_time(gpu: JSONObject, version: str, image: str) -> None:
    assert pod(predict(a_service(), a_model(hardware={"gpu": gpu}), version=version))["containers"][0]["image"] == image


@pytest.mark.parametrize(("runtime", "resource"), [("rocm", "llmkube-llama-rocm@sha256:"), ("vulkan", "llmkube-llama-vulkan@sha256:")])
def test_amd_images_are_pinned_by_digest(runtime: str, resource: str) -> None:
    assert resource in pod(predict(a_service(), a_model(hardware={"gpu": {**AMD, "runtime": runtime}})))["containers"][0]["image"]


def test_the_authors_image_wins_over_the_operators() -> None:
    operator = Operator(runtime_images={"llamacpp": "mirror/llama:1"})
    assert (
        value(predict(a_service(), a_model(), operator=operator), "containers[0].image").source
        == "operator --runtime-images (configuration)"
    )
    told = value(predict(a_service(image="own:1"), a_model(), operator=operator), "containers[0].image")
    assert (told.value, told.source) == ("own:1", "InferenceService svc spec.image")


def test_the_operators_image_for_generic_counts_for_nothing() -> None:
    found = predict(a_service(runtime="generic"), a_model(), operator=Operator(runtime_images={"generic": "mirror/x:1"}))
    assert found.failure.endswith("spec.template.spec.containers[0].image: Required value")


@pytest.mark.parametrize(("version", "reaches"), [("v0.9.16", False), ("v0.9.17", True)])
def test_a_pod_without_gpu_gets_tolerations_and_selector_only_lately(version: str, reaches: bool) -> None:
    found = pod(predict(a_service(tolerations=[TOLERATION], nodeSelector={"pool": "x"}), a_model(), version=version))
    assert found.get("tolerations") == ([TOLERATION] if reaches else None)
    assert found.get("nodeSelector") == ({"pool": "x"} if reaches else None)


@pytest.mark.parametrize("version", ["v0.9.5", "v0.9.19"])
def test_claims_of_resources_let_the_authors_tolerations_replace_the_gpus(version: str) -> None:
    gpu = {"count": 1, "resourceClaims": [{"name": "g", "resourceClaimName": "c"}]}
    found = predict(a_service(tolerations=[TOLERATION]), a_model(hardware={"gpu": gpu}), version=version)
    assert pod(found)["tolerations"] == [TOLERATION]
    assert "is lost" in next(told.reason for told in found.values if told.field.endswith(".tolerations"))


@pytest.mark.parametrize(("version", "group", "groups"), [("v0.9.17", 991, None), ("v0.9.18", 991, [991]), ("v0.9.18", 0, None)])
def test_the_render_group_comes_with_its_flag(version: str, group: int, groups: list[int] | None) -> None:
    model = a_model(hardware={"gpu": {**AMD, "runtime": "vulkan"}})
    found = pod(predict(a_service(), model, version=version, operator=Operator(dri_render_gid=group)))
    assert found["securityContext"].get("supplementalGroups") == groups


def test_another_resource_name_takes_the_render_group_away() -> None:
    model = a_model(hardware={"gpu": {**AMD, "runtime": "vulkan", "resourceName": "amd.com/gpu"}})
    assert "supplementalGroups" not in pod(predict(a_service(), model, operator=Operator(dri_render_gid=991)))["securityContext"]


@pytest.mark.parametrize(
    ("disruption", "phase", "is_protected"),
    [
        ({}, "", True),
        ({"protectStartup": False}, "", False),
        ({"protectStartup": False, "protectAlways": True}, "Ready", True),
        ({}, "Ready", False),
    ],
)
def test_karpenter_is_told_to_wait_while_the_service_starts(disruption: JSONObject, phase: str, is_protected: bool) -> None:
    service = a_service(disruption=disruption) | {"status": {"phase": phase}}
    annotations = made(predict(service, a_model()), "Deployment")["spec"]["template"]["metadata"]["annotations"]
    assert ("karpenter.sh/do-not-disrupt" in annotations) is is_protected


def test_the_authors_annotation_wins_over_the_operators() -> None:
    service = a_service(podAnnotations={"prometheus.io/port": "9", "karpenter.sh/do-not-disrupt": "false"}, containerPort=7000)
    found = predict(service, a_model(), operator=Operator(emit_scrape_annotations=True))
    assert made(found, "Deployment")["spec"]["template"]["metadata"]["annotations"] == {
        "prometheus.io/port": "9",
        "karpenter.sh/do-not-disrupt": "false",
        "prometheus.io/scrape": "true",
        "prometheus.io/path": "/metrics",
    }
    assert value(found, "[prometheus.io/scrape]").source == "operator --emit-scrape-annotations (configuration)"
    assert value(found, "[prometheus.io/path]").source == "operator --emit-scrape-annotations (configuration)"
    assert value(found, "[prometheus.io/port]").source == "InferenceService svc spec.podAnnotations"


def test_the_shared_pools_selector_gives_way_key_by_key() -> None:
    service = a_service(resources={"gpuSharing": {"mode": "shared"}}, nodeSelector={"pool": "own"})
    operator = Operator(shared_pool_selector={"pool": "shared", "tier": "gpu"})
    found = predict(service, a_model(hardware={"gpu": {"count": 1}}), operator=operator)
    assert pod(found)["nodeSelector"] == {"tier": "gpu", "pool": "own"}
    assert value(found, "nodeSelector[tier]").source == "operator --gpu-sharing-shared-pool-selector (configuration)"


@pytest.mark.parametrize(
    ("resources", "requests"),
    [
        ({"memory": "1Gi", "hostMemory": "2Gi"}, {"memory": "2Gi"}),
        ({"cpu": "1u", "memory": "0.1"}, {"cpu": "1m", "memory": "100m"}),
        ({"cpu": "1500m", "memory": "", "hostMemory": ""}, {"cpu": "1500m"}),
        ({"ephemeralStorage": "12.5.5Gi"}, None),
        ({"ephemeralStorage": "."}, {"ephemeral-storage": "0"}),
    ],
)
def test_requests_are_as_the_server_stores_them(resources: JSONObject, requests: dict[str, Any] | None) -> None:
    container = pod(predict(a_service(resources=resources), a_model()))["containers"][0]
    assert container.get("resources", {}).get("requests") == requests
