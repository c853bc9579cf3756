"""Mode audit: judged as in deny, and nothing refused or filled in."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.audit_mode import let_in, would_be
from weighbridge.webhook.inputs.facts import load_facts

_FACTS = load_facts()


def creation(**spec: Any) -> Request:
    """A Model that is being created."""
    gvk = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
    obj = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "m", "namespace": "a"}, "spec": spec}
    return Request("uid", Operation.CREATE, gvk, obj, namespace="a", name="m")


def decided(request: Request, phase: Phase) -> Decision:
    """The engine's decision."""
    return decide(request, _FACTS, DEFAULT, phase)


def test_what_deny_would_refuse_is_let_in_with_its_words() -> None:
    decision = would_be(decided, creation(source="pvc://x"), Phase.VALIDATE)
    answered = let_in(decision, Phase.VALIDATE)
    assert not decision.allowed
    assert (answered.allowed, answered.message, answered.causes) == (True, "", ())
    assert answered.warnings[0] == f"Weighbridge is in mode audit; in mode deny it would refuse this: {decision.message}"
    assert answered.audit_annotations["would-refuse"] == decision.message


def test_what_deny_would_fill_in_is_left_out() -> None:
    decision = would_be(decided, creation(source="https://example.com/m.gguf", hardware={"gpu": {"count": 1}}), Phase.MUTATE)
    answered = let_in(decision, Phase.MUTATE)
    assert decision.patch
    assert (answered.allowed, answered.patch, answered.warnings) == (True, (), ())


def test_the_validating_webhook_judges_what_deny_would_have_filled_in() -> None:
    request = creation(source="https://example.com/m.gguf", hardware={"gpu": {"count": 1}})
    judged: list[Any] = []

    def watched(request: Request, phase: Phase) -> Decision:
        if phase is Phase.VALIDATE:
            judged.append(request.object)
        return decided(request, phase)

    would_be(watched, request, Phase.VALIDATE)
    assert judged[0]["spec"]["hardware"]["accelerator"] == "cuda"
    assert request.object == creation(source="https://example.com/m.gguf", hardware={"gpu": {"count": 1}}).object


def test_what_deny_would_let_in_gets_the_same_answer() -> None:
    decision = would_be(decided, creation(source="https://example.com/m.gguf"), Phase.VALIDATE)
    assert let_in(decision, Phase.VALIDATE).warnings == tuple(decision.warnings)
