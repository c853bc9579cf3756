"""What `weighbridge doctor` reports about the running webhook: Deployment, endpoints, rights, pods, and a call from the API server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.webhook.answering_api import AnsweringAPI, Reply
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.doctor.check import Check, Health, ok, problem, unknown
from weighbridge.webhook.doctor.installed import Installed
from weighbridge.webhook.doctor.pods import pods_check
from weighbridge.webhook.doctor.reachability import WHAT, reached
from weighbridge.webhook.doctor.registered import Registered
from weighbridge.webhook.doctor.workload import serving_checks

INSTALLED = Installed("ns")
DEPLOYMENT = "/apis/apps/v1/namespaces/ns/deployments/wb"
SERVICE = "/api/v1/namespaces/ns/services/wb"
SLICES = "/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices"
REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
PODS = "/api/v1/namespaces/ns/pods"
APPLY = "kubectl apply -k on the overlay that installs into ns"
LOGS = "kubectl -n ns logs deployment/weighbridge"
FORBIDDEN = APIError(403, "Forbidden", "no")
ALLOWED = ({"status": {"allowed": True}}, list[str]())


def _deployment(replicas: int | None, ready: int, *conditions: tuple[str, str, str, str]) -> JSONObject:
    found = [{"type": kind, "status": status, "message": message, "reason": reason} for kind, status, message, reason in conditions]
    spec = {"replicas": replicas} if replicas is not None else {}
    template = {"spec": {"containers": [{"image": "wb:1"}, {"image": "side:2"}]}}
    return {"spec": {**spec, "template": template}, "status": {"readyReplicas": ready, "conditions": found}}


def _serving(replies: Mapping[str, Reply], installed: Installed = INSTALLED) -> list[Check]:
    async def collect() -> list[Check]:
        return [check async for check in serving_checks(AnsweringAPI(replies).api, installed, "wb")]

    return asyncio.run(collect())


@pytest.mark.parametrize(
    ("reply", "health", "found"),
    [
        (_deployment(2, 2), Health.OK, "2 of 2 replicas are ready, of wb:1, side:2"),
        (_deployment(None, 1), Health.OK, "1 of 1 replicas are ready, of wb:1, side:2"),
        (_deployment(2, 3), Health.OK, "3 of 2 replicas are ready, of wb:1, side:2"),
        (_deployment(2, 1), Health.PROBLEM, "1 of 2 replicas are ready"),
        (_deployment(0, 0), Health.PROBLEM, "it is scaled to zero"),
        (
            _deployment(
                2, 2, ("Available", "False", "x", "y"), ("Progressing", "True", "x", "y"), ("ReplicaFailure", "True", "quota", "y")
            ),
            Health.PROBLEM,
            "2 of 2 replicas are ready, and it gets no further: quota",
        ),
        (
            _deployment(2, 0, ("Progressing", "False", "", "Late")),
            Health.PROBLEM,
            "0 of 2 replicas are ready, and it gets no further: Late",
        ),
        (_deployment(2, 2, ("ReplicaFailure", "False", "x", "y")), Health.OK, "2 of 2 replicas are ready, of wb:1, side:2"),
        (APIError(404, "NotFound", "gone"), Health.PROBLEM, "it isn't there"),
        (FORBIDDEN, Health.UNKNOWN, str(FORBIDDEN)),
    ],
)
def test_a_deployment_is_well_where_all_its_replicas_are_ready(reply: Reply, health: Health, found: str) -> None:
    check = _serving({DEPLOYMENT: reply})[0]
    assert (check.name, check.health, check.found) == ("Deployment ns/wb", health, found)
    runs = {"it is scaled to zero": "kubectl -n ns scale deployment/wb --replicas 2", "it isn't there": APPLY}
    describe = "kubectl -n ns describe pods -l app.kubernetes.io/name=weighbridge"
    assert check.run == (runs.get(found, describe) if health is Health.PROBLEM else "")


@pytest.mark.parametrize(
    ("conditions", "health", "found"),
    [
        ([[{"ready": True}]], Health.OK, "1 ready endpoint"),
        ([[{"ready": True}], [{}, {"ready": False}]], Health.OK, "2 ready endpoints"),
        ([[{"ready": False}]], Health.PROBLEM, "it has no ready endpoint"),
        ([], Health.PROBLEM, "it has no ready endpoint"),
    ],
)
def test_a_service_is_well_where_an_endpoint_is_ready(conditions: list[list[JSONObject]], health: Health, found: str) -> None:
    slices = {"items": [{"endpoints": [{"conditions": each} for each in piece]} for piece in conditions]}
    check = _serving({SERVICE: {}, SLICES: slices})[1]
    run = "kubectl -n ns get endpointslices,pods" if health is Health.PROBLEM else ""
    assert check == Check("Service ns/wb", health, found, run)


def test_a_service_that_is_not_there_is_told_of() -> None:
    assert _serving({})[1] == problem("Service ns/wb", "it isn't there", APPLY)
    assert _serving({SERVICE: FORBIDDEN})[1] == unknown("Service ns/wb", str(FORBIDDEN))


def test_each_right_that_is_lacking_is_named() -> None:
    def answer(review: JSONObject) -> tuple[JSONObject, list[str]]:
        assert review["spec"]["user"] == "system:serviceaccount:ns:wb"
        asked = review["spec"]["resourceAttributes"]
        return {"status": {"allowed": (asked["resource"], asked["verb"]) not in {("nodes", "watch"), ("secrets", "update")}}}, []

    what = "rights of ServiceAccount ns/wb"
    lacking = _serving({REVIEWS: answer})[2]
    assert (lacking.name, lacking.health, lacking.run) == (what, Health.PROBLEM, APPLY)
    assert lacking.found == "it may not watch nodes, update secrets weighbridge-tls"
    without = _serving({REVIEWS: answer}, Installed("ns", makes_certificates=False))[2]
    assert without.found == "it may not watch nodes"
    everything = "it may read all that the rules read"
    assert _serving({REVIEWS: lambda _: ALLOWED})[2] == ok(what, f"{everything}, and keep its certificates")
    assert _serving({REVIEWS: lambda _: ALLOWED}, Installed("ns", makes_certificates=False))[2] == ok(what, everything)
    assert _serving({REVIEWS: FORBIDDEN})[2] == unknown(what, str(FORBIDDEN), "run it as a user who may create subjectaccessreviews")


GOOD = """\
# HELP weighbridge_ready 1 when new calls are welcome
weighbridge_ready 1.0
weighbridge_certificate_fault{fault="expired"} 0.0
weighbridge_configuration_last_reload_successful 1.0
weighbridge_facts_age_seconds{resource="nodes"} 60.0
weighbridge_facts_known{resource="nodes"} 1.0
"""


def _pod(name: str, phase: str = "Running", port: int | None = None) -> JSONObject:
    ports = [{"name": "https", "containerPort": 1}, *([{"name": "health", "containerPort": port}] if port else [])]
    return {"metadata": {"name": name}, "spec": {"containers": [{}, {"ports": ports}]}, "status": {"phase": phase}}


def _pods_say(pages: Mapping[str, Reply], *pods: JSONObject) -> Check:
    pages = {f"{PODS}/{name}/proxy/metrics": page for name, page in pages.items()}
    return asyncio.run(pods_check(AnsweringAPI({**pages, PODS: {"items": list(pods)}}).api, INSTALLED))


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("ready 1", "ready 0", "not ready, see its /readyz"),
        ('"expired"} 0', '"expired"} 1', "its certificate is refused by clients (expired)"),
        ("successful 1", "successful 0", "the newest configuration can't be used, the one before is in force"),
        ("60.0", "60.6", "changes may have gone unseen of nodes (61 s)"),
        ('known{resource="nodes"} 1', 'known{resource="nodes"} 0', "it can't read nodes"),
    ],
)
def test_what_a_pod_says_is_told_with_its_name(before: str, after: str, fault: str) -> None:
    pods = [_pod("a", port=9), _pod("b"), _pod("c", "Pending")]
    what = "what the pods say"
    assert _pods_say({"a:9": GOOD, "b:9080": GOOD}, *pods) == ok(what, "2 asked; certificate, facts and configuration are good")
    assert _pods_say({"a:9": GOOD, "b:9080": GOOD.replace(before, after)}, *pods) == problem(what, f"b: {fault}", LOGS)
    assert _pods_say({"a:9": GOOD.replace(before, after)}, *pods) == problem(what, f"a: {fault}", LOGS)


def test_ten_pods_at_most_are_asked_and_what_cannot_be_asked_is_told() -> None:
    what = "what the pods say"
    pages: dict[str, Reply] = {f"p{number}:9080": GOOD for number in range(12)}
    found = _pods_say({**pages, "p9:9080": FORBIDDEN}, *(_pod(f"p{number}") for number in range(12)))
    assert found == unknown(what, f"p9: {FORBIDDEN}", "run it as a user who may get pods/proxy in ns")
    found = _pods_say({**pages, "p10:9080": FORBIDDEN}, *(_pod(f"p{number}") for number in range(12)))
    assert found == ok(what, "10 asked; certificate, facts and configuration are good")
    unreached = APIError(503, "ServiceUnavailable", "error trying to reach service: dial tcp 10.0.0.1:9080: i/o timeout")
    found = _pods_say({"p0:9080": GOOD, "p1:9080": unreached, "p2:9080": FORBIDDEN}, *(_pod(f"p{number}") for number in range(3)))
    assert found == unknown(
        what, f"p1: {unreached}", "let the API server reach the health port, with networkPolicyFrom.health of the chart"
    )
    assert _pods_say({}, _pod("a", "Failed")) == unknown(what, "no pod is running")
    refused = asyncio.run(pods_check(AnsweringAPI({PODS: FORBIDDEN}).api, INSTALLED))
    assert refused == unknown(what, str(FORBIDDEN), "run it as a user who may list pods in ns")


DENIED = 'admission webhook "validate.llmkube.weighbridge.dev" denied the request: no'
COUNT = 'apiserver_admission_webhook_fail_open_count{{name="{}",type="validating"}} {}'


def _asked(reply: Reply, *metrics: Reply, installed: Installed = INSTALLED, excluded: str = "", namespaces: Reply = FORBIDDEN) -> Check:
    """The check's result for a call; `metrics` are the pages of metrics before and after it."""
    pages = iter(metrics or (FORBIDDEN, FORBIDDEN))

    class Server(AnsweringAPI):
        async def text(self, path: str) -> str:
            page = next(pages)
            if isinstance(page, APIError):
                raise page
            return str(page)

    expressions = [{"operator": "NotIn", "values": [excluded]}]
    validating: Any = {"metadata": {"name": "weighbridge"}, "webhooks": [{"namespaceSelector": {"matchExpressions": expressions}}]}
    registered = Registered("weighbridge", [], [validating])
    replies: dict[str, Reply] = {"/api/v1/namespaces": namespaces}
    for namespace in ("default", "mine"):
        for plural in ("models", "inferenceservices"):
            replies[f"/apis/inference.llmkube.dev/v1alpha1/namespaces/{namespace}/{plural}"] = reply
    return asyncio.run(reached(Server(replies).api, registered, installed))


