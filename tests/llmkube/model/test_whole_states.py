"""The whole status of a Model for each kind of source, as it is stored."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.state import model_state
from weighbridge.policies.ground.objects import JSONObject

CLAIMS = ("", "PersistentVolumeClaim")
ROOTED = KnownOperator(allowed_host_path_roots=("/models",), model_cache_path="/cache/")
URL = "https://example.com/a.gguf"
#: Keys are the beginnings of the sources' SHA-256.
URL_KEY = "93290fb5fd0982eb"
METAL: dict[str, Any] = {"hardware": {"accelerator": "metal"}}
BY_POD = (
    "Source is a remote URL; the InferenceService Pod's init container will fetch the model into the per-namespace model cache PVC at "
    "startup"
)
BY_AGENT = "Source is a remote URL; the host metal-agent will fetch the model into its model store when the InferenceService is reconciled"


def a_model(source: str, *, name: str = "m", status: JSONObject | None = None, **spec: Any) -> JSONObject:
    found: JSONObject = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": name, "namespace": "ns"},
        "spec": {"source": source, **spec},
    }
    return found if status is None else {**found, "status": status}


def a_claim(phase: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c", "namespace": "ns"}, "status": {"phase": phase}}


def facts_of(*objects: JSONObject) -> Facts:
    return from_objects(objects, Definitions(), extent=Extent(complete=frozenset([CLAIMS])))


def available(reason: str, message: str) -> JSONObject:
    return {"type": "Available", "status": "True", "reason": reason, "message": message}


def failed(reason: str, message: str) -> JSONObject:
    return {"type": "Degraded", "status": "True", "reason": reason, "message": message}


def progressing(reason: str, message: str) -> JSONObject:
    return {"type": "Progressing", "status": "True", "reason": reason, "message": message}


@pytest.mark.parametrize(
    ("model", "status"),
    [
        (
            a_model(URL),
            {
                "phase": "Ready",
                "conditions": [available("WorkloadResolved", BY_POD)],
                "cacheKey": URL_KEY,
                "size": "0",
                "acceleratorReady": True,
            },
        ),
        (
            a_model(URL, **METAL),
            {
                "phase": "Ready",
                "conditions": [available("WorkloadResolved", BY_AGENT)],
                "cacheKey": URL_KEY,
                "size": "0",
                "acceleratorReady": True,
            },
        ),
        (
            a_model(URL, prefetch=True),
            {
                "phase": "Downloading",
                "conditions": [progressing("PrefetchStarted", "Started prefetch job downloading model into the shared cache")],
                "cacheKey": URL_KEY,
            },
        ),
        (
            a_model("hf://o/n", files=["b", "a"]),
            {
                "phase": "Ready",
                "conditions": [
                    available("RuntimeResolved", "Source is runtime-resolved (e.g., HuggingFace repo ID); runtime will fetch at startup")
                ],
                "size": "0",
                "acceleratorReady": True,
                "stagedFiles": ["b", "a"],
            },
        ),
        (
            a_model("/models/a.gguf", **METAL),
            {
                "phase": "Ready",
                "conditions": [
                    available(
                        "MetalAgentManaged", "Source is a local path on the Metal node; the host metal-agent loads the model directly"
                    )
                ],
                "size": "0",
                "acceleratorReady": True,
            },
        ),
        (
            a_model("pvc://c/dir/a.gguf"),
            {
                "phase": "Ready",
                "conditions": [available("PVCModelReady", 'Model available on PVC "c"')],
                "cacheKey": "8ec40b563fd0c508",
                "path": "/model-source/dir/a.gguf",
                "acceleratorReady": True,
            },
        ),
        (
            a_model("pvc://d/a.gguf"),
            {"phase": "Failed", "conditions": [failed("PVCNotFound", 'PVC "d" not found in namespace "ns"')]},
        ),
        (
            a_model("pvc://c"),
            {
                "phase": "Failed",
                "conditions": [
                    failed("InvalidSource", "PVC source must include a file path: pvc://c (expected pvc://claim-name/path/to/model.gguf)")
                ],
            },
        ),
    ],
)
def test_each_source_has_its_status(model: JSONObject, status: JSONObject) -> None:
    found = model_state(model, ROOTED, facts_of(a_claim("Bound")))
    assert found.as_json() == status
    assert found.unknown == ""
    told = status["conditions"][-1]
    assert (found.phase, found.reason, found.message) == (status["phase"], told["reason"], told["message"])
    assert found.problem == (told["message"] if status["phase"] == "Failed" else "")


COPY = progressing("CopyStarted", "Started copying local model")
DOWNLOAD = progressing("DownloadStarted", "Started downloading model")
IN_SYNC = {"type": "SourceDrifted", "status": "False", "reason": "InSync", "message": "Cached model matches the upstream source"}
ADVISORY = "(GHSA-jw3m-8q7m-f35r)"
OTHER = a_model("/models/a.gguf", name="other", status={"phase": "Ready"})


@pytest.mark.parametrize(
    ("model", "beside", "status", "unknown"),
    [
        (
            a_model("/models/a.gguf"),
            [],
            {
                "phase": "Ready",
                "conditions": [COPY, IN_SYNC, available("ModelReady", "Model downloaded and cached")],
                "cacheKey": "232cfdc559ef1b78",
                "path": "/cache/232cfdc559ef1b78/m.gguf",
                "acceleratorReady": True,
            },
            "whether the operator can read /models/a.gguf on its own disk",
        ),
        (
            a_model("/models/a.gguf"),
            [OTHER],
            {
                "phase": "Ready",
                "conditions": [available("ModelCached", "Model found in cache")],
                "cacheKey": "232cfdc559ef1b78",
                "path": "/cache/232cfdc559ef1b78/m.gguf",
                "acceleratorReady": True,
            },
            "",
        ),
        (
            a_model("/models"),
            [],
            {
                "phase": "Failed",
                "conditions": [
                    COPY,
                    failed(
                        "CopyFailed",
                        "failed to copy model file: write /cache/8452a47cea3c4076/.model-<n>.tmp: copy_file_range: is a directory",
                    ),
                ],
                "cacheKey": "8452a47cea3c4076",
            },
            "",
        ),
        (
            a_model("/etc/a"),
            [],
            {
                "phase": "Failed",
                "conditions": [
                    failed("SourceNotAllowed", f'local model source "/etc/a" is not within any allowed root [/models] {ADVISORY}')
                ],
            },
            "",
        ),
        (
            a_model("https://huggingface.co/datasets/x"),
            [],
            {"phase": "Failed", "conditions": [DOWNLOAD, failed("DownloadFailed", "failed to download")], "cacheKey": "4c7247bc790828b8"},
            "what https://huggingface.co/datasets/x answers",
        ),
    ],
)
def test_what_the_operator_fetches_itself_has_a_history(
    model: JSONObject, beside: list[JSONObject], status: JSONObject, unknown: str
) -> None:
    found = model_state(model, ROOTED, facts_of(*beside, model))
    assert found.as_json() == status
    assert found.unknown == unknown


@pytest.mark.parametrize(("phase", "is_waiting"), [("Pending", True), ("Lost", True), ("Bound", False)])
def test_a_claim_in_another_phase_is_waited_for(phase: str, is_waiting: bool) -> None:
    found = model_state(a_model("pvc://c/a.gguf"), ROOTED, facts_of(a_claim(phase)))
    assert (found.phase, found.cache_key == "", found.path == "") == ("Pending" if is_waiting else "Ready", is_waiting, is_waiting)
    if is_waiting:
        assert found.as_json() == {
            "phase": "Pending",
            "conditions": [progressing("PVCNotBound", f'PVC "c" is {phase}, waiting for it to be Bound')],
        }


def test_a_model_that_was_ready_keeps_its_status() -> None:
    conditions = [progressing("X", "before"), available("Y", "as stored"), failed("Z", "after")]
    status: JSONObject = {
        "phase": "Ready",
        "conditions": conditions,
        "cacheKey": "k",
        "path": "/somewhere/else.gguf",
        "size": "1 GiB",
        "stagedFiles": ["f"],
        "acceleratorReady": True,
    }
    found = model_state(a_model("/models/a.gguf", status=status), ROOTED, facts_of())
    assert found.as_json() == status
    assert (found.reason, found.message, found.problem, found.unknown) == ("Y", "as stored", "", "")
    # Without a path a local file is copied again.
    del status["path"]
    assert model_state(a_model("/models/a.gguf", status=status), ROOTED, facts_of()).path == "/cache/232cfdc559ef1b78/m.gguf"
    assert model_state(a_model("/models/a.gguf", status=status, **METAL), ROOTED, facts_of()).as_json() == status
    assert model_state(a_model(URL, status={"phase": "Ready"}), ROOTED, facts_of()).as_json() == {"phase": "Ready", "conditions": []}


@pytest.mark.parametrize(
    ("source", "is_prefetched"),
    [
        ("http://example.com/a.gguf", True),
        ("hf://o/n", True),
        ("hf://o/n@v1", True),
        ("hf://o", True),
        ("hf://", False),
        ("hf://@v1", False),
        ("hf://o/n@", False),
        ("hf://o/n@v 1", False),
        ("o/n", False),
        ("s3://b/k", False),
        ("pvc://c/a.gguf", False),
    ],
)
def test_what_has_an_address_is_prefetched(source: str, is_prefetched: bool) -> None:
    facts = facts_of(a_claim("Bound"))
    assert (model_state(a_model(source, prefetch=True), ROOTED, facts).phase == "Downloading") is is_prefetched
    assert model_state(a_model(source, prefetch=False), ROOTED, facts).phase != "Downloading"
