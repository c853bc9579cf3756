"""Migrates fields of llmaz that were renamed or moved, in place and with their comments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import run
from tests.migration.texts import migrate, objects, told

MODEL = """\
# The smallest.
apiVersion: llmaz.io/v1alpha1
kind: Model
metadata:
  namespace: models
  name: opt-125m
spec:
  familyName: opt
  # where it runs
  inferenceFlavors:
  - name: a100 # the best
    requests:
      nvidia.com/gpu: 1
  source: {modelHub: {modelID: facebook/opt-125m}}
"""
MODEL_AFTER = """\
# The smallest.
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata:
  name: opt-125m
spec:
  familyName: opt
  # where it runs
  inferenceConfig:
    flavors:
    - name: a100 # the best
      limits:
        nvidia.com/gpu: 1
  source: {modelHub: {modelID: facebook/opt-125m}}
"""
PLAYGROUND = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: guess}
spec:
  multiModelsClaim:
    inferenceMode: SpeculativeDecoding
    modelNames:
      - opt-6--7b # the target
      - opt-125m
  backendConfig:
    name: vllm # as ever
    args:
      - -tp
"""
PLAYGROUND_AFTER = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: guess}
spec:
  modelClaims:
    models:
      - name: opt-6--7b # the target
        role: main
      - name: opt-125m
        role: draft
  backendRuntimeConfig:
    backendName: vllm # as ever
    args:
      - -tp
"""
SERVICE = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: two-nodes}
spec:
  multiModelsClaims:
  - modelNames: [opt, "small"]
    rate: 1
  workloadTemplate:
    replicas: 2
    startupPolicy: LeaderReady
    leaderWorkerTemplate: # the pods
      size: 2
      workerTemplate:
        # of one container
        spec:
          containers:
          - name: model-runner
            command: [sh, -c]
            args:
            - |
              a
                b
"""
SERVICE_AFTER = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: two-nodes}
spec:
  modelClaims:
    models: [{name: opt, role: main}, {"name": "small", "role": "draft"}]
  workloadTemplate:
    size: 2
    workerTemplate:
      # of one container
      spec:
        containers:
        - name: model-runner
          command: [sh, -c]
          args:
          - |
            a
              b
  replicas: 2
"""
RUNTIME = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: BackendRuntime
metadata: {name: vllm}
spec:
  commands: [python3]
  multiHostCommands: {leader: [sh], worker: [sh]}
  image: vllm/vllm-openai
  version: v0.6.0
  args:
    - name: default
      flags: # rendered
        - "{{ .ModelPath }}"
  resources:
    limits: {cpu: 4}
"""
RUNTIME_AFTER = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: BackendRuntime
metadata: {name: vllm}
spec:
  command: [python3]
  image: vllm/vllm-openai
  version: v0.6.0
  recommendedConfigs:
    - name: default
      args: # rendered
        - "{{ .ModelPath }}"
      resources:
        limits:
          cpu: 4
