"""Edges of a Model's status that no record shows: missing claims, other versions, and files with other faults."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.accelerator import accelerator_ready
from weighbridge.policies.families.llmkube.predictions.model.state import cache_key, model_state
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.objects import JSONObject

CLAIMS = ("", "PersistentVolumeClaim")


def _model(source: str, **spec: Any) -> JSONObject:
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": "m", "namespace": "team-a"},
        "spec": {"source": source, **spec},
    }


def _claim(phase: str) -> JSONObject:
    status = {"phase": phase} if phase else {}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "claim", "namespace": "team-a"}, "status": status}


def _facts(*objects: JSONObject, complete: tuple[tuple[str, str], ...] = ()) -> Facts:
    return from_objects(objects, Definitions(), extent=Extent(complete=frozenset(complete)))


def test_a_missing_claim_fails_the_model() -> None:
    state = model_state(_model("pvc://claim/a"), KnownOperator(), _facts(complete=(CLAIMS,)))
    assert (state.phase, state.reason, state.message) == ("Failed", "PVCNotFound", 'PVC "claim" not found in namespace "team-a"')
    assert state.cache_key == ""


def test_a_claim_that_is_not_bound_keeps_it_waiting() -> None:
    state = model_state(_model("pvc://claim/a"), KnownOperator(), _facts(_claim("Pending")))
    assert (state.phase, state.reason) == ("Pending", "PVCNotBound")
    assert state.message == 'PVC "claim" is Pending, waiting for it to be Bound'


def test_what_is_not_known_of_a_claim_is_said() -> None:
    state = model_state(_model("pvc://claim/a"), KnownOperator(), _facts())
    assert (state.phase, state.unknown) == ("Ready", "whether PersistentVolumeClaim claim exists and is bound")


def _class(mode: str) -> JSONObject:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "fast", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "csi.example.com",
        "volumeBindingMode": mode,
    }


@pytest.mark.parametrize(
    ("classes", "phase", "unknown"),
    [
        # A pod of the service would bind it, but there is none before the Model is Ready.
        ([_class("WaitForFirstConsumer")], "Pending", ""),
        ([_class("Immediate")], "Ready", ""),
        ([], "Pending", "whether PersistentVolumeClaim claim is bound"),
    ],
    ids=["waits for a pod", "bound at once", "no class is known"],
)
def test_a_claim_without_a_phase_is_pending_until_it_is_bound(classes: list[JSONObject], phase: str, unknown: str) -> None:
    state = model_state(_model("pvc://claim/a"), KnownOperator(), _facts(_claim(""), *classes))
    assert (state.phase, state.unknown) == (phase, unknown)
    assert state.reason == ("PVCModelReady" if phase == "Ready" else "PVCNotBound")
    if phase == "Pending":
        assert state.message == 'PVC "claim" is Pending, waiting for it to be Bound'


def test_a_claim_without_a_path_fails_with_its_own_reason() -> None:
    state = model_state(_model("pvc://claim"), KnownOperator(), _facts())
    assert (state.phase, state.reason) == ("Failed", "InvalidSource")


def test_a_bucket_was_handed_to_the_http_client_before_v0_9_15() -> None:
    state = model_state(_model("s3://b/k"), KnownOperator(version=(0, 9, 14)), _facts())
    assert state.message == 'failed to download: Get "s3://b/k": unsupported protocol scheme "s3"'
    assert [condition.reason for condition in state.conditions] == ["DownloadStarted", "DownloadFailed"]


@pytest.mark.parametrize("page", ["datasets/o/n", "spaces/o/n", "o"])
def test_a_page_that_is_no_repositorys_fails_whatever_it_answers(page: str) -> None:
    state = model_state(_model(f"https://huggingface.co/{page}"), KnownOperator(), _facts())
    assert (state.phase, state.reason) == ("Failed", "DownloadFailed")
    assert [condition.reason for condition in state.conditions] == ["DownloadStarted", "DownloadFailed"]
    assert state.unknown == f"what https://huggingface.co/{page} answers"


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ((0, 9, 15), "multi-file staging requires a HuggingFace repo source, but got: s3://b/k"),
        ((0, 9, 16), ""),
    ],
)
def test_files_come_from_buckets_since_v0_9_16(version: Version, message: str) -> None:
    state = model_state(_model("s3://b/k", files=["a"]), KnownOperator(version=version), _facts())
    assert state.problem == message


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"mmproj": "a"}, "spec.files must include a primary model file when spec.mmproj is set"),
        ({"files": ["a", "b?"]}, 'resolve file "b?": glob pattern "b?" requires repository file listing, which is unavailable'),
        ({"files": ["a"], "mmproj": "../b"}, 'spec.mmproj: invalid repo-relative path "../b"'),
        ({"files": ["a"], "mmproj": "b*"}, 'spec.mmproj must be a concrete repo-relative path, got glob "b*"'),
        ({"files": ["a..b"]}, 'resolve primary file "a..b": invalid repo-relative path "a..b"'),
    ],
)
def test_files_that_cannot_be_staged_are_named(spec: JSONObject, problem: str) -> None:
    state = model_state(_model("hf://o/n", **spec), KnownOperator(), _facts())
    assert state.reason == "InvalidFileSet"
    assert state.message.startswith(problem)


def test_files_are_staged_once_each_and_in_order() -> None:
    assert file_set(_model("hf://o/n", files=["a", "b", "a"], mmproj="b")).files == ("a", "b")
    assert file_set(_model("hf://o/n")).files == ()


@pytest.mark.parametrize(
    ("source", "prefetched"),
    [
        ("hf://o/n", True),
        ("hf://o", True),
        ("hf://o/n@", False),
        ("https://x/a", True),
        ("https://huggingface.co/o/n", True),
        ("o/n", False),
        ("s3://b/k", False),
        ("pvc://claim/a", False),
    ],
)
def test_only_sources_with_an_address_are_prefetched(source: str, prefetched: bool) -> None:
    state = model_state(_model(source, prefetch=True), KnownOperator(), _facts(_claim("Bound")))
    assert (state.reason == "PrefetchStarted") is prefetched


def test_prefetching_came_with_v0_9_11() -> None:
    assert model_state(_model("hf://o/n", prefetch=True), KnownOperator(version=(0, 9, 10)), _facts()).reason == "RuntimeResolved"


def _ready(source: str, **spec: Any) -> JSONObject:
    available = {"type": "Available", "status": "True", "reason": "ModelPrefetched", "message": "Model prefetched into the shared cache"}
    return _model(source, **spec) | {"status": {"phase": "Ready", "cacheKey": "0" * 16, "conditions": [available]}}


@pytest.mark.parametrize(
    ("source", "spec"),
    [("hf://o/n", {"prefetch": True, "files": ["a"]}), ("pvc://gone/a", {}), ("https://x/b", {})],
)
def test_a_model_that_was_ready_stays_so(source: str, spec: JSONObject) -> None:
    state = model_state(_ready(source, **spec), KnownOperator(), _facts(complete=(CLAIMS,)))
    assert (state.phase, state.reason, state.cache_key) == ("Ready", "ModelPrefetched", "0" * 16)
    assert state.as_json()["conditions"][0]["message"] == "Model prefetched into the shared cache"


@pytest.mark.parametrize(("source", "spec"), [("/etc/passwd", {}), ("pvc://c/a", {"files": ["a"]})])
def test_what_is_refused_first_is_refused_of_a_ready_model_too(source: str, spec: JSONObject) -> None:
    assert model_state(_ready(source, **spec), KnownOperator(), _facts()).phase == "Failed"


def test_a_stored_key_of_the_cache_wins() -> None:
    model = _model("hf://o/n") | {"status": {"cacheKey": "0123456789abcdef"}}
    assert cache_key(model, KnownOperator()) == "0123456789abcdef"


@pytest.mark.parametrize(
    ("spec", "version", "has_key"),
    [
        ({"files": ["a"]}, (0, 9, 19), True),
        ({"files": ["a"]}, (0, 8, 22), False),
        ({}, (0, 9, 19), False),
        ({"files": ["a"], "hardware": {"accelerator": "metal"}}, (0, 9, 19), False),
    ],
)
def test_a_repository_has_a_key_in_the_cache_where_it_stages_files(spec: JSONObject, version: Version, has_key: bool) -> None:
    assert bool(cache_key(_model("hf://o/n", **spec), KnownOperator(version=version))) is has_key


def test_the_operators_own_cache_lies_where_it_is_told() -> None:
    operator = KnownOperator(allowed_host_path_roots=("/data",), model_cache_path="/cache/")
    state = model_state(_model("/data/a.gguf"), operator, _facts())
    assert state.path == f"/cache/{state.cache_key}/m.gguf"


def test_a_source_that_was_copied_before_is_found_in_the_cache() -> None:
    operator = KnownOperator(allowed_host_path_roots=("/data",))
    other = _model("/data/a.gguf") | {"metadata": {"name": "first", "namespace": "team-b"}, "status": {"phase": "Ready"}}
    state = model_state(_model("/data/a.gguf"), operator, _facts(other))
    assert [(condition.type, condition.reason) for condition in state.conditions] == [("Available", "ModelCached")]
    assert (state.phase, state.path, state.unknown) == ("Ready", f"/models/{state.cache_key}/m.gguf", "")


@pytest.mark.parametrize(
    "other",
    [
        {"metadata": {"name": "m", "namespace": "team-a"}, "status": {"phase": "Ready"}},
        {"metadata": {"name": "first", "namespace": "team-a"}, "status": {"phase": "Failed"}},
        {"metadata": {"name": "first", "namespace": "team-a"}, "spec": {"source": "/data/b.gguf"}, "status": {"phase": "Ready"}},
        {
            "metadata": {"name": "first", "namespace": "team-a"},
            "spec": {"source": "/data/a.gguf", "hardware": {"accelerator": "metal"}},
            "status": {"phase": "Ready"},
        },
    ],
    ids=["itself", "one that failed", "another source", "one on metal"],
)
def test_only_a_ready_model_of_the_same_source_filled_the_cache(other: JSONObject) -> None:
    operator = KnownOperator(allowed_host_path_roots=("/data",))
    state = model_state(_model("/data/a.gguf"), operator, _facts(_model("/data/a.gguf") | other))
    assert [condition.reason for condition in state.conditions] == ["CopyStarted", "InSync", "ModelReady"]


def _node(resource: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {resource: "1"}}}


@pytest.mark.parametrize(
    ("hardware", "resource", "version", "ready"),
    [
        ({"accelerator": "cpu"}, "cpu", (0, 9, 19), True),
        ({"accelerator": "metal"}, "cpu", (0, 9, 19), True),
        ({"accelerator": "cuda"}, "nvidia.com/gpu", (0, 9, 19), True),
        ({"accelerator": "cuda", "gpu": {"resourceName": "a.example/gpu"}}, "nvidia.com/gpu", (0, 9, 19), False),
        ({"accelerator": "cuda", "gpu": {"resourceName": " a.example/gpu "}}, "a.example/gpu", (0, 9, 19), True),
        ({"accelerator": "rocm"}, "amd.com/gpu", (0, 9, 19), False),
        ({"accelerator": "rocm"}, "amd.com/gpu", (0, 9, 7), True),
        ({"accelerator": "rocm"}, "devic.es/dri-render", (0, 9, 8), True),
        ({"accelerator": "rocm", "gpu": {"vendor": "intel"}}, "gpu.intel.com/i915", (0, 9, 8), True),
        ({"accelerator": "rocm", "gpu": {"vendor": "intel"}}, "amd.com/gpu", (0, 9, 7), True),
        ({"accelerator": "intel"}, "gpu.intel.com/i915", (0, 9, 19), True),
        ({"accelerator": "vulkan"}, "devic.es/dri-render", (0, 9, 19), True),
    ],
)
def test_readiness_looks_for_the_resource_of_the_accelerator(hardware: JSONObject, resource: str, version: Version, ready: bool) -> None:
    operator = KnownOperator(version=version)
    assert accelerator_ready(_model("o/n", hardware=hardware), operator, _facts(_node(resource))) is ready


def test_readiness_follows_the_operators_variable_for_intel() -> None:
    operator = KnownOperator(intel_gpu_resource="gpu.intel.com/xe")
    assert accelerator_ready(_model("o/n", hardware={"accelerator": "intel"}), operator, _facts(_node("gpu.intel.com/xe")))


def test_readiness_is_open_where_nodes_or_claims_are_not_known() -> None:
    assert accelerator_ready(_model("o/n", hardware={"accelerator": "cuda"}), KnownOperator(), _facts()) is None
    claims = [{"name": "g", "resourceClaimName": "c"}]
    model = _model("o/n", hardware={"accelerator": "cuda", "gpu": {"resourceClaims": claims}})
    assert accelerator_ready(model, KnownOperator(), _facts()) is None
    assert accelerator_ready(model, KnownOperator(), _facts(complete=(("resource.k8s.io", "ResourceClaim"),))) is False


@pytest.mark.parametrize("model", [{}, {"spec": None}, {"spec": {"source": 1, "files": "a", "hardware": []}}, {"metadata": 3, "spec": []}])
def test_any_object_has_some_state(model: Any) -> None:
    assert model_state(model, KnownOperator(), _facts()).phase == "Failed"


#: What the operator wrote for a Model that had been Ready with another source, as it was seen.
RESOLVED = [{"type": "Available", "status": "True", "reason": "RuntimeResolved", "message": "..."}]
REPOSITORY_STATUS = {"phase": "Ready", "size": "0", "acceleratorReady": True, "conditions": RESOLVED}
CLAIM_STATUS = {"phase": "Ready", "cacheKey": "b768bf2977f5000f", "path": "/model-source/path/m.gguf"}
REMOTE_STATUS = {"phase": "Ready", "cacheKey": "36caa2ed529751ab", "size": "0"}
FAILED_STATUS = {"phase": "Failed", "cacheKey": "6547347345702015"}
REMOTE = "https://models.example.com/q.gguf"


@pytest.mark.parametrize(
    ("status", "source", "spec", "phase", "key"),
    [
        # A Ready Model gets no key, so its services download into a folder that goes with the pod.
        (REPOSITORY_STATUS, REMOTE, {}, "Ready", ""),
        (REPOSITORY_STATUS, "s3://bucket/path/m.gguf", {}, "Ready", ""),
        (REMOTE_STATUS, "o/n", {}, "Ready", "36caa2ed529751ab"),
        # Without a key the prefetch begins.
        (REPOSITORY_STATUS, REMOTE, {"prefetch": True}, "Downloading", "36caa2ed529751ab"),
        (REMOTE_STATUS, REMOTE, {"prefetch": True}, "Ready", "36caa2ed529751ab"),
        (FAILED_STATUS, REMOTE, {"prefetch": True}, "Downloading", "6547347345702015"),
        # The operator fetches these itself, and finds no file.
        (REMOTE_STATUS, "hf://a", {}, "Failed", "6547347345702015"),
        (CLAIM_STATUS, "hf://a", {}, "Failed", "6547347345702015"),
        # The key of a source that failed doesn't stay.
        (FAILED_STATUS, REMOTE, {}, "Ready", "36caa2ed529751ab"),
    ],
)
def test_another_source_of_a_stored_model(status: JSONObject, source: str, spec: JSONObject, phase: str, key: str) -> None:
    model = _model(source, **spec) | {"status": status}
    assert (model_state(model, KnownOperator(), _facts()).phase, cache_key(model, KnownOperator())) == (phase, key)


def test_a_file_of_a_claim_is_none_of_the_operators() -> None:
    operator = KnownOperator(allowed_host_path_roots=("/data",))
    assert model_state(_model("/data/a.gguf") | {"status": CLAIM_STATUS}, operator, _facts()).reason == "ModelReady"
    copied = _model("/data/a.gguf") | {"status": {**CLAIM_STATUS, "path": "/models/b768bf2977f5000f/m.gguf"}}
    assert model_state(copied, operator, _facts()).cache_key == "b768bf2977f5000f"


def test_the_job_of_a_prefetch_that_exists_stays() -> None:
    spec = {"prefetch": True, "prefetchTolerations": [{"key": "a", "operator": "Exists", "value": "b"}]}
    refused = model_state(_model(REMOTE, **spec), KnownOperator(), _facts())
    assert (refused.phase, refused.as_json(), refused.problem[:23]) == ("", {}, "creating prefetch job: ")
    assert model_state(_model(REMOTE, **spec) | {"status": {"phase": "Downloading"}}, KnownOperator(), _facts()).problem == ""
