"""The objective and the route of a service are created if it asks for them and the add-on is installed, whatever the state of its pods
is.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.service.predicting import KNOWN, a_model, a_service, condition, made, predict, value
from weighbridge.policies.families.llmkube.settings import Operator
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject

CRDS = ("apiextensions.k8s.io", "CustomResourceDefinition")
SLO = {"objective": "99.5", "window": "28d", "indicator": "availability"}
LATENCY = {**SLO, "indicator": "latency", "latencyThreshold": "2.5"}
GATEWAY = {"enabled": True, "gatewayRef": {"name": "gw", "namespace": "edge"}}


def crd(group: str) -> JSONObject:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"things.{group}"},
        "spec": {"group": group, "names": {"kind": "Thing", "plural": "things"}, "scope": "Namespaced", "versions": []},
    }


PYRRA = crd("pyrra.dev")
ENVOY = crd("aigateway.envoyproxy.io")


def predicted(*beside: JSONObject, enabled: bool = True, **spec: Any) -> Prediction:
    return predict(a_service(**spec), *beside, operator=Operator(enable_pyrra_slo=enabled), known=(*KNOWN, CRDS))


def test_availability_is_observed_by_scraping() -> None:
    found = predicted(a_model(), PYRRA, slo=SLO)
    objective = made(found, "ServiceLevelObjective")
    assert objective["apiVersion"] == "pyrra.dev/v1alpha1"
    assert objective["metadata"] == {
        "name": "svc-availability",
        "namespace": "team-a",
        "labels": {"app.kubernetes.io/managed-by": "llmkube", "inference.llmkube.dev/inferenceservice": "svc"},
    }
    indicator = {"bool_gauge": {"metric": 'up{namespace="team-a",service="svc"}'}}
    assert objective["spec"] == {"target": "99.5", "window": "28d", "indicator": indicator}
    assert condition(found, "SLOReady") == ("True", "SLOCreated", 'Pyrra ServiceLevelObjective "svc-availability" reconciled')
    assert condition(found, "SLODataSourceAvailable") == ("True", "InClusterRuntime", "serving pods are scraped by cluster Prometheus")
    assert value(found, "spec.target").source == "InferenceService svc spec.slo"


def test_latency_is_observed_by_vllms_histogram() -> None:
    found = predicted(a_model(), PYRRA, runtime="vllm", slo={**LATENCY, "name": "fast"})
    objective = made(found, "ServiceLevelObjective")
    assert objective["metadata"]["name"] == "fast"
    metric, series = "vllm:e2e_request_latency_seconds", 'namespace="team-a",service="svc"'
    assert objective["spec"]["indicator"] == {
        "latency": {"success": {"metric": f'{metric}_bucket{{{series},le="2.5"}}'}, "total": {"metric": f"{metric}_count{{{series}}}"}}
    }


@pytest.mark.parametrize(
    ("beside", "enabled", "spec", "reason"),
    [
        ([PYRRA], False, {"slo": SLO}, "IntegrationDisabled"),
        ([], False, {"slo": SLO}, "IntegrationDisabled"),
        ([], True, {"slo": SLO}, "PyrraNotInstalled"),
        ([PYRRA], True, {"slo": LATENCY, "runtime": "sglang"}, "IndicatorUnsupportedForRuntime"),
        ([PYRRA], True, {"slo": {**SLO, "indicator": "errors"}, "runtime": "vllm"}, "IndicatorUnsupportedForRuntime"),
    ],
)
def test_no_objective_is_made_where_nothing_would_feed_it(beside: list[JSONObject], enabled: bool, spec: JSONObject, reason: str) -> None:
    found = predicted(a_model(), *beside, enabled=enabled, **spec)
    assert not [obj for obj in found.objects if obj["kind"] == "ServiceLevelObjective"]
    told = condition(found, "SLOReady")
    assert told is not None
    assert told[:2] == ("False", reason)
    assert condition(found, "SLODataSourceAvailable") is None


def test_an_objective_on_metal_is_made_without_data() -> None:
    found = predicted(a_model(hardware={"accelerator": "metal"}), PYRRA, slo=SLO)
    assert made(found, "ServiceLevelObjective")
    told = condition(found, "SLODataSourceAvailable")
    assert told is not None
    assert told[:2] == ("False", "OffClusterRuntime")


@pytest.mark.parametrize("beside", [[a_model()], []], ids=["its Model is there", "its Model is not there"])
def test_a_service_is_exposed_whatever_becomes_of_its_pods(beside: list[JSONObject]) -> None:
    found = predicted(*beside, ENVOY, endpoint={"port": 9000, "gateway": GATEWAY})
    backend = made(found, "Backend")
    assert backend["apiVersion"] == "gateway.envoyproxy.io/v1alpha1"
    assert backend["spec"] == {"endpoints": [{"fqdn": {"hostname": "svc.team-a.svc.cluster.local", "port": 9000}}]}
    assert made(found, "AIServiceBackend")["spec"] == {
        "schema": {"name": "OpenAI"},
        "backendRef": {"name": "svc", "kind": "Backend", "group": "gateway.envoyproxy.io"},
    }
    route = made(found, "AIGatewayRoute")
    assert route["metadata"] == {"name": "svc", "namespace": "team-a"}
    assert route["spec"] == {
        "parentRefs": [{"name": "gw", "kind": "Gateway", "group": "gateway.networking.k8s.io", "namespace": "edge"}],
        "rules": [
            {
                "matches": [{"headers": [{"type": "Exact", "name": "x-ai-eg-model", "value": "m"}]}],
                "backendRefs": [{"name": "svc"}],
            }
        ],
    }
    assert found.status["gateway"] == {"routeReady": True, "modelName": "m"}
    assert condition(found, "GatewayReady") == ("True", "Exposed", 'model "m" exposed via gateway gw')


@pytest.mark.parametrize(
    ("gateway", "spec", "name", "source"),
    [
        ({"modelName": "chat"}, {}, "chat", "InferenceService a.b spec.endpoint.gateway.modelName"),
        ({}, {}, "m", "InferenceService a.b spec.modelRef"),
        ({}, {"modelRef": ""}, "a.b", "InferenceService a.b metadata.name"),
    ],
)
def test_a_route_goes_by_the_models_name(gateway: JSONObject, spec: JSONObject, name: str, source: str) -> None:
    asked = a_service("a.b", endpoint={"gateway": {"enabled": True, "gatewayRef": {"name": "gw"}, **gateway}}, **spec)
    found = predict(asked, a_model(), ENVOY, known=(*KNOWN, CRDS))
    assert made(found, "AIGatewayRoute")["metadata"]["name"] == "a-b"
    assert "namespace" not in made(found, "AIGatewayRoute")["spec"]["parentRefs"][0]
    told = value(found, "headers[0].value")
    assert (told.value, told.source) == (name, source)


@pytest.mark.parametrize("enabled", [True, False])
def test_without_the_gateways_crds_a_service_that_asks_for_it_is_told_so(enabled: bool) -> None:
    found = predicted(a_model(), endpoint={"gateway": {**GATEWAY, "enabled": enabled}})
    assert (condition(found, "GatewayReady") is not None) is enabled
    assert ("gateway" in found.status) is enabled
    assert not [obj for obj in found.objects if obj["kind"] == "AIGatewayRoute"]


def test_of_add_ons_that_may_be_installed_nothing_is_predicted() -> None:
    asked = a_service(slo=SLO, endpoint={"gateway": GATEWAY})
    found = predict(asked, a_model(), operator=Operator(enable_pyrra_slo=True), known=KNOWN)
    assert (condition(found, "SLOReady"), condition(found, "GatewayReady"), "gateway" in found.status) == (None, None, False)
    told = [(entry.subject, entry.reason) for entry in found.unchecked if entry.subject in {"SLOReady", "GatewayReady"}]
    assert told == [(name, "not all CustomResourceDefinitions of the cluster are known") for name in ("GatewayReady", "SLOReady")]


def owned(kind: str, name: str, spec: JSONObject) -> JSONObject:
    """An object of the namespace that was stored before the service."""
    metadata = {"name": name, "namespace": "team-a", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def test_a_route_of_another_owner_stays_its_own() -> None:
    router = {"dataPlane": "Gateway", "gatewayRef": {"name": "gw"}, "backends": [{"name": "svc"}]}
    found = predicted(a_model(), ENVOY, owned("ModelRouter", "r", router), endpoint={"gateway": GATEWAY})
    assert not [obj for obj in found.objects if obj["kind"] in ("Backend", "AIServiceBackend", "AIGatewayRoute")]
    told = "Backend: Object team-a/svc is already owned by another ModelRouter controller r"
    assert condition(found, "GatewayReady") == ("False", "ReconcileFailed", told)
    assert found.status["gateway"] == {}


def test_a_router_with_the_services_name_has_its_route() -> None:
    router = {"dataPlane": "Gateway", "gatewayRef": {"name": "gw"}, "backends": [{"name": "other"}]}
    found = predicted(a_model(), ENVOY, owned("ModelRouter", "svc", router), endpoint={"gateway": GATEWAY})
    assert [obj["kind"] for obj in found.objects if "envoyproxy" in obj["apiVersion"]] == ["Backend", "AIServiceBackend"]
    told = "AIGatewayRoute: Object team-a/svc is already owned by another ModelRouter controller svc"
    assert condition(found, "GatewayReady") == ("False", "ReconcileFailed", told)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Fast_1", 'ServiceLevelObjective.pyrra.dev "Fast_1" is invalid: metadata.name: Invalid value: "Fast_1": a lowercase RFC 1123'),
        ("fast", "Object team-a/fast is already owned by another InferenceService controller other"),
    ],
)
def test_an_objective_that_cannot_be_made(name: str, said: str) -> None:
    other = owned("InferenceService", "other", {"modelRef": "m", "slo": {**SLO, "name": "fast"}})
    found = predicted(a_model(), PYRRA, other, slo={**SLO, "name": name})
    assert not [obj for obj in found.objects if obj["kind"] == "ServiceLevelObjective"]
    told = condition(found, "SLOReady")
    assert told is not None
    assert told[:2] == ("False", "ReconcileFailed")
    assert told[2].startswith(said)
