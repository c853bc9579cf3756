"""Predictions for pools and routers beyond the recorded cases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.settings import Operator as OperatorSettings
from weighbridge.policies.families.llmkube.subject.pool_members import slot_owner
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

GROUP = "inference.llmkube.dev"
DEFINITIONS = bundled_definitions()
CRDS = (("apiextensions.k8s.io", "CustomResourceDefinition"),)
GATEWAY_CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "aigatewayroutes.aigateway.envoyproxy.io"},
    "spec": {"group": "aigateway.envoyproxy.io"},
}
TOO_LARGE = 'strconv.ParseInt: parsing "99999999999": value out of range'
LISTED = ("Model", "InferenceService", "ModelPool")


def named(kind: str, name: str, spec: JSONObject, status: JSONObject | None = None) -> JSONObject:
    found = {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": {"name": name, "namespace": "n", "uid": name}, "spec": spec}
    return found if status is None else {**found, "status": status}


def pool(*members: str, status: JSONObject | None = None, **spec: Any) -> JSONObject:
    listed = [{"inferenceServiceRef": {"name": name}} for name in members]
    return named("ModelPool", "p", {"members": listed, **spec}, status)


def service(name: str, replicas: int = 1, phase: str = "") -> JSONObject:
    return named("InferenceService", name, {"modelRef": "m", "replicas": replicas}, {"phase": phase} if phase else None)


def predicted(
    obj: JSONObject, *beside: JSONObject, config: Configuration = DEFAULT, secrets: bool = False, listed: tuple[tuple[str, str], ...] = ()
) -> Prediction:
    store = ObjectStore([*beside, named("Model", "m", {"source": "https://models.example.com/m.gguf"})])
    store.complete(besides=[(GROUP, kind) for kind in LISTED] + ([("", "Secret")] if secrets else []) + list(listed))
    gvk = GroupVersionKind(GROUP, "v1alpha1", obj["kind"])
    request = Request("", Operation.CREATE, gvk, obj, namespace="n", name=obj["metadata"]["name"])
    effective = FAMILY.predict[gvk.kind](request, Facts(DEFINITIONS, store), config)
    assert effective is not None
    return effective


@pytest.mark.parametrize(
    ("spec", "status", "replicas", "owner"),
    [
        ({}, {}, {"a": 1, "b": 1}, "a"),
        ({"default": "b"}, {}, {"a": 1, "b": 1}, "b"),
        ({"default": "b"}, {}, {"a": 1, "b": 0}, "a"),
        ({"default": "b"}, {}, {"a": 0, "b": 0}, "b"),
        ({"default": "c"}, {}, {"a": 0, "b": 0}, ""),
        ({}, {}, {"a": 0, "b": 0}, ""),
        ({}, {"pendingMember": "b"}, {"a": 1, "b": 0}, "b"),
        ({}, {"residentMember": "a"}, {"a": 1, "b": 0}, "a"),
        ({}, {"residentMember": "a"}, {"a": 1, "b": 1}, "b"),
        ({}, {"residentMember": "a", "pendingMember": "b"}, {"a": 1, "b": 0}, "b"),
    ],
)
def test_the_owner_of_a_pools_slot(spec: Any, status: Any, replicas: dict[str, int], owner: str) -> None:
    members = {name: service(name, wanted) for name, wanted in replicas.items()}
    assert slot_owner(pool("a", "b", status=status, **spec), members) == owner


def test_a_pool_without_one_of_its_members_stands_still() -> None:
    effective = predicted(pool("a", "gone", "away"), service("a", 0))
    assert effective.status["phase"] == "Degraded"
    assert effective.failure == "Member InferenceServices not found: [away gone]"
    assert effective.status["members"] == [{"name": "a", "phase": "Stopped"}, {"name": "gone"}, {"name": "away"}]


def test_a_pool_gives_its_slot_to_one_and_takes_it_from_the_others() -> None:
    effective = predicted(pool("a", "b"), service("a"), service("b"))
    assert effective.status["members"] == [{"name": "a", "phase": "Creating"}, {"name": "b", "phase": "Stopped"}]
    assert effective.status["pendingMember"] == "a"


def test_a_pool_whose_owner_serves_is_ready() -> None:
    effective = predicted(pool("a", "b"), service("a", 1, "Ready"), service("b", 0, "Stopped"))
    assert (effective.status["phase"], effective.status["residentMember"]) == ("Ready", "a")
    assert effective.status["members"][0] == {"name": "a", "phase": "Ready", "resident": True}


def test_a_pool_tells_whose_replicas_it_changes() -> None:
    effective = predicted(pool("a", "b", "c"), service("a"), service("b"), service("c", 0))
    told = [(value.object, value.field, value.value, value.source) for value in effective.values]
    assert told == [("InferenceService/b", "spec.replicas", 0, "ModelPool p")]


@pytest.mark.parametrize(
    ("asked", "beside", "replicas", "source"),
    [
        (1, [pool("a", "b"), service("b", 0)], 1, "ModelPool p"),
        # The first of two that are scaled up has the slot.
        (1, [pool("b", "a"), service("b", 1)], 0, "ModelPool p"),
        # The resident is replaced by a member that is scaled up, and is scaled up again if it was scaled down.
        (1, [pool("b", "a", status={"residentMember": "b"}), service("b", 1, "Ready")], 1, "ModelPool p"),
        (0, [pool("b", "a", status={"residentMember": "a"}), service("b", 0)], 1, "ModelPool p"),
        (3, [pool("a")], 1, "ModelPool p"),
        # A pool that isn't reconciled changes nothing, and neither of two pools decides for good.
        (3, [pool("a", "gone")], 3, "InferenceService a spec.replicas"),
        (3, [pool("a", swapBudget="soon")], 3, "InferenceService a spec.replicas"),
        (3, [pool("a"), {**pool("a"), "metadata": {"name": "q", "namespace": "n"}}], 3, "InferenceService a spec.replicas"),
        (3, [pool("b"), service("b")], 3, "InferenceService a spec.replicas"),
    ],
)
def test_a_pool_sets_the_replicas_of_its_members(asked: int, beside: list[JSONObject], replicas: int, source: str) -> None:
    effective = predicted(service("a", asked), *beside)
    made = next(obj for obj in effective.objects if obj["kind"] == "Deployment")
    assert made["spec"]["replicas"] == effective.status.get("desiredReplicas", 0) == replicas
    assert next(value.source for value in effective.values if value.field == "spec.replicas") == source


def test_a_member_that_is_suspended_has_no_pods() -> None:
    suspended = service("a")
    suspended["spec"]["suspend"] = True
    effective = predicted(suspended, pool("a"))
    assert effective.status["phase"] == "Suspended"


def test_a_cold_pool_waits() -> None:
    assert predicted(pool("a"), service("a", 0)).status["phase"] == "Pending"


def test_one_pool_that_cannot_be_read_stops_all() -> None:
    other = named("ModelPool", "other", {"members": [], "swapBudget": "5 minutes"})
    effective = predicted(pool("a"), service("a"), other)
    assert effective.status == {}
    assert "ModelPool n/other" in effective.failure


def router(*backends: JSONObject, **spec: Any) -> JSONObject:
    return named("ModelRouter", "r.v1", {"backends": list(backends), **spec})


def external(provider: str, **rest: Any) -> JSONObject:
    return {"name": provider, "tier": "cloud", "external": {"provider": provider, "model": "m", **rest}}


@pytest.mark.parametrize(
    ("backend", "config", "address"),
    [
        (external("anthropic"), DEFAULT, "https://api.anthropic.com"),
        (external("openai"), DEFAULT, "https://api.openai.com"),
        (external("bedrock", url="https://bedrock.example.com"), DEFAULT, "https://bedrock.example.com"),
        (
            external("litellm"),
            Configuration(families={LLMKube: LLMKube(operator=OperatorSettings(default_litellm_url="http://litellm:4000"))}),
            "http://litellm:4000",
        ),
        ({"name": "s", "inferenceServiceRef": {"name": "a.b"}}, DEFAULT, "http://a-b.n.svc.cluster.local:8080"),
    ],
)
def test_where_a_backend_is_reached(backend: JSONObject, config: Configuration, address: str) -> None:
    status = predicted(router(backend), service("a.b"), config=config).status
    assert [found["address"] for found in status["backends"]] == [address]
    assert status["endpoint"] == "http://r-v1-router-proxy.n.svc.cluster.local:8080/v1/chat/completions"


def test_a_service_that_is_applied_beside_is_reached_where_it_will_listen() -> None:
    applied = service("s")
    del applied["metadata"]["uid"]
    applied["spec"]["runtime"] = "vllm"
    status = predicted(router({"name": "s", "inferenceServiceRef": {"name": "s"}}), applied).status
    assert [found["address"] for found in status["backends"]] == ["http://s.n.svc.cluster.local:8000"]


def test_a_secret_without_the_providers_key_leaves_the_backend_unresolved() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cred", "namespace": "n"}, "data": {"KEY": "eA=="}}
    effective = predicted(router(external("anthropic", credentialsSecretRef={"name": "cred"})), secret, secrets=True)
    assert effective.status["backends"][0]["message"] == 'credentials Secret "cred" missing key "ANTHROPIC_API_KEY"'
    assert effective.status["conditions"][1]["reason"] == "BackendsUnresolved"
    assert [obj["kind"] for obj in effective.objects] == ["ConfigMap", "Deployment", "Service"]


@pytest.mark.parametrize("where", ["data", "stringData"])
def test_a_secret_with_the_providers_key_resolves_the_backend(where: str) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cred", "namespace": "n"}, where: {"ANTHROPIC_API_KEY": "eA=="}}
    effective = predicted(router(external("anthropic", credentialsSecretRef={"name": "cred"})), secret, secrets=True)
    assert "message" not in effective.status["backends"][0]
    assert [entry["reason"] for entry in effective.status["conditions"]][1] != "BackendsUnresolved"


def test_budgets_have_no_effect_on_a_proxy() -> None:
    budgets = {"budgets": [{"name": "b", "scope": "router", "maxTokens": 1}]}
    with_them, without = (predicted(router(external("openai"), **given)) for given in ({"policy": budgets}, {}))
    assert [obj["kind"] for obj in with_them.objects] == ["ConfigMap", "Deployment", "Service"]
    assert with_them.objects == without.objects
    assert with_them.unchecked == ()


def test_a_proxy_with_a_pool_is_one_that_may_scale_its_members() -> None:
    backend = {"name": "s", "inferenceServiceRef": {"name": "a"}}
    effective = predicted(router(backend, proxy={"replicas": 3}), service("a"), service("b"), pool("a", "b", swapBudget="90s"))
    assert [obj["kind"] for obj in effective.objects] == ["ConfigMap", "ServiceAccount", "Role", "RoleBinding", "Deployment", "Service"]
    config, account, role, binding, deployment, _ = effective.objects
    (written,) = json.loads(config["data"]["config.json"])["backends"]
    assert written["pool"] == {"name": "p", "namespace": "n", "member": "a", "members": ["a", "b"], "swapBudget": 90_000_000_000}
    name = account["metadata"]["name"]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": name, "namespace": "n"}]
    assert binding["roleRef"] == {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name}
    assert [rule["resources"] for rule in role["rules"]] == [["inferenceservices"], ["inferenceservices/status"]]
    pod = deployment["spec"]["template"]["spec"]
    assert (deployment["spec"]["replicas"], pod["serviceAccountName"]) == (1, name)
    assert pod["containers"][0]["env"] == [{"name": "ROUTER_NAME", "value": "r.v1"}]
    assert pod["containers"][0]["args"][-1] == "--enable-activation"


def test_before_pools_a_proxy_knows_none() -> None:
    backend = {"name": "s", "inferenceServiceRef": {"name": "a"}}
    config = Configuration(families={LLMKube: LLMKube(version="v0.9.15")})
    effective = predicted(router(backend), service("a"), pool("a"), config=config)
    assert [obj["kind"] for obj in effective.objects] == ["ConfigMap", "Deployment", "Service"]


def test_while_a_pool_cannot_be_read_the_proxys_pools_are_not_known() -> None:
    backend = {"name": "s", "inferenceServiceRef": {"name": "a"}}
    effective = predicted(router(backend), service("a"), pool("a", swapBudget="soon"))
    assert [entry.subject for entry in effective.unchecked] == ["ConfigMap"]
    deployment = next(obj for obj in effective.objects if obj["kind"] == "Deployment")
    assert deployment["spec"]["template"]["metadata"]["annotations"] == {}


def test_a_gateway_that_is_not_installed_gets_no_routes() -> None:
    effective = predicted(router(external("openai"), dataPlane="Gateway", gatewayRef={"name": "edge"}), listed=CRDS)
    assert [entry["reason"] for entry in effective.status["conditions"]] == ["GatewayCRDsNotInstalled"]
    assert effective.objects == ()


def test_a_gateway_that_may_be_installed_is_not_said_to_be_missing() -> None:
    effective = predicted(router(external("openai", url="https://api.openai.com"), dataPlane="Gateway", gatewayRef={"name": "edge"}))
    assert (effective.status, effective.failure) == ({}, "")
    assert [str(entry.reason) for entry in effective.unchecked] == ["not all CustomResourceDefinitions of the cluster are known"]


@pytest.mark.parametrize(
    ("backend", "problem"),
    [
        (external("openai"), 'backend "openai" is External but has no url'),
        (external("litellm", url=" "), 'backend "litellm" is External but has no url'),
        (
            external("openai", url="api/v1"),
            'backend "openai": external url "api/v1" has no host; it must be absolute, e.g. http://host:8080/v1',
        ),
        (external("openai", url="grpc://api"), 'backend "openai": external url "grpc://api" has no port and scheme "grpc" implies none'),
        (external("openai", url="http://api:0"), 'backend "openai": external url "http://api:0" port 0 out of range'),
        (external("openai", url="http://api:70000"), 'backend "openai": external url "http://api:70000" port 70000 out of range'),
        (
            external("o", url="http://a:99999999999"),
            'backend "o": external url "http://a:99999999999" has an invalid port: ' + TOO_LARGE,
        ),
        (external("openai", url="http://api:x"), 'backend "openai": external url "http://api:x" has an invalid host or port'),
        (
            external("openai", url="10.0.0.1:80"),
            'backend "openai": parsing external url "10.0.0.1:80": parse "10.0.0.1:80": first path segment in URL cannot contain colon',
        ),
        (external("openai", url=":80"), 'backend "openai": parsing external url ":80": parse ":80": missing protocol scheme'),
        (
            {"name": "s", "inferenceServiceRef": {"name": "gone"}},
            'backend "s" references InferenceService "gone" which does not exist in namespace "n"',
        ),
        (external("openai", url="https://api.openai.com/v1"), ""),
        ({"name": "s", "inferenceServiceRef": {"name": "a"}}, ""),
    ],
)
def test_one_backend_that_a_gateway_cannot_reach_fails_the_router(backend: JSONObject, problem: str) -> None:
    effective = predicted(router(backend, dataPlane="Gateway", gatewayRef={"name": "edge"}), service("a"), GATEWAY_CRD, listed=CRDS)
    assert effective.failure == problem
    assert [entry["reason"] for entry in effective.status.get("conditions", [])] == ["ReconcileFailed" if problem else "Exposed"]


@pytest.mark.parametrize(("proxy", "limit"), [({}, None), ({"revisionHistoryLimit": 0}, 0), ({"revisionHistoryLimit": 3}, 3)])
def test_a_proxy_keeps_as_many_revisions_as_it_says(proxy: JSONObject, limit: int | None) -> None:
    effective = predicted(router(external("openai"), proxy=proxy))
    (deployment,) = (obj for obj in effective.objects if obj["kind"] == "Deployment")
    assert deployment["spec"].get("revisionHistoryLimit") == limit
