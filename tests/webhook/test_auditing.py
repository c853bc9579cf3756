"""Mode audit: requests are judged as in mode deny, and nothing is refused or filled in."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.prepare import is_drawn
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.configuration import parse
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


_NEW: dict[str, tuple[str, dict[str, Any]]] = {
    "Model": ("inference.llmkube.dev/v1alpha1", {"source": "https://example.com/m.gguf"}),
    "AIMService": ("aim.eai.amd.com/v1alpha1", {"model": {"image": "docker.io/amdenterpriseai/aim-base:0.9"}}),
    "BaseModel": ("ome.io/v1beta1", {"storage": {"storageUri": "hf://a/b"}}),
    "OpenModel": ("llmaz.io/v1alpha1", {"familyName": "opt", "source": {"modelHub": {"modelID": "facebook/opt-125m"}}}),
    "InferencePool": ("inference.networking.k8s.io/v1", {"selector": {"matchLabels": {"a": "b"}}, "targetPorts": [{"number": 80}]}),
}


@pytest.mark.parametrize("kind", _NEW)
def test_the_mutating_webhook_is_asked_before_the_server_draws_a_name(kind: str) -> None:
    api_version, spec = _NEW[kind]
    group, _, version = api_version.partition("/")
    policy = {
        "id": "POLICY-001",
        "name": "unnamed",
        "match": {"kinds": [f"{kind}.{group}"]},
        "fillIns": [{"fieldPath": ".metadata.labels['named']", "expression": "has(object.metadata.name) ? object.metadata.name : 'no'"}],
        "validations": [{"expression": "object.metadata.labels['named'] == 'no'", "message": "had a name"}],
    }
    config = parse({"policies": [policy]})
    gvk = GroupVersionKind(group, version, kind)
    metadata = {"generateName": "m-", "name": "m-b2c4d", "namespace": "a", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"}
    obj: dict[str, Any] = {"apiVersion": api_version, "kind": kind, "metadata": {**metadata, "generation": 1}, "spec": spec}
    seen: dict[Phase, Any] = {}

    def watched(request: Request, phase: Phase) -> Decision:
        assert isinstance(request.object, dict)
        seen[phase] = request.object["metadata"], request.name
        return decide(request, _FACTS, config, phase)

    decision = would_be(watched, Request("uid", Operation.CREATE, gvk, obj, namespace="a", name="m-b2c4d"), Phase.VALIDATE)
    assert "POLICY-001" not in {finding.rule for finding in decision.findings}, decision.findings
    assert {"name", "uid", "creationTimestamp", "generation"}.isdisjoint(seen[Phase.MUTATE][0])
    assert seen[Phase.MUTATE][1] == ""
    assert seen[Phase.VALIDATE][0]["labels"] == {"named": "no"}
    assert obj["metadata"].items() <= seen[Phase.VALIDATE][0].items()
    assert seen[Phase.VALIDATE][1] == "m-b2c4d"


@pytest.mark.parametrize(
    ("name", "base", "expected"),
    [
        ("m-b2c4d", "m-", True),
        ("m-b2c4", "m-", False),
        ("m-b2c4da", "m-", False),
        ("m-b2c4a", "m-", False),
        ("n-b2c4d", "m-", False),
        ("b2c4d", "", False),
        ("a" * 58 + "xxxxx", "a" * 70, True),
        ("a" * 57 + "xxxxx", "a" * 70, False),
    ],
)
def test_a_name_is_drawn_where_it_is_the_base_and_five_of_the_servers_characters(name: str, base: str, expected: bool) -> None:
    assert is_drawn(name, base) is expected
