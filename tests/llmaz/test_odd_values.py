"""Values of odd form, as llmaz reads them: empty ones that count, paths with dots, and variables in other alphabets."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmaz.kinds import SERVICE, SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.predictions.resources import merged
from weighbridge.policies.families.llmaz.predictions.service import predict
from weighbridge.policies.families.llmaz.predictions.typed_patch import workload_refusal
from weighbridge.policies.families.llmaz.subject.runtime import rendered, variables_of
from weighbridge.policies.families.llmaz.subject.sources import source_of
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_SKIPS = {SKIP_ANNOTATION: "true"}
_REFUSED = 'LeaderWorkerSet.leaderworkerset.x-k8s.io "s" is invalid:'


def _source(**source: Any) -> Any:
    found = source_of({"metadata": {"name": "m"}, "spec": {"source": source}})
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ({"uri": "s3://my.gguf-bucket/models/llama"}, "/workspace/models/models--llama"),
        ({"uri": "s3://bucket/models/llama.gguf"}, "/workspace/models/llama.gguf"),
        ({"uri": "oss://b.gguf.oss-cn.example/models/llama"}, "/workspace/models/models--llama"),
        ({"uri": "ollama://hf.co/bart/Llama-GGUF"}, "/workspace/models/models--Llama-GGUF"),
        ({"uri": "ollama://x.gguf"}, "/workspace/models/x.gguf"),
        ({"uri": "ollama://llama3"}, "/workspace/models/models--llama3"),
        ({"modelHub": {"modelID": "a/b", "filename": ""}}, "/workspace/models/"),
        ({"modelHub": {"modelID": "a/b"}}, "/workspace/models/models--a--b"),
    ],
)
def test_paths(source: dict[str, Any], path: str) -> None:
    assert _source(**source).path(skips=False) == path


def test_empty_values_of_a_hub_are_told_to_the_loader() -> None:
    env = _source(modelHub={"modelID": "a/b", "filename": "", "allowPatterns": []}).loader_environment()
    assert [(one["name"], one["value"]) for one in env if "value" in one] == [
        ("MODEL_SOURCE_TYPE", "modelhub"),
        ("MODEL_ID", "a/b"),
        ("MODEL_HUB_NAME", "Huggingface"),
        ("MODEL_FILENAME", ""),
        ("REVISION", "main"),
        ("MODEL_ALLOW_PATTERNS", ""),
    ]


@pytest.mark.parametrize(
    ("requests", "limits"),
    [({"cpu": "0"}, {}), ({"cpu": "-1"}, {}), ({"cpu": "1"}, {"cpu": "1"}), ({"nvidia.com/gpu": "1"}, {})],
)
def test_a_limit_is_added_where_something_is_requested(requests: dict[str, str], limits: dict[str, str]) -> None:
    assert merged({"requests": requests}, {}).get("limits", {}) == limits


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("{{ .ModelName }}", "m"),
        ("{{\t.ModelName\f}}", "m"),
        ("{{\u00a0.ModelName }}", "{{\u00a0.ModelName }}"),
        ("{{ .Mod\u00e8le }}", "{{ .Mod\u00e8le }}"),
        ("{{ .ModelPath }}/{{ .ModelName }}", "m/m"),
        ("{{ .ModelName }}/{{ .ModelPath }}", "m/{{ .ModelName }}"),
    ],
)
def test_variables(argument: str, expected: str) -> None:
    """If a value is a variable itself, the later variables fill it in as well."""
    assert rendered([argument], {"ModelName": "m", "ModelPath": "{{ .ModelName }}"}) == ([expected], "")


def test_the_second_model_is_the_draft_whatever_its_role() -> None:
    sources = [_source(modelHub={"modelID": name}) for name in ("a", "b")]
    assert variables_of(sources, skips=True)["DraftModelPath"] == "b"


def test_a_path_that_is_mounted_twice() -> None:
    mounts = [{"name": "a", "mountPath": "/workspace/models/"}, {"name": "b", "mountPath": "/workspace/models/"}]
    pod = {"spec": {"containers": [{"name": "model-runner", "volumeMounts": mounts}]}}
    found = workload_refusal({"spec": {"leaderWorkerTemplate": {"workerTemplate": pod}}})
    assert found.endswith('containers[name="model-runner"].volumeMounts: duplicate entries for key [mountPath="/workspace/models/"]')


@pytest.mark.parametrize(
    ("annotations", "failure"),
    [
        ({}, "panic: runtime error: index out of range [0] with length 0"),
        (_SKIPS, f"{_REFUSED} spec.leaderWorkerTemplate.leaderTemplate.spec.containers: Required value"),
    ],
)
def test_a_template_without_containers_has_none_whose_variables_the_loader_takes(annotations: dict[str, str], failure: str) -> None:
    runner = {"name": "model-runner", "image": "engine:v1"}
    templates = {"leaderTemplate": {"spec": {"containers": []}}, "workerTemplate": {"spec": {"containers": [runner]}}}
    service = {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Service",
        "metadata": {"name": "s", "namespace": "a", "annotations": annotations},
        "spec": {"modelClaims": {"models": [{"name": "m", "role": "main"}]}, "workloadTemplate": templates},
    }
    model = {"apiVersion": "llmaz.io/v1alpha1", "kind": "OpenModel", "metadata": {"name": "m"}, "spec": {"source": {"uri": "s3://b/m"}}}
    facts = from_objects([model], bundled_definitions())
    found = predict(Request("1", Operation.CREATE, SERVICE, service, namespace="a", name="s"), facts, DEFAULT)
    assert found is not None
    assert found.failure == failure
