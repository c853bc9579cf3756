"""The table of the values in a service's pods, each with the object that it comes from."""

from __future__ import annotations

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.verdict.engine import decide

_BY_NAME = {case.id: case for case in CASES}


def rows(case: Case) -> dict[str, dict[str, tuple[str, str]]]:
    """By workload, the value and the origin of each field, as `dry-run` shows them."""
    stored = decide(case.request(), case.facts(), case.configuration()).effective
    assert stored is not None
    return {
        table["title"]: {field: (value, source) for field, value, source in table["rows"]}
        for table in stored["tables"]
        if table["title"].startswith("pods of")
    }


def test_a_class_takes_the_place_of_the_runtime_s_gpus() -> None:
    told = rows(_BY_NAME["ome/accepts-the-gpus-of-a-class"])["pods of Deployment/chat-engine:"]
    value, source = told["containers[0].resources.limits.nvidia.com/gpu"]
    assert (value, source.startswith("AcceleratorClass h100")) == ("8", True)


def test_a_service_overrides_its_runtime_and_says_what() -> None:
    told = rows(_BY_NAME["ome/accepts-gpus-that-the-service-lowers"])["pods of Deployment/chat-engine:"]
    value, source = told["containers[0].resources.limits.nvidia.com/gpu"]
    assert (value, source.startswith("InferenceService chat spec.engine")) == ("8", True)
    assert 'ClusterServingRuntime srt spec.engineConfig has "16"' in source


def test_leader_and_worker_have_rows_of_their_own() -> None:
    told = rows(_BY_NAME["ome/accepts-a-leader-and-its-workers-on-nodes"])["pods of LeaderWorkerSet/lws-chat-engine:"]
    assert {field.split(":")[0] for field in told} == {"leader", "worker"}


@pytest.mark.parametrize(
    "field", ["containers[0].image", "containers[0].env MODEL_PATH", "nodeSelector.models.ome.io/clusterbasemodel.llama"]
)
def test_a_field_has_one_row(field: str) -> None:
    assert field in rows(_BY_NAME["ome/accepts-gpus-that-a-node-has-for-an-engine"])["pods of Deployment/chat-engine:"]


def test_what_a_format_sets_for_a_class_differs_from_what_ome_adds() -> None:
    case = _BY_NAME["ome/accepts-the-gpus-of-a-class"]
    runtime = next(obj for obj in case.facts().objects.list("ome.io", "ClusterServingRuntime") if obj["metadata"]["name"] == "srt")
    config = {"h100": {"runtimeArgsOverride": ["--tuned"], "environmentOverride": {"TUNED": "yes"}}}
    formats = [{**item, "acceleratorConfig": config} for item in runtime["spec"]["supportedModelFormats"]]
    facts = case.facts()
    facts.objects.put({**runtime, "spec": {**runtime["spec"], "supportedModelFormats": formats}})
    stored = decide(case.request(), facts, case.configuration()).effective
    assert stored is not None
    (rows_of_pods,) = (table["rows"] for table in stored["tables"] if table["title"].startswith("pods of"))
    told = {field: source for field, _, source in rows_of_pods}
    for field in ("containers[0].args", "containers[0].env TUNED"):
        assert told[field].startswith("ClusterServingRuntime srt spec.supportedModelFormats acceleratorConfig h100")
