"""The checks of a CRD that the webhook makes: those that the installed CRD lacks, all of them, or none."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.facts import bundled_definitions, definitions_among

GROUP = "inference.llmkube.dev"
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
BOTH = "resourceClaims and resourceName are mutually exclusive: use one or the other for GPU scheduling"
CLAIMS = [{"name": "c", "resourceClaimName": "claim"}]


def crd(kind: str = "Model", version: str = "v0.9.19") -> Any:
    """The CRD of a kind in a release."""
    found = bundled_crds(parse({"llmkube": {"version": version}}))
    return copy.deepcopy(
        next(crd for crd in found if crd["spec"]["group"].endswith(".llmkube.dev") and crd["spec"]["names"]["kind"] == kind)
    )


def field_of(found: Any, path: str) -> Any:
    """The schema of a field of the spec."""
    node = found["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    for name in filter(None, path.split(".")):
        node = node["properties"][name]
    return node


def opened(found: Any, path: str) -> Any:
    """The CRD without the schema of a field."""
    node = field_of(found, path)
    node.clear()
    node.update(OPEN)
    return found


def without_rules(found: Any, path: str) -> Any:
    """The CRD without the rules of a field."""
    del field_of(found, path)["x-kubernetes-validations"]
    return found


def model(**gpu: Any) -> JSONObject:
    """A Model as a server without rules stores it, with a GPU by a claim and by a resource at once."""
    hardware = {"gpu": {"enabled": True, "resourceName": "nvidia.com/gpu", "resourceClaims": CLAIMS, **gpu}}
    spec = {"source": "https://example.com/m.gguf", "format": "gguf", "refreshPolicy": "IfNotPresent", "hardware": hardware}
    metadata = {"name": "m", "namespace": "d", "generation": 1}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Model", "metadata": metadata, "spec": spec}


def service(**spec: Any) -> JSONObject:
    """An InferenceService."""
    metadata = {"name": "s", "namespace": "d", "generation": 1}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "InferenceService", "metadata": metadata, "spec": {"modelRef": "m", **spec}}


def configured(crd_rules: Any = "missing", **llmkube: Any) -> Configuration:
    """A configuration."""
    return parse({"crdRules": crd_rules, "llmkube": llmkube})


def deployment(tag: str) -> JSONObject:
    """The operator in the cluster."""
    containers = [{"name": "manager", "image": f"ghcr.io/defilantech/llmkube-controller:{tag}"}]
    metadata = {"name": "llmkube", "namespace": "llmkube-system"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": {"spec": {"containers": containers}}}}


def judged(
    obj: JSONObject,
    installed: Any = None,
    old: JSONObject | None = None,
    config: Configuration | None = None,
    phase: Phase = Phase.VALIDATE,
    beside: tuple[JSONObject, ...] = (),
) -> Decision:
    """The webhook's verdict if this CRD is installed, or if none is known. The operator is v0.9.19 unless `beside` has another one."""
    config = config or (configured() if beside else configured(version="v0.9.19"))
    definitions = bundled_definitions(config) if installed is None else definitions_among([installed], config)
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("u", operation, gvk, obj, old_object=old, namespace="d", name=name_of(obj))
    facts: Facts = from_objects(beside, definitions)
    return decide(request, facts, config, phase)


def said(decision: Decision) -> list[str]:
    """The findings of the CRD's checks."""
    return [str(finding) for finding in decision.findings if finding.rule == "K8S-003"]


@pytest.mark.parametrize("phase", [Phase.VALIDATE, Phase.WHOLE])
def test_a_lost_rule_refuses_in_the_servers_words(phase: Phase) -> None:
    decision = judged(model(), without_rules(crd(), "hardware.gpu"), phase=phase)
    assert (decision.allowed, decision.code) == (False, 422)
    told = f'Model.{GROUP} "m" is invalid: spec.hardware.gpu: Invalid value: {BOTH}'
    denied = 'admission webhook "validate.llmkube.weighbridge.dev" denied the request: '
    # The API server adds the name of the webhook to its answer.
    assert decision.message == (told if phase is Phase.VALIDATE else denied + told)
    assert decision.causes == [{"reason": "FieldValueInvalid", "message": f"Invalid value: {BOTH}", "field": "spec.hardware.gpu"}]
    assert decision.findings[0].hint == "the installed CRD lacks this check; install the CRD of v0.9.19"


def test_the_whole_crd_is_left_to_the_server() -> None:
    decision = judged(model(), crd())
    assert said(decision) == []
    assert decision.allowed is (not [finding for finding in decision.findings if finding.severity == "error"])
    assert judged(model(), crd(), phase=Phase.WHOLE).crd is None


