"""The predicted answers of LLMKube's own validating webhooks equal those in the recorded cases, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.replay import QUOTA_WEBHOOK, ROUTER_WEBHOOK, Step, records, replay
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.families.llmkube.upstream import quota_webhook, router_webhook

#: The cases in which one of the two webhooks answered.
CASES = [
    record
    for record in records()
    if QUOTA_WEBHOOK in record["operator"]["webhooks"] or any(obj["kind"] == "ModelRouter" for obj in record["objects"])
]


def predicted(step: Step) -> tuple[str, Refusal] | None:
    """The webhook that refuses the object, and its answer."""
    if step.stored is None:
        return None
    if step.request.gvk.kind == "ModelRouter":
        refusal = router_webhook.refusal(step.stored)
        return (ROUTER_WEBHOOK, refusal) if refusal is not None else None
    if step.request.gvk.kind == "InferenceService":
        refusal = quota_webhook.refusal(step.stored, step.request.namespace, step.facts, step.operator, step.config)
        return (QUOTA_WEBHOOK, refusal) if refusal is not None else None
    return None


def expected(step: Step) -> dict[str, Any] | None:
    """The recorded answer of a webhook; `None` if none refused."""
    recorded = step.recorded
    return recorded if recorded["code"] >= 300 and recorded["message"].startswith("admission webhook") else None


@pytest.mark.parametrize("record", CASES, ids=lambda record: record["id"])
def test_upstreams_webhooks_are_foretold(record: dict[str, Any], count_vectors: CountVectors) -> None:
    for step in replay(record):
        found, wanted = predicted(step), expected(step)
        if wanted is None:
            assert found is None
            assert step.was_stored is (step.stored is not None)
            continue
        assert found is not None
        webhook, refusal = found
        assert f'admission webhook "{webhook}" denied the request: {refusal.message}' == wanted["message"]
        assert refusal.code == wanted["code"]
        assert list(refusal.causes) == wanted.get("causes", [])
    count_vectors("operators/llmkube webhooks", 1, 1)


def test_in_no_other_case_did_a_webhook_refuse() -> None:
    others = [record for record in records() if record not in CASES]
    refused = [
        (record["id"], said["message"])
        for record in others
        for said in record["outcome"]["admission"]
        if said["code"] >= 300 and any(webhook in said["message"] for webhook in (ROUTER_WEBHOOK, QUOTA_WEBHOOK))
    ]
    assert refused == []