def test_a_refusal_by_the_webhook_shows_that_it_is_reached() -> None:
    answered = ok(WHAT, "it was answered: a broken object is refused")
    assert _asked(APIError(403, "Forbidden", DENIED)) == answered
    assert _asked(APIError(403, "Forbidden", "you may not")).health is Health.UNKNOWN
    failed = APIError(500, "InternalError", 'failed calling webhook "a": refused')
    assert _asked(failed) == problem(WHAT, 'the API server can\'t call the webhook "a": refused', LOGS)
    emergency = f"{LOGS}; in an emergency the break-glass command of docs/installation.md"
    assert _asked(failed, installed=Installed("ns", denies=True)).run == emergency


def test_an_object_that_passes_shows_that_it_is_not() -> None:
    assert _asked(lambda _: ({}, ["Weighbridge is in mode audit: x"])) == ok(WHAT, "it was answered; mode audit refuses nothing")
    passed = _asked(lambda _: ({}, ["other"]))
    assert (passed.health, passed.run) == (Health.PROBLEM, APPLY)
    assert passed.found.startswith("an object of kind ")
    assert passed.found.endswith(" refuses, passed: the webhook wasn't asked, or doesn't judge")
    assert " in namespace default, which LLMKUBE-" in passed.found


def test_webhooks_that_failed_open_meanwhile_are_named() -> None:
    first, second, other = "b.weighbridge.dev", "a.weighbridge.dev", "c.example.org"
    before = f"{COUNT.format(first, 3)}\n{COUNT.format(other, 1)}\n"
    after = f"# x\n{COUNT.format(first, '4e+00')}\n{COUNT.format(other, 2)}\n{COUNT.format(second, 1)}\n"
    denied = APIError(403, "Forbidden", DENIED)
    webhooks = "a.weighbridge.dev, b.weighbridge.dev"
    told = f"the API server couldn't call {webhooks}, and let the object pass, as failurePolicy Ignore says; its own log has the reason"
    assert _asked(denied, before, after) == problem(WHAT, told, LOGS)
    assert _asked(denied, before, before).health is Health.OK