def test_without_an_installed_crd_the_one_that_ships_is_checked() -> None:
    assert said(judged(model())) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]
    assert said(judged(model(vendor="nvidea")))[0].startswith('spec.hardware.gpu.vendor: Unsupported value: "nvidea"')
    assert said(judged(model(), config=configured("never"))) == []


def test_always_checks_what_the_server_has_checked() -> None:
    assert said(judged(model(), crd(), config=configured("always"))) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]
    assert said(judged(model(), crd(), config=configured({"*": "never", GROUP: "always"}))) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]


@pytest.mark.parametrize("setting", ["never", {"*": "never"}, {GROUP: "never", "*": "always"}])
def test_never_checks_nothing(setting: Any) -> None:
    decision = judged(model(), without_rules(crd(), "hardware.gpu"), config=configured(setting))
    assert said(decision) == []


def test_a_group_that_is_not_named_keeps_the_default() -> None:
    config = configured({"federation.llmkube.dev": "never"}, version="v0.9.19")
    assert said(judged(model(), without_rules(crd(), "hardware.gpu"), config=config)) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]


def test_what_an_update_leaves_as_it_was_only_warns() -> None:
    installed = without_rules(crd(), "hardware.gpu")
    old, new = model(), model()
    new["spec"]["quantization"] = "Q4_K_M"
    decision = judged(new, installed, old)
    assert said(decision) == []
    assert f"spec.hardware.gpu: Invalid value: {BOTH}" in decision.warnings
    mended = model(resourceClaims=[])
    assert said(judged(mended, installed, old)) == []
    assert said(judged(old, installed, mended)) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]


def test_an_error_of_the_whole_object_that_was_there_before_only_warns() -> None:
    # The server always refuses an object that lacks a field at its root, even if nothing has changed.
    installed = crd()
    root = installed["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    root["required"] = ["spec"]
    bundled_root = crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert "required" not in bundled_root or bundled_root["required"] == ["spec"]
    opened(installed, "hardware")
    del field_of(installed, "")["required"]
    old = model(resourceClaims=[])
    del old["spec"]["source"]
    new = copy.deepcopy(old)
    new["spec"]["quantization"] = "Q4_K_M"
    decision = judged(new, installed, old)
    assert said(decision) == []
    assert "spec.source: Required value" in decision.warnings
    assert said(judged(new, installed)) == ["spec.source: Required value"]


def test_what_is_deleted_is_let_go_and_loses_no_check() -> None:
    installed = without_rules(crd(), "hardware.gpu")
    going = {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/hold"]}
    old = model()
    old["metadata"] |= going
    new = copy.deepcopy(old)
    new["metadata"]["finalizers"] = []
    decision = judged(new, installed, old)
    assert (decision.allowed, decision.findings, decision.warnings) == (True, (), ())
    new["spec"]["hardware"]["gpu"]["layers"] = 10
    assert said(judged(new, installed, old)) == [], "it was there before"
    right = model(resourceClaims=[])
    right["metadata"] |= going
    assert said(judged(new, installed, right)) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]


def test_a_field_that_only_the_installed_crd_knows_is_let_be() -> None:
    installed = without_rules(crd(), "hardware.gpu")
    field_of(installed, "")["properties"]["cameLater"] = {"type": "string"}
    obj = model(resourceClaims=[])
    obj["spec"]["cameLater"] = "x"
    assert said(judged(obj, installed)) == []


def test_a_value_that_a_newer_crd_has_added_is_let_be() -> None:
    installed = crd()
    field_of(installed, "")["properties"]["cameLater"] = {"type": "string"}
    field_of(installed, "format")["enum"].append("awq")
    obj = model(resourceClaims=[])
    obj["spec"]["format"] = "awq"
    assert said(judged(obj, installed)) == []


def test_what_the_installed_crds_tell_of_the_version_proves_nothing_of_one_rule() -> None:
    # A release after v0.9.19 has the same fields, and may have dropped the rule.
    assert said(judged(model(), without_rules(crd(), "hardware.gpu"), config=configured())) == []
    stripped = without_rules(without_rules(crd(), "hardware.gpu"), "hardware.gpu.resourceClaims")
    assert said(judged(model(), stripped, config=configured())) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]


def test_defaults_and_nulls_mean_what_they_mean_to_the_whole_crd() -> None:
    installed = opened(crd("InferenceService"), "slo")
    slo = {"objective": "99.9", "indicator": "latency"}
    assert said(judged(service(slo=slo), installed)) == ["spec.slo: Invalid value: latencyThreshold is required when indicator is latency"]
    slo["latencyThreshold"] = None  # type: ignore[assignment]
    assert said(judged(service(slo=slo), installed)) == ["spec.slo: Invalid value: latencyThreshold is required when indicator is latency"]
    assert said(judged(service(slo={"objective": "99.9"}), installed)) == [], "the indicator has a default"


