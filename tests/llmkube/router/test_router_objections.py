"""The objections of upstream's webhook to a ModelRouter, beyond the recorded cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.predictions.router.reconcile import router as predict
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import objections, refusal
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

LOCAL = "backends: [{name: local, inferenceServiceRef: {name: svc}}]"
GATEWAY = f"dataPlane: Gateway\ngatewayRef: {{name: edge}}\n{LOCAL}"
CLASSIFIED = "rules: [{name: r, match: {dataClassification: [x]}, route: {backends: [local]}}]"
HYBRID = "policy: {classification: {mode: hybrid}}"
JWT = "jwt: {provider: p, issuer: i, jwksURI: u, teamClaim: t}"


def router(spec: str) -> dict[str, Any]:
    return {"kind": "ModelRouter", "metadata": {"name": "r", "namespace": "team-a"}, "spec": read(spec)}


@pytest.mark.parametrize(
    ("spec", "topics"),
    [
        (LOCAL, []),
        (f"{LOCAL}\nrules: [{{name: r, route: {{backends: []}}}}]", [Topic.ROUTE]),
        (f"{LOCAL}\npolicy: {{budgets: [{{name: b, scope: team, maxUSD: ' '}}]}}", [Topic.BUDGET]),
        (f"{GATEWAY}\npolicy: {{auth: {{jwt: {{provider: p}}}}}}", [Topic.GATEWAY_AUTH]),
        (f"{GATEWAY}\npolicy: {{auth: {{{JWT}, allowlists: [{{team: ' '}}]}}}}", [Topic.GATEWAY_ALLOWLIST]),
        (f"{GATEWAY}\npolicy: {{auth: {{{JWT}, allowlists: [{{team: a}}, {{team: b}}]}}}}", []),
        (f"{GATEWAY}\n{CLASSIFIED}", []),
        (
            f"{GATEWAY}\n{HYBRID}\nrules: [{{name: r, match: {{dataClassification: [x]}}, route: {{backends: [local]}}}}]",
            [Topic.GATEWAY_MATCH],
        ),
        (
            f"{GATEWAY}\nrules: [{{name: r, match: {{dataClassification: [pii]}}, route: {{backends: [local]}}}}]",
            [Topic.SENSITIVE, Topic.GATEWAY_SENSITIVE],
        ),
    ],
)
def test_objections_by_topic(spec: str, topics: list[Topic]) -> None:
    assert [objection.topic for objection in objections(router(spec))] == topics


def test_the_webhook_tells_all_errors_in_brackets() -> None:
    refused = refusal(router("backends: [{name: a}, {name: a, inferenceServiceRef: {name: svc}}]\ndefaultRoute: b"))
    assert refused is not None
    assert refused.code == 422
    assert refused.message == (
        'ModelRouter.inference.llmkube.dev "r" is invalid: ['
        "spec.backends[0]: Invalid value: null: exactly one of inferenceServiceRef or external must be set, "
        'spec.backends[1].name: Invalid value: null: duplicate backend name "a", '
        'spec.defaultRoute: Invalid value: null: references undefined backend "b"]'
    )


def test_of_what_a_gateway_cannot_do_the_webhook_tells_the_first_and_rules_all() -> None:
    rules = (
        "rules: [{name: a, match: {models: ['x*']}, route: {backends: [local]}}, {name: b, route: {backends: [local], strategy: shadow}}]"
    )
    both = router(f"{GATEWAY}\n{rules}")
    assert len(list(objections(both, Topic.GATEWAY_MATCH))) == 2
    refused = refusal(both)
    assert refused is not None
    assert [cause["field"] for cause in refused.causes] == ["spec.rules"]
    assert 'rule "a"' in refused.message
    assert 'rule "b"' not in refused.message


def test_a_duration_that_does_not_parse_is_a_bad_request() -> None:
    refused = refusal(router("backends: [{name: a}]\nproxy: {responseHeaderTimeout: 1d}"))
    assert refused is not None
    assert (refused.code, refused.message, refused.causes) == (400, 'time: unknown unit "d" in duration "1d"', ())


def test_an_update_that_leaves_the_spec_alone_passes() -> None:
    wrong = router("backends: [{name: a}]")
    relabelled = {**wrong, "metadata": {**wrong["metadata"], "labels": {"a": "b"}}}
    assert refusal(wrong) is not None
    assert refusal(relabelled, wrong) is None
    assert refusal(router("backends: [{name: b}]"), wrong) is not None


def test_a_router_that_was_stored_wrong_is_predicted_to_fail() -> None:
    wrong = router("backends: [{name: a}]\ndefaultRoute: b")
    gvk = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelRouter")
    facts = Facts(bundled_definitions(), ObjectStore())
    new = Request("", Operation.CREATE, gvk, wrong, namespace="team-a", name="r")
    refused = predict(new, facts, DEFAULT)
    assert refused is not None
    assert (refused.status, "is invalid" in refused.failure) == ({}, True)
    stored = predict(replace(new, operation=Operation.UPDATE, old_object=wrong), facts, DEFAULT)
    assert stored is not None
    assert stored.status["phase"] == "Failed"
    assert stored.status["conditions"][0]["message"] == (
        'spec.backends[0]: exactly one of inferenceServiceRef or external must be set; spec.defaultRoute: references undefined backend "b"'
    )
