"""The runtimes of llmaz's chart: the prediction for a Playground if the cluster's runtimes aren't known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME, PLAYGROUND
from weighbridge.policies.families.llmaz.predictions.playground import predict
from weighbridge.policies.families.llmaz.subject.shipped_runtimes import shipped_runtime
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

NAMES = ("llamacpp", "ollama", "sglang", "tensorrt-llm", "tgi", "vllm")
MODEL = {
    "apiVersion": "llmaz.io/v1alpha1",
    "kind": "OpenModel",
    "metadata": {"name": "opt"},
    "spec": {"familyName": "opt", "source": {"modelHub": {"modelID": "facebook/opt-125m"}}},
}


def _request(kind: Any, obj: JSONObject) -> Request:
    namespace = "default" if kind is PLAYGROUND else ""
    return Request("1", Operation.CREATE, kind, obj, namespace=namespace, name=obj["metadata"]["name"])


def _playground(**backend: Any) -> JSONObject:
    spec = {"modelClaim": {"modelName": "opt"}, **({"backendRuntimeConfig": backend} if backend else {})}
    return {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Playground",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": spec,
    }


def _offline() -> Facts:
    return from_objects([], bundled_definitions(), beside=[MODEL])


def _runner(facts: Facts, **backend: Any) -> JSONObject:
    found = predict(_request(PLAYGROUND, _playground(**backend)), facts, DEFAULT)
    assert found is not None
    service = next(obj for obj in found.objects if obj["kind"] == "Service" and obj["apiVersion"].startswith("inference.llmaz.io"))
    runner: JSONObject = service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]["containers"][0]
    return runner


@pytest.mark.parametrize("name", NAMES)
def test_each_is_one_that_a_server_takes_without_a_word(name: str) -> None:
    shipped = shipped_runtime(name)
    assert shipped is not None
    decision = decide(_request(BACKEND_RUNTIME, shipped), from_objects([], bundled_definitions()), DEFAULT)
    assert (decision.allowed, decision.findings) == (True, ())


@pytest.mark.parametrize("name", ["sglang", "ollama"])
def test_they_say_what_upstreams_copies_say_but_for_scripts(name: str, shared: Path) -> None:
    upstream = read((shared / f"corpus/llmaz/samples/test/config/backends/{name}.yaml").read_text())
    if name == "ollama":
        upstream["spec"]["recommendedConfigs"][0]["args"] = []
    shipped = shipped_runtime(name)
    assert shipped is not None
    assert shipped["spec"] == upstream["spec"]


@pytest.mark.parametrize("name", NAMES)
def test_the_pods_of_each_are_predicted_where_nothing_is_known(name: str) -> None:
    runner = _runner(_offline(), backendName=name)
    shipped = shipped_runtime(name)
    assert shipped is not None
    spec = shipped["spec"]
    assert runner["image"] == f"{spec['image']}:{spec['version']}"
    given = spec["recommendedConfigs"][0]["resources"]["limits"]
    assert runner["resources"]["limits"] == {name: str(amount) for name, amount in given.items()}
    assert not any("{{" in argument for argument in runner.get("args", []))


def test_a_playground_that_names_none_gets_vllm() -> None:
    assert _runner(_offline())["image"] == "vllm/vllm-openai:v0.7.3"
    assert _runner(_offline(), version="v0.9.0")["image"] == "vllm/vllm-openai:v0.9.0"


def test_it_is_said_that_the_runtime_is_assumed() -> None:
    found = predict(_request(PLAYGROUND, _playground()), _offline(), DEFAULT)
    assert found is not None
    assert "BackendRuntime vllm isn't known; the one of llmaz's chart is taken, without its scripts" in [
        str(entry.reason) for entry in found.unchecked
    ]
    assert {value.source for value in found.values if value.field.endswith(".image")} == {"BackendRuntime vllm of llmaz 3c13ff3, chart"}


def test_a_runtime_of_another_name_is_not_assumed() -> None:
    found = predict(_request(PLAYGROUND, _playground(backendName="house")), _offline(), DEFAULT)
    assert found is not None
    assert found.objects == []


def test_none_is_assumed_where_the_clusters_runtimes_are_known() -> None:
    other = {**(shipped_runtime("tgi") or {}), "metadata": {"name": "house"}}
    found = predict(_request(PLAYGROUND, _playground()), from_objects([MODEL, other], bundled_definitions()), DEFAULT)
    assert found is not None
    assert (found.objects, found.failure) == ([], 'BackendRuntime.inference.llmaz.io "vllm" not found')
    own = {**(shipped_runtime("vllm") or {})}
    own["spec"] = {**own["spec"], "image": "registry.example/vllm"}
    assert _runner(from_objects([MODEL, own], bundled_definitions()))["image"] == "registry.example/vllm:v0.7.3"


def test_no_rule_goes_by_a_runtime_that_is_assumed() -> None:
    decision = decide(_request(PLAYGROUND, _playground(configName="fast")), _offline(), DEFAULT)
    assert decision.allowed
    assert decision.findings == ()


def test_a_variable_of_the_loader_is_refused_whatever_the_runtime_is() -> None:
    request = _request(PLAYGROUND, _playground(backendName="house", envs=[{"name": "HF_TOKEN", "value": "x"}]))
    (finding,) = decide(request, _offline(), DEFAULT).findings
    assert (finding.rule, finding.severity) == ("LLMAZ-040", "error")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "vllm",
            (
                "--model {{ .ModelPath }} --served-model-name {{ .ModelName }} --speculative_model {{ .DraftModelPath }} "
                "--host 0.0.0.0 --port 8080 --num_speculative_tokens 5 -tp 1"
            ),
        ),
        ("llamacpp", "-m {{ .ModelPath }} -md {{ .DraftModelPath }} --host 0.0.0.0 --port 8080 --draft-max 16 --draft-min 5"),
    ],
)
def test_two_of_them_can_speculate(name: str, arguments: str) -> None:
    """The arguments are those in the templates of llmaz's chart (commit 3c13ff3)."""
    shipped = shipped_runtime(name)
    assert shipped is not None
    (found,) = (config for config in shipped["spec"]["recommendedConfigs"] if config["name"] == "speculative-decoding")
    assert " ".join(found["args"]) == arguments