def test_the_reason_of_a_refused_call_counts_more_than_calls_that_failed_open() -> None:
    reason = '"validate.x": tls: failed to verify certificate: x509: certificate signed by unknown authority'
    failed = APIError(500, "InternalError", f"failed calling webhook {reason}")
    before, after = COUNT.format("a.weighbridge.dev", 3), COUNT.format("a.weighbridge.dev", 4)
    found = _asked(failed, before, after)
    meaning = "the caBundle isn't of the authority that signed the server's certificate"
    restart = "kubectl -n ns rollout restart deployment/weighbridge"
    assert found == problem(WHAT, f"the API server can't call the webhook {reason}; {meaning}", restart)


def test_an_object_is_tried_in_a_namespace_that_is_judged() -> None:
    denied = APIError(403, "Forbidden", DENIED)
    going = {"metadata": {"name": "going", "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    found: JSONObject = {"items": [{"metadata": {"name": "default"}}, going, {"metadata": {"name": "mine"}}]}
    assert _asked(denied, excluded="default", namespaces=found).health is Health.OK
    nowhere = unknown(WHAT, "no namespace is left to try an object in: the webhooks are called for none of them")
    assert _asked(denied, excluded="default") == nowhere
    assert _asked(denied, excluded="default", namespaces={"items": [going]}) == nowhere
    gone = unknown(WHAT, "the cluster serves no kind whose objects could be tried")
    assert _asked(APIError(404, "NotFound", "gone")) == gone
