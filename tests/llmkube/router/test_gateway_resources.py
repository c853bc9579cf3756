"""A router with the data plane Gateway: the resources of Envoy AI Gateway and the condition, or why there are none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.router.test_pools_and_routers import CRDS, GATEWAY_CRD, LISTED, named, predicted
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.predictions.router.backends import gateway_address_problem, gateway_host
from weighbridge.policies.families.llmkube.predictions.router.reconcile import router as predict
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

ROUTER = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelRouter")
EDGE = {"name": "edge"}
JWT = {"provider": "p", "issuer": "https://i", "jwksURI": "https://i/keys", "teamClaim": "team"}
LOCAL = ({"name": "a", "inferenceServiceRef": {"name": "a"}}, {"name": "b.2", "inferenceServiceRef": {"name": "b"}})
FALLBACK = {"name": "r", "route": {"backends": ["a", "b.2"]}}


def a_service(name: str, ready: int, **spec: Any) -> JSONObject:
    return named("InferenceService", name, {"modelRef": "m", **spec}, {"readyReplicas": ready})


READY = (a_service("a", 1), a_service("b", 1, endpoint={"port": 9000}))


def a_router(*backends: JSONObject, **spec: Any) -> JSONObject:
    return named("ModelRouter", "r.1", {"dataPlane": "Gateway", "gatewayRef": EDGE, "backends": list(backends or LOCAL), **spec})


def compiled(router: JSONObject, *services: JSONObject) -> Prediction:
    return predicted(router, *(services or READY), GATEWAY_CRD, listed=CRDS)


def spec_of(found: Prediction, kind: str) -> Any:
    """The spec of the only object of a kind."""
    (made,) = (obj for obj in found.objects if obj["kind"] == kind)
    assert made["metadata"] == {"name": "r-1", "namespace": "n"}
    return made["spec"]


def said(found: Prediction) -> tuple[str, str]:
    (written,) = found.status["conditions"]
    assert written["type"] == "GatewayReady"
    return written["reason"], written["message"]


def test_each_backend_is_two_resources_before_the_route_and_its_policy() -> None:
    found = compiled(a_router())
    assert [(obj["apiVersion"], obj["kind"], obj["metadata"]["name"]) for obj in found.objects] == [
        ("gateway.envoyproxy.io/v1alpha1", "Backend", "a"),
        ("aigateway.envoyproxy.io/v1beta1", "AIServiceBackend", "a"),
        ("gateway.envoyproxy.io/v1alpha1", "Backend", "b-2"),
        ("aigateway.envoyproxy.io/v1beta1", "AIServiceBackend", "b-2"),
        ("aigateway.envoyproxy.io/v1beta1", "AIGatewayRoute", "r-1"),
        ("gateway.envoyproxy.io/v1alpha1", "BackendTrafficPolicy", "r-1"),
    ]
    assert [obj["spec"] for obj in found.objects[2:4]] == [
        {"endpoints": [{"fqdn": {"hostname": "b.n.svc.cluster.local", "port": 9000}}]},
        {"schema": {"name": "OpenAI"}, "backendRef": {"name": "b-2", "kind": "Backend", "group": "gateway.envoyproxy.io"}},
    ]
    assert found.status["gateway"] == {"routeReady": True, "endpoint": 'gateway "edge"'}
    assert said(found) == ("Exposed", 'compiled 0 rule(s) onto gateway "edge"')


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("https://api.example.com/v1", {"fqdn": {"hostname": "api.example.com", "port": 443}}),
        (" http://api.example.com ", {"fqdn": {"hostname": "api.example.com", "port": 80}}),
        ("grpc://api.example.com:50", {"fqdn": {"hostname": "api.example.com", "port": 50}}),
        ("http://10.0.0.1:8080", {"ip": {"address": "10.0.0.1", "port": 8080}}),
        ("http://[fd00::1]:8080", {"ip": {"address": "fd00::1", "port": 8080}}),
    ],
)
def test_an_external_backend_is_its_own_address(url: str, endpoint: JSONObject) -> None:
    found = compiled(a_router({"name": "x", "tier": "cloud", "external": {"provider": "openai", "model": "m", "url": url}}))
    assert found.objects[0]["spec"] == {"endpoints": [endpoint]}


def test_rules_come_before_names_of_backends_and_the_default() -> None:
    backends = ({**LOCAL[0], "weight": 3, "displayName": "Big"}, LOCAL[1])
    rules = [
        {
            "name": "first",
            "match": {"models": ["x", "y"], "headers": {"z": "1", "a": "2"}, "dataClassification": ["public"]},
            "route": {"backends": ["a", "b.2"], "strategy": "primary-fallback"},
            "timeout": "5m",
        },
        {"name": "second", "route": {"backends": ["a", "b.2"], "strategy": "weighted"}},
    ]
    found = compiled(
        a_router(
            *backends,
            rules=rules,
            gatewayRef={"name": "edge", "namespace": "infra"},
            defaultRoute="b.2",
            defaultRouteStrategy="BackendNameMatch",
            policy={"classification": {"headerKey": "x-class"}},
        )
    )

    def exact(name: str, value: str) -> JSONObject:
        return {"type": "Exact", "name": name, "value": value}

    both = [exact("a", "2"), exact("z", "1")]
    route = spec_of(found, "AIGatewayRoute")
    assert route["parentRefs"] == [{"name": "edge", "namespace": "infra", "kind": "Gateway", "group": "gateway.networking.k8s.io"}]
    assert route["rules"] == [
        {
            "matches": [{"headers": [exact("x-ai-eg-model", model), exact("x-class", "public"), *both]} for model in ("x", "y")],
            "backendRefs": [{"name": "a", "priority": 0}, {"name": "b-2", "priority": 1}],
            "timeouts": {"request": "5m0s"},
        },
        {"matches": [{}], "backendRefs": [{"name": "a", "weight": 3}, {"name": "b-2", "weight": 1}]},
        {"matches": [{"headers": [exact("x-ai-eg-model", "Big")]}], "backendRefs": [{"name": "a"}]},
        {"matches": [{"headers": [exact("x-ai-eg-model", "b.2")]}], "backendRefs": [{"name": "b-2"}]},
        {"matches": [{}], "backendRefs": [{"name": "b-2"}]},
    ]
    assert "llmRequestCosts" not in route
    assert said(found) == ("Exposed", "compiled 2 rule(s) onto gateway infra/edge")


@pytest.mark.parametrize(
    ("ready", "kept", "words"),
    [
        ((0, 1), ["b-2"], "; ejected 1 unhealthy backend(s): a"),
        ((1, 1), ["a", "b-2"], ""),
        # If no backend is ready, none is left out.
        ((0, 0), ["a", "b-2"], ""),
    ],
)
def test_a_backend_without_a_ready_pod_is_left_out_of_rules_with_another(ready: tuple[int, int], kept: list[str], words: str) -> None:
    found = compiled(a_router(rules=[FALLBACK]), a_service("a", ready[0]), a_service("b", ready[1]))
    (rule,) = spec_of(found, "AIGatewayRoute")["rules"]
    assert [each["name"] for each in rule["backendRefs"]] == kept
    assert said(found)[1] == f'compiled 1 rule(s) onto gateway "edge"{words}'
    assert sum(obj["kind"] == "Backend" for obj in found.objects) == 2


@pytest.mark.parametrize(
    ("timeouts", "expected"),
    [(({}, {}), "60s"), (({"timeout": "90s"}, {}), "1m30s"), (({"timeout": "90s"}, {"timeout": "2m"}), "2m0s")],
)
def test_a_retry_lasts_as_long_as_the_longest_timeout(timeouts: tuple[JSONObject, JSONObject], expected: str) -> None:
    found = compiled(a_router({**LOCAL[0], **timeouts[0]}, LOCAL[1], rules=[{**FALLBACK, **timeouts[1]}]))
    policy = spec_of(found, "BackendTrafficPolicy")
    assert policy["retry"]["perRetry"]["timeout"] == expected
    assert policy["targetRefs"] == [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "r-1"}]
    assert policy["healthCheck"]["active"]["http"] == {"path": "/health", "method": "GET", "expectedStatuses": [200]}
    assert "rateLimit" not in policy


@pytest.mark.parametrize(
    ("window", "limit"),
    [
        ({"windowSeconds": 86400}, {"requests": 1000, "unit": "Day"}),
        ({}, {"requests": 1000, "unit": "Hour"}),
        ({"windowSeconds": 7200}, {"requests": 500, "unit": "Hour"}),
        ({"windowSeconds": 90}, {"requests": 666, "unit": "Minute"}),
        ({"windowSeconds": 59}, {"requests": 16, "unit": "Second"}),
        ({"windowSeconds": 59, "maxTokens": 1}, {"requests": 1, "unit": "Second"}),
    ],
)
def test_a_budget_is_a_limit_for_one_unit_of_time(window: JSONObject, limit: JSONObject) -> None:
    found = compiled(a_router(policy={"budgets": [{"name": "b", "scope": "router", "maxTokens": 1000, **window}]}))
    (rule,) = spec_of(found, "BackendTrafficPolicy")["rateLimit"]["global"]["rules"]
    assert rule["limit"] == limit
    assert "clientSelectors" not in rule
    assert spec_of(found, "AIGatewayRoute")["llmRequestCosts"] == [{"metadataKey": "llm_total_token", "type": "TotalToken"}]
    assert said(found)[1].endswith('onto gateway "edge"; enforced 1 token budget(s)')


@pytest.mark.parametrize(("given", "key"), [({}, "x-llmkube-team"), ({"headerKey": "x-team"}, "x-team")])
def test_a_budget_of_teams_counts_by_their_header(given: JSONObject, key: str) -> None:
    found = compiled(a_router(policy={"budgets": [{"name": "b", "scope": "team", "maxTokens": 1, **given}]}))
    (rule,) = spec_of(found, "BackendTrafficPolicy")["rateLimit"]["global"]["rules"]
    assert rule["clientSelectors"] == [{"headers": [{"name": key, "type": "Distinct"}]}]
    assert "(team-scoped budgets key on a request header" in said(found)[1]


def test_a_token_is_asked_for_before_the_route_is_there() -> None:
    allowed: list[JSONObject] = [{"team": "Team.B", "models": ["m"]}, {"team": "--"}]
    found = compiled(a_router(policy={"auth": {"jwt": {**JWT, "headerKey": "x-team"}, "allowlists": allowed}}))
    assert [obj["kind"] for obj in found.objects[-3:]] == ["SecurityPolicy", "AIGatewayRoute", "BackendTrafficPolicy"]
    policy = spec_of(found, "SecurityPolicy")
    assert policy["jwt"]["providers"] == [
        {
            "name": "p",
            "issuer": "https://i",
            "remoteJWKS": {"uri": "https://i/keys"},
            "claimToHeaders": [{"claim": "team", "header": "x-team"}],
        }
    ]
    claims = [{"provider": "p", "claims": [{"name": "team", "values": [entry["team"]]}]} for entry in allowed]
    assert policy["authorization"] == {
        "defaultAction": "Deny",
        "rules": [
            {
                "name": "allow-team-b-0",
                "action": "Allow",
                "principal": {"jwt": claims[0], "headers": [{"name": "x-ai-eg-model", "values": ["m"]}]},
            },
            {"name": "allow-team-1", "action": "Allow", "principal": {"jwt": claims[1]}},
        ],
    }
    assert found.status["gateway"]["authEnabled"] is True
    assert said(found)[1].endswith("; JWT authentication enforced; 2 team model allowlist(s) enforced")


def test_without_allowlists_every_token_is_let_in() -> None:
    found = compiled(a_router(policy={"auth": {"jwt": JWT}}))
    policy = spec_of(found, "SecurityPolicy")
    assert "authorization" not in policy
    assert policy["jwt"]["providers"][0]["claimToHeaders"] == [{"claim": "team", "header": "x-llmkube-team"}]
    assert said(found)[1].endswith("; JWT authentication enforced")


def test_a_service_that_is_not_known_stays_in_the_route() -> None:
    store = ObjectStore([GATEWAY_CRD])
    store.complete(besides=[*CRDS, *((ROUTER.group, kind) for kind in LISTED if kind != "InferenceService")])
    obj = a_router(LOCAL[0], defaultRoute="a")
    request = Request(
        "", Operation.CREATE, GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelRouter"), obj, namespace="n", name="r"
    )
    found = predict(request, Facts(bundled_definitions(), store), DEFAULT)
    assert found is not None
    assert spec_of(found, "AIGatewayRoute")["rules"] == [{"matches": [{}], "backendRefs": [{"name": "a"}]}]
    assert [entry.reason for entry in found.unchecked] == ["its InferenceService isn't known here, nor whether it is ready"]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"rules": [{**FALLBACK, "match": {"taskComplexity": "high"}}]}, "UnsupportedMatchInGatewayMode"),
        ({"policy": {"budgets": [{"name": "b", "scope": "router", "maxUSD": "1"}]}}, "UnsupportedBudgetField"),
        (
            {"rules": [FALLBACK], "policy": {"budgets": [{"name": "b", "scope": "rule", "ruleName": "r", "maxTokens": 1}]}},
            "UnsupportedBudgetScope",
        ),
        ({"policy": {"auth": {"jwt": {**JWT, "issuer": ""}}}}, "InvalidAuth"),
        ({"policy": {"auth": {"allowlists": [{"team": "t"}]}}}, "AuthorizationRequiresJWT"),
        ({"policy": {"auth": {"jwt": JWT, "allowlists": [{"team": " "}]}}}, "InvalidAuthorization"),
        ({"policy": {"auditLog": {"sink": "stdout"}}}, "UnsupportedAuditLogInGatewayMode"),
    ],
)
def test_a_router_that_was_stored_before_the_webhook_objected_gets_nothing(spec: JSONObject, reason: str) -> None:
    obj = a_router(**spec)
    store = ObjectStore([*READY, GATEWAY_CRD])
    store.complete(besides=CRDS)
    request = Request("", Operation.UPDATE, ROUTER, obj, obj, namespace="n", name="r.1")
    found = predict(request, Facts(bundled_definitions(), store), DEFAULT)
    assert found is not None
    assert said(found)[0] == reason
    assert (list(found.objects), found.failure) == ([], said(found)[1])


def test_before_external_backends_came_one_fails_the_router() -> None:
    config = Configuration(families={LLMKube: LLMKube(version="v0.9.13")})
    backend = {"name": "x", "tier": "cloud", "external": {"provider": "openai", "model": "m", "url": "https://api.example.com"}}
    found = predicted(a_router(backend), GATEWAY_CRD, config=config, listed=CRDS)
    assert said(found) == ("ReconcileFailed", 'backend "x" is External; external backends are not supported in dataPlane: Gateway yet')
    assert found.objects == ()


@pytest.mark.parametrize(
    ("url", "host", "problem"),
    [
        ("https://user:p@api.example.com", "api.example.com", ""),
        ("https://API.Example.com/v1", "API.Example.com", ""),
        (" https://[2001:db8::1]:444", "2001:db8::1", ""),
        ("http://[::1]", "::1", ""),
        ("http://api.example.com:", "api.example.com", ""),
        ("https://user@h:99999", "h", ': external url "https://user@h:99999" port 99999 out of range'),
    ],
)
def test_the_host_of_an_address_is_the_written_one(url: str, host: str, problem: str) -> None:
    assert (gateway_host(url), gateway_address_problem(url)) == (host, problem)