def test_a_rule_waits_for_the_field_that_it_reads() -> None:
    # v0.9.18 brought draftModelRef and a rule that requires it; with the older CRD the field can't be written.
    spec = {"speculativeDecoding": {"type": "draft"}}
    config = configured(version="v0.9.19")
    assert said(judged(service(**spec), crd("InferenceService", "v0.9.5"), config=config)) == []
    assert len(said(judged(service(**spec), opened(crd("InferenceService"), "speculativeDecoding"), config=config))) == 1


def test_between_two_releases_holds_what_both_demand() -> None:
    installed = without_rules(crd(), "hardware.gpu")
    enum = {"quantization": "mxfp4"}
    between = (deployment("v0.9.10"),)
    decision = judged(model(), installed, beside=between)
    assert said(decision) == [f"spec.hardware.gpu: Invalid value: {BOTH}"]
    assert decision.findings[0].hint == "the installed CRD lacks this check; install the CRD of v0.9.10"
    stripped = opened(crd("InferenceService"), "vllmConfig")
    assert said(judged(service(vllmConfig=enum), stripped, beside=between)) == [], "v0.9.19 takes what v0.9.5 doesn't"
    wrong = judged(service(vllmConfig={"maxNumBatchedTokens": 1}), stripped, beside=between)
    assert said(wrong)[0].startswith("spec.vllmConfig.maxNumBatchedTokens: Invalid value: 1:")


@pytest.mark.parametrize("tag", ["v0.8.20", "v0.10.0"])
def test_of_a_release_that_does_not_ship_only_what_is_gone_as_a_whole_counts(tag: str) -> None:
    installed = crd()
    field_of(installed, "format")["enum"].append("awq")
    obj = model(resourceClaims=[])
    obj["spec"]["format"] = "awq"
    assert said(judged(obj, installed, beside=(deployment(tag),))) == []
    assert said(judged(obj, installed, beside=(deployment("v0.9.19"),))) == [], "the installed CRD is of another release"
    assert len(said(judged(obj, opened(crd(), "hardware"), beside=(deployment(tag),)))) == 0
    assert said(judged(model(), without_rules(crd(), "hardware.gpu"), beside=(deployment(tag),))) == []
    stripped = without_rules(without_rules(crd(), "hardware.gpu"), "hardware.gpu.resourceClaims")
    is_older = tag == "v0.8.20"
    told = [] if is_older else [f"spec.hardware.gpu: Invalid value: {BOTH}"]
    assert said(judged(model(), stripped, beside=(deployment(tag),))) == told, "a CRD with more fields is that of another release"


def test_a_scale_is_held_to_the_lost_bounds() -> None:
    installed = crd("InferenceService")
    del field_of(installed, "replicas")["minimum"]
    stored = service(replicas=1)
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "s", "namespace": "d"}, "spec": {"replicas": -1}}
    gvk = GroupVersionKind("autoscaling", "v1", "Scale")
    resource = GroupVersionResource(GROUP, "v1alpha1", "inferenceservices")
    request = Request("u", Operation.UPDATE, gvk, scale, old_object=scale, resource=resource, subresource="scale", namespace="d", name="s")
    config = configured(version="v0.9.19")
    decision = decide(request, from_objects([stored], definitions_among([installed])), config, Phase.VALIDATE)
    assert said(decision) == ["spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0"]


def test_the_verdict_says_what_the_installed_crd_lacks() -> None:
    decision = judged(model(resourceClaims=[]), without_rules(crd(), "hardware.gpu"), phase=Phase.WHOLE)
    rule = "!(has(self.resourceName) && has(self.resourceClaims) && self.resourceClaims.size() > 0)"
    lacks = [{"field": "spec.hardware.gpu", "keyword": "x-kubernetes-validations", "rule": rule}]
    assert decision.crd == {"kind": "Model", "release": "v0.9.19", "count": 1, "lacks": lacks, "unknownFields": []}


def test_the_verdict_names_the_fields_that_the_installed_crd_does_not_know() -> None:
    installed = without_rules(crd(), "hardware.gpu")
    del field_of(installed, "")["properties"]["quantization"]
    decision = judged(model(resourceClaims=[]), installed, phase=Phase.WHOLE)
    assert decision.crd is not None
    assert decision.crd["unknownFields"] == ["spec.quantization"]
