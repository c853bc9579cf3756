"""Small parts of a service's prediction as a whole: why its pods are protected, why there is no objective, and what remains after a late
Model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.llmkube.service.predicting import KNOWN, a_model, a_service, condition, made, predict
from weighbridge.policies.families.llmkube.predictions.model.state import ModelState
from weighbridge.policies.families.llmkube.predictions.service.reconcile import is_later, with_cache_key
from weighbridge.policies.families.llmkube.settings import Operator
from weighbridge.policies.families.llmkube.subject.stored import as_stored
from weighbridge.policies.ground.objects import JSONObject

CRDS = ("apiextensions.k8s.io", "CustomResourceDefinition")
KEPT = "karpenter.sh/do-not-disrupt"
PYRRA: JSONObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.pyrra.dev"},
    "spec": {"group": "pyrra.dev", "names": {"kind": "Thing", "plural": "things"}, "scope": "Namespaced", "versions": []},
}
ASKED = ("InferenceService svc spec.disruption.protectAlways", "the service requests it")
STARTING = ("LLMKube v0.9.19", "Karpenter is to leave the pod alone until the service is ready")


@pytest.mark.parametrize(
    ("disruption", "phase", "told"),
    [
        ({}, "", STARTING),
        ({}, "Ready", None),
        ({"protectStartup": True}, "Progressing", STARTING),
        ({"protectStartup": False}, "", None),
        ({"protectAlways": False}, "Ready", None),
        ({"protectAlways": True}, "", ASKED),
        ({"protectAlways": True, "protectStartup": False}, "Ready", ASKED),
    ],
)
def test_pods_are_kept_for_the_reason_that_is_told(disruption: JSONObject, phase: str, told: tuple[str, str] | None) -> None:
    found = predict(a_service(disruption=disruption) | {"status": {"phase": phase}}, a_model())
    metadata = made(found, "Deployment")["spec"]["template"]["metadata"]
    assert metadata.get("annotations", {}).get(KEPT) == (None if told is None else "true")
    values = [each for each in found.values if each.field.endswith(f"annotations[{KEPT}]")]
    assert [(each.value, each.source, each.reason) for each in values] == ([] if told is None else [("true", *told)])


@pytest.mark.parametrize(
    ("spec", "enabled", "crds", "reason", "message"),
    [
        (
            {},
            False,
            [PYRRA],
            "IntegrationDisabled",
            "spec.slo is set but the Pyrra integration is disabled; enable it with pyrra.enabled=true (operator flag --enable-pyrra-slo)",
        ),
        ({}, True, [], "PyrraNotInstalled", "Pyrra ServiceLevelObjective CRD is not installed; see https://github.com/pyrra-dev/pyrra"),
        (
            {"runtime": "sglang"},
            True,
            [PYRRA],
            "IndicatorUnsupportedForRuntime",
            'indicator "latency" has no metric source on runtime "sglang" (see docs/observability/slo.md)',
        ),
    ],
)
def test_why_there_is_no_objective(spec: JSONObject, enabled: bool, crds: list[JSONObject], reason: str, message: str) -> None:
    slo = {"objective": "99", "window": "28d", "indicator": "latency", "latencyThreshold": "1"}
    found = predict(a_service(slo=slo, **spec), a_model(), *crds, operator=Operator(enable_pyrra_slo=enabled), known=(*KNOWN, CRDS))
    assert condition(found, "SLOReady") == ("False", reason, message)


def test_an_objective_of_latency_counts_what_is_quick_enough() -> None:
    slo = {"objective": "99", "window": "28d", "indicator": "latency", "latencyThreshold": "1"}
    service, operator = a_service(slo=slo, runtime="vllm"), Operator(enable_pyrra_slo=True)
    found = predict(service, a_model(), PYRRA, operator=operator, known=(*KNOWN, CRDS))
    objective = made(found, "ServiceLevelObjective")
    series = 'namespace="team-a",service="svc"'
    assert objective["metadata"]["name"] == "svc-latency"
    assert objective["spec"] == {
        "target": "99",
        "window": "28d",
        "indicator": {
            "latency": {
                "success": {"metric": f'vllm:e2e_request_latency_seconds_bucket{{{series},le="1"}}'},
                "total": {"metric": f"vllm:e2e_request_latency_seconds_count{{{series}}}"},
            }
        },
    }
    (told,) = (each for each in found.values if each.object.startswith("ServiceLevelObjective/"))
    assert (told.object, told.field, told.value, told.source, told.reason) == (
        "ServiceLevelObjective/svc-latency",
        "spec.target",
        "99",
        "InferenceService svc spec.slo",
        "the share of requests or of time that must be good within 28d",
    )


@pytest.mark.parametrize(
    ("model", "service", "phase", "is_late"),
    [(2, 1, "", True), (1, 1, "", False), (1, 2, "", False), (2, 1, "Failed", True), (2, 1, "Ready", False)],
)
def test_a_model_is_late_that_was_stored_after_a_service_that_never_was_ready(model: int, service: int, phase: str, is_late: bool) -> None:
    asked = a_service(minute=service) | {"status": {"phase": phase}}
    assert is_later(a_model(minute=model), asked) is is_late
    del asked["metadata"]["creationTimestamp"]
    assert not is_later(a_model(minute=model), asked)


@pytest.mark.parametrize(
    ("metadata", "namespace", "name"),
    [
        ({"name": "a", "namespace": "b"}, "b", "a"),
        ({"name": "a"}, "ns", "a"),
        ({"namespace": "b", "generateName": "a-"}, "b", "a-xxxxx"),
        ({"name": "a", "generateName": "c-"}, "ns", "a"),
        ({}, "ns", ""),
    ],
)
def test_a_manifest_is_read_as_the_server_stores_it(metadata: dict[str, Any], namespace: str, name: str) -> None:
    given = {"kind": "Model", "metadata": {"labels": {}, **metadata}}
    found = as_stored(given, "ns")
    assert found == {"kind": "Model", "metadata": {"labels": {}, **metadata, "namespace": namespace, "name": name}}


@pytest.mark.parametrize(
    ("status", "key", "expected"),
    [
        (None, "", None),
        (None, "k", {"cacheKey": "k"}),
        ({"phase": "Ready"}, "k", {"phase": "Ready", "cacheKey": "k"}),
        ({"cacheKey": "a"}, "k", {"cacheKey": "a"}),
    ],
)
def test_services_find_the_key_that_the_operator_wrote(status: JSONObject | None, key: str, expected: JSONObject | None) -> None:
    model = a_model() if status is None else a_model() | {"status": status}
    found = with_cache_key(model, ModelState("Ready", "", "", key))
    assert found == (a_model() if expected is None else a_model() | {"status": expected})


CLAIM = ("", "PersistentVolumeClaim")
OPEN = [kind for kind in KNOWN if kind != CLAIM]
DRAFTS: dict[str, Any] = {"speculativeDecoding": {"type": "draft", "draftModelRef": "d"}}
A_DRAFT = a_model("d", minute=0)


@pytest.mark.parametrize(
    ("service", "beside", "known", "failure", "unchecked"),
    [
        (a_service(**DRAFTS), [a_model(), A_DRAFT], KNOWN, "", []),
        (a_service(**DRAFTS), [a_model()], KNOWN, 'Draft model "d" not found', []),
        (a_service(**DRAFTS), [a_model()], [kind for kind in KNOWN if kind[1] != "Model"], "", ["draft Model d isn't known"]),
        (a_service(speculativeDecoding={"type": "ngram", "draftModelRef": "d"}), [a_model()], KNOWN, "", []),
        (
            a_service(),
            [a_model(source="pvc://c/a.gguf")],
            OPEN,
            "",
            ["the state of Model m depends on whether PersistentVolumeClaim c exists and is bound"],
        ),
        (
            a_service(**DRAFTS),
            [a_model(), a_model("d", source="pvc://c/a.gguf")],
            OPEN,
            "",
            ["the state of Model d depends on whether PersistentVolumeClaim c exists and is bound"],
        ),
        (
            a_service(**DRAFTS),
            [a_model(), a_model("d", source="pvc://c/a.gguf")],
            KNOWN,
            'Waiting for draft model "d" to be Ready: PVC "c" not found in namespace "team-a"',
            [],
        ),
        (
            a_service(),
            [a_model(source="pvc://c/a.gguf")],
            KNOWN,
            'Waiting for Model to be Ready: PVC "c" not found in namespace "team-a"',
            [],
        ),
    ],
)
def test_what_a_service_waits_for_and_what_is_not_known_of_it(
    service: JSONObject, beside: list[JSONObject], known: Sequence[tuple[str, str]], failure: str, unchecked: list[str]
) -> None:
    found = predict(service, *beside, known=known)
    assert found.failure == failure
    assert [each.reason for each in found.unchecked if "Model " in each.reason] == unchecked
    assert {each.subject for each in found.unchecked} <= {"what LLMKube does with it"}
