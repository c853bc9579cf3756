"""The rules of LLMKube's and the inference extension's CRDs: objects that keep and that break each rule, with the message that a user
reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cel.rules.crds import crd_versions, nodes_with_rules, rules_of
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.schema.node import Schema

_MODEL = "llmkube/crds/inference.llmkube.dev_models.yaml"
_SERVICE = "llmkube/crds/inference.llmkube.dev_inferenceservices.yaml"
_QUOTA = "llmkube/crds/inference.llmkube.dev_gpuquotas.yaml"
_INFERENCE_MODEL = "gie/crds/inference.networking.x-k8s.io_inferencemodels.yaml"
_POOL = "gie/crds-newest/inference.networking.k8s.io_inferencepools.yaml"

_CLAIMS = "each claim must have exactly one of resourceClaimName or resourceClaimTemplateName"
_EXCLUSIVE = "resourceClaims and resourceName are mutually exclusive: use one or the other for GPU scheduling"
_DRAFT_NEEDED = (
    "this speculative decoding type needs draft weights: set draftModelRef to a Model in the same namespace, "
    "or draftModel to a file in Model.files"
)
_DRAFT_UNUSED = (
    "draft weights (draftModelRef or draftModel) are only valid for the draft-model types "
    "(draft-simple, draft-eagle3, draft-dflash, draft-dspark, draft-mtp); the ngram types need no draft weights"
)
_DRAFT_TWICE = "set only one of draftModelRef (a separate Model CR) and draftModel (a file in Model.files), not both"
_CACHE = "claimName cannot be set when persistence is Ephemeral: one names a cache volume to use, the other declines to use any"
_PROFILE_NEEDED = "profile is required when mode is partitioned"
_PROFILE_UNUSED = "profile is only valid when mode is partitioned"
_MEMORY_UNUSED = "memoryLimitGiB is only valid when mode is shared"
_LATENCY = "latencyThreshold is required when indicator is latency"
_OBJECTIVE = "objective must be a number between 50 and 99.999"
_SELECTOR = "exactly one of selector or namespaceRef must be set"
_WEIGHTS = "Weights should be set for all models, or none of the models."
_PORT = "port is required when kind is 'Service' or unspecified (defaults to 'Service')"
_UNIQUE = "port number must be unique"

_GPU = "spec.hardware.gpu"
_SHARING = "spec.resources.gpuSharing"
_DECODING = "spec.speculativeDecoding"


def _gpu(**gpu: Any) -> dict[str, Any]:
    return {"hardware": {"gpu": gpu}}


def _sharing(**sharing: Any) -> dict[str, Any]:
    return {"resources": {"gpuSharing": sharing}}


def _decoding(**decoding: Any) -> dict[str, Any]:
    return {"speculativeDecoding": decoding}


#: File, spec, and its error; an empty string if there is none.
_CASES: list[tuple[str, dict[str, Any], str]] = [
    (_MODEL, _gpu(resourceName="nvidia.com/gpu", resourceClaims=[]), ""),
    (_MODEL, _gpu(resourceClaims=[{"resourceClaimName": "a"}, {"resourceClaimTemplateName": "b"}]), ""),
    (_MODEL, _gpu(resourceName="nvidia.com/gpu", resourceClaims=[{"resourceClaimName": "a"}]), f"{_GPU}: {_EXCLUSIVE}"),
    (_MODEL, _gpu(resourceClaims=[{"resourceClaimName": "a", "resourceClaimTemplateName": "b"}]), f"{_GPU}.resourceClaims: {_CLAIMS}"),
    (_MODEL, _gpu(resourceClaims=[{"name": "neither"}]), f"{_GPU}.resourceClaims: {_CLAIMS}"),
    (_SERVICE, {"modelCache": {"persistence": "Ephemeral"}}, ""),
    (_SERVICE, {"modelCache": {"persistence": "Persistent", "claimName": "c"}}, ""),
    (_SERVICE, {"modelCache": {"persistence": "Ephemeral", "claimName": "c"}}, f"spec.modelCache: {_CACHE}"),
    (_SERVICE, _sharing(mode="partitioned", profile="1g.5gb"), ""),
    (_SERVICE, _sharing(mode="shared", memoryLimitGiB=4), ""),
    (_SERVICE, _sharing(mode="partitioned"), f"{_SHARING}: {_PROFILE_NEEDED}"),
    (_SERVICE, _sharing(mode="partitioned", profile=""), f"{_SHARING}: {_PROFILE_NEEDED}"),
    (_SERVICE, _sharing(mode="shared", profile="1g.5gb"), f"{_SHARING}: {_PROFILE_UNUSED}"),
    (_SERVICE, _sharing(profile="1g.5gb"), f"{_SHARING}: {_PROFILE_UNUSED}"),
    (_SERVICE, _sharing(mode="exclusive", memoryLimitGiB=4), f"{_SHARING}: {_MEMORY_UNUSED}"),
    (_SERVICE, {"slo": {"indicator": "latency", "latencyThreshold": "2s", "objective": "99.9"}}, ""),
    (_SERVICE, {"slo": {"indicator": "availability", "objective": "50"}}, ""),
    (_SERVICE, {"slo": {"indicator": "latency", "objective": "99"}}, f"spec.slo: {_LATENCY}"),
    (_SERVICE, {"slo": {"indicator": "availability", "objective": "49.9"}}, f"spec.slo.objective: {_OBJECTIVE}"),
    (_SERVICE, {"slo": {"indicator": "availability", "objective": "99.9999"}}, f"spec.slo.objective: {_OBJECTIVE}"),
    (_SERVICE, _decoding(type="draft-simple", draftModelRef="small"), ""),
    (_SERVICE, _decoding(type="draft-mtp"), ""),
    (_SERVICE, _decoding(type="ngram-simple"), ""),
    (_SERVICE, _decoding(type="draft-simple", draftModelRef=""), f"{_DECODING}: {_DRAFT_NEEDED}"),
    (_SERVICE, _decoding(type="ngram-simple", draftModel="a.gguf"), f"{_DECODING}: {_DRAFT_UNUSED}"),
    (_SERVICE, _decoding(type="draft", draftModel="a.gguf", draftModelRef="small"), f"{_DECODING}: {_DRAFT_TWICE}"),
    (_QUOTA, {"selector": {}}, ""),
    (_QUOTA, {"namespaceRef": "team-a"}, ""),
    (_QUOTA, {}, f"spec: {_SELECTOR}"),
    (_QUOTA, {"selector": {}, "namespaceRef": "team-a"}, f"spec: {_SELECTOR}"),
    (_INFERENCE_MODEL, {"targetModels": [{"name": "a", "weight": 1}, {"name": "b", "weight": 0}]}, ""),
    (_INFERENCE_MODEL, {"targetModels": [{"name": "a"}, {"name": "b"}]}, ""),
    (_INFERENCE_MODEL, {"targetModels": [{"name": "a", "weight": 1}, {"name": "b"}]}, f"spec.targetModels: {_WEIGHTS}"),
    (_POOL, {"endpointPickerRef": {"kind": "Service", "port": {"number": 1}}, "targetPorts": [{"number": 1}, {"number": 2}]}, ""),
    (_POOL, {"endpointPickerRef": {"kind": "Other"}}, ""),
    (_POOL, {"endpointPickerRef": {"kind": "Service"}}, f"spec.endpointPickerRef: {_PORT}"),
    (_POOL, {"targetPorts": [{"number": 8000}, {"number": 8000}]}, f"spec.targetPorts: {_UNIQUE}"),
]


def _said(rules: CompiledRules, spec: dict[str, Any], **old: Any) -> list[str]:
    result = rules.validate({"spec": spec}, **({"has_old": False} | old))
    return [f"{error.field}: {error.detail}" for error in result.errors]


@pytest.mark.parametrize(("file", "spec", "text"), _CASES)
def test_a_rule_says_what_its_author_wrote(shared: Path, file: str, spec: dict[str, Any], text: str) -> None:
    assert _said(rules_of(shared, file), spec) == ([text] if text else [])


def test_every_rule_of_these_kinds_is_broken_by_a_case(shared: Path) -> None:
    files = {file for file, _, _ in _CASES}
    broken = {text.split(": ", 1)[1] for _, _, text in _CASES if text} | {"modelName is immutable"}
    messages = {rule.rule.message for file in files for node in nodes_with_rules(rules_of(shared, file).tree) for rule in node.rules}
    assert broken == messages


def test_a_model_name_stays_what_it_was(shared: Path) -> None:
    rules = rules_of(shared, _INFERENCE_MODEL)
    assert _said(rules, {"modelName": "a"}) == []
    assert _said(rules, {"modelName": "a"}, old={"spec": {"modelName": "a"}}, has_old=True) == []
    assert _said(rules, {"modelName": "b"}, old={"spec": {}}, has_old=True) == []
    assert _said(rules, {"modelName": "b"}, old={"spec": {"modelName": "a"}}, has_old=True) == ["spec.modelName: modelName is immutable"]


def test_what_was_wrong_before_and_has_not_changed_is_a_warning(shared: Path) -> None:
    broken = {"spec": {"selector": {}, "namespaceRef": "a"}}
    result = rules_of(shared, _QUOTA).validate(broken, broken, has_old=True)
    assert [error.detail for error in result.warnings] == [_SELECTOR]
    assert result.errors == []


def test_every_rule_of_the_corpus_compiles(shared: Path) -> None:
    versions = crd_versions(shared / "corpus")
    count = 0
    for (file, version), schema in versions.items():
        for node in nodes_with_rules(CompiledRules(Schema(schema), f"{file} {version}").tree):
            assert not node.is_unreadable, node.name
            for rule in node.rules:
                count += 1
                assert (rule.error, rule.message_error) == ("", ""), f"{node.name}: {rule.rule.rule}"
                assert rule.program is not None
    assert len(versions) == 57
    assert count == 74