"""
PAIRS = [(MODEL, MODEL_AFTER), (PLAYGROUND, PLAYGROUND_AFTER), (SERVICE, SERVICE_AFTER), (RUNTIME, RUNTIME_AFTER)]


@pytest.mark.parametrize(("before", "after"), PAIRS, ids=["model", "playground", "service", "runtime"])
def test_fields_get_their_new_names_and_places(before: str, after: str) -> None:
    assert migrate(before).after == after
    again = migrate(after)
    assert (again.after, again.told, again.objects) == (after, [], 0)


def test_all_of_them_in_one_file() -> None:
    assert migrate("---\n".join(before for before, _ in PAIRS)).after == "---\n".join(after for _, after in PAIRS)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (MODEL, ["note metadata.namespace"]),
        (PLAYGROUND, []),
        (SERVICE, ["note spec.multiModelsClaims", "removed spec.workloadTemplate.startupPolicy"]),
        (RUNTIME, ["removed spec.multiHostCommands"]),
    ],
    ids=["model", "playground", "service", "runtime"],
)
def test_what_has_no_successor_is_told(before: str, expected: list[str]) -> None:
    assert told(migrate(before)) == expected


def _migrated(kind: str, spec: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    group = "llmaz.io" if kind == "OpenModel" else "inference.llmaz.io"
    obj = {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    result = migrate(yaml.safe_dump(obj, sort_keys=False))
    return objects(result.after)[0]["spec"], told(result)


def test_arguments_with_a_name_are_those_of_a_configuration() -> None:
    backend = {"name": "vllm", "args": {"name": "speculative-decoding", "flags": ["-a"]}, "version": "v1"}
    spec, _ = _migrated("Playground", {"modelClaim": {"modelName": "m"}, "backendRuntimeConfig": backend})
    assert spec["backendRuntimeConfig"] == {"backendName": "vllm", "configName": "speculative-decoding", "args": ["-a"], "version": "v1"}


@pytest.mark.parametrize(
    "given",
    [{"modelNames": ["a", "b", "c"]}, {"modelNames": []}, [{"modelNames": ["a"]}, {"modelNames": ["b"]}], {"modelNames": ["a", 1]}, None],
    ids=["three", "none", "two claims", "no name", "nothing"],
)
def test_claims_that_cannot_be_told_are_left(given: Any) -> None:
    spec = {"multiModelsClaims": given, "backendConfig": {"name": "vllm"}}
    assert _migrated("Playground", spec) == (spec, ["left spec.multiModelsClaims"])


def test_a_service_without_a_template_of_workers_is_left() -> None:
    spec = {"workloadTemplate": {"replicas": 1, "leaderWorkerTemplate": {"workerTemplate": None}}}
    assert _migrated("Service", spec) == (spec, ["left spec.workloadTemplate.leaderWorkerTemplate"])


def test_what_a_service_says_already_stays() -> None:
    pods: dict[str, Any] = {"workerTemplate": {"spec": {"containers": []}}}
    strategy = {"type": "RollingUpdate"}
    template = {"replicas": 1, "rolloutStrategy": strategy, "leaderWorkerTemplate": pods}
    spec, _ = _migrated("Service", {"replicas": 3, "workloadTemplate": template})
    assert spec == {"replicas": 3, "workloadTemplate": pods, "rolloutStrategy": strategy}


def test_a_model_by_a_link_is_left() -> None:
    spec = {"familyName": "a", "dataSource": {"url": "https://example.com"}}
    assert _migrated("OpenModel", spec) == (spec, ["left spec.dataSource"])


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        ({"inferenceFlavors": [{"name": "a", "requests": {"g/a": 1}, "limits": {"g/a": 2}}]}, [{"name": "a", "limits": {"g/a": 2}}]),
        ({"inferenceFlavors": [{"name": "b"}], "inferenceConfig": {"flavors": [{"name": "a"}]}}, [{"name": "a"}]),
        ({"inferenceConfig": {"flavors": [{"name": "a", "requests": {"g/a": 1}}]}}, [{"name": "a", "limits": {"g/a": 1}}]),
    ],
    ids=["limits", "config", "requests"],
)
def test_flavors_are_those_of_the_configuration(spec: dict[str, Any], after: list[Any]) -> None:
    assert _migrated("OpenModel", {"familyName": "f", **spec})[0]["inferenceConfig"] == {"flavors": after}


SHARED = {"limits": {"cpu": 4}}


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        ({"resources": SHARED}, [{"name": "default", "resources": SHARED}]),
        ({"resources": SHARED, "args": []}, [{"name": "default", "resources": SHARED}]),
        ({"resources": SHARED, "recommendedConfigs": [{"name": "a", "resources": {}}]}, [{"name": "a", "resources": {}}]),
        ({"args": [{"flags": ["-a"]}]}, [{"args": ["-a"], "name": "default"}]),
        (
            {"args": [{"name": "a"}, {"name": "b"}], "resources": SHARED},
            [{"name": "a", "resources": SHARED}, {"name": "b", "resources": SHARED}],
        ),
        (
            {"args": [{"name": "a"}], "scaleTriggers": [{"name": "t", "hpa": {"metrics": []}}]},
            [{"name": "a", "scaleTrigger": {"hpa": {"metrics": []}}}],
        ),
    ],
    ids=["alone", "no arguments", "its own", "no name", "two", "trigger"],
)
def test_what_was_said_for_all_belongs_to_each_configuration(spec: dict[str, Any], after: list[Any]) -> None:
    assert _migrated("BackendRuntime", {"image": "i", "version": "v", **spec})[0]["recommendedConfigs"] == after


def test_further_triggers_of_a_runtime_are_told() -> None:
    triggers = [{"name": "a", "hpa": {}}, {"name": "b", "hpa": {}}]
    assert "note spec.scaleTriggers" in _migrated("BackendRuntime", {"image": "i", "scaleTriggers": triggers})[1]


def test_a_named_trigger_and_an_autoscaler_of_a_service_are_dropped() -> None:
    spec = {"modelClaim": {"modelName": "m"}, "elasticConfig": {"maxReplicas": 2, "scaleTriggerRef": {"name": "t"}}}
    assert _migrated("Playground", spec)[1] == ["removed spec.elasticConfig.scaleTriggerRef"]
    service = {"workloadTemplate": {"size": 1}, "elasticConfig": {"maxReplicas": 2}}
    assert _migrated("Service", service) == (
        {"workloadTemplate": {"size": 1}},
        ["removed spec.elasticConfig", "left spec.workloadTemplate.workerTemplate"],
    )


def test_lint_names_the_new_place_of_each_old_field(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text("---\n".join(before for before, _ in PAIRS[1:]))
    findings = [one for each in json.loads(run("lint", str(path), "-o", "json").stdout)["results"] for one in each["findings"]]
    hints = {one["field"]: one["hint"] for one in findings if one["rule"] == "K8S-001"}
    assert hints["spec.multiModelsClaim"] == "it has moved: write spec.modelClaims"
    assert hints["spec.backendConfig"] == "it has moved: write spec.backendRuntimeConfig"
    assert hints["spec.workloadTemplate.leaderWorkerTemplate"] == "it is gone: write its fields in spec.workloadTemplate"
    assert hints["spec.workloadTemplate.replicas"] == "it has moved: write spec.replicas"
    assert hints["spec.commands"] == "it has moved: write spec.command"
    assert hints["spec.resources"] == "it has moved: write spec.recommendedConfigs[0].resources"
