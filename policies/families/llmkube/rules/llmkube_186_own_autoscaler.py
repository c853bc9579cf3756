"""An autoscaler of one's own acts on what LLMKube owns.

LLMKube keeps the live number of replicas of its Deployment only where `spec.autoscaling` is set. Otherwise each reconcile sets it back to
`spec.replicas`, and the two fight. With `spec.autoscaling` LLMKube makes a HorizontalPodAutoscaler itself, and two of them undo each
other's work. An autoscaler of the InferenceService itself never scales: the scale subresource has no selector, which autoscalers need. Set
`spec.autoscaling` instead.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go and api/v1alpha1; upstream issue 1881.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.foreign_autoscalers import READ, Autoscaler, Target, foreign_autoscalers
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.findings import Finding, Severity
from policies.request import Request

_GROUP: Final = "inference.llmkube.dev"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    namespace, name = request.namespace, request.name
    has_own = isinstance(spec_of(request.object).get("autoscaling"), dict)
    why = f'Deployment "{name}", which the operator\'s own HorizontalPodAutoscaler scales, too'
    if not has_own:
        why = f'Deployment "{name}", and LLMKube sets its replicas back at each reconcile'
    for autoscaler in foreign_autoscalers(facts, Target("apps", "Deployment", namespace, name)):
        yield _finding(autoscaler, why, has_own=has_own)
    for autoscaler in foreign_autoscalers(facts, Target(_GROUP, "InferenceService", namespace, name)):
        yield _finding(autoscaler, "this service, whose scale subresource has no selector, so it never scales", has_own=has_own)


def _finding(autoscaler: Autoscaler, why: str, *, has_own: bool) -> Finding:
    hint = f"remove the {autoscaler.kind}" if has_own else f"set spec.autoscaling instead, and remove the {autoscaler.kind}"
    return RULE.finding(("metadata", "name"), f"{autoscaler} scales {why}", found=str(autoscaler), expected="spec.autoscaling", hint=hint)


RULE = Rule(
    id="LLMKUBE-186",
    name="own-autoscaler",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go; issue 1881",
    reads=READ,
    check=_check,
    good="metadata: {name: scaled}\nspec: {modelRef: gguf, autoscaling: {maxReplicas: 4}}",
    bad="metadata: {name: chat}\nspec: {modelRef: gguf}",
    beside=(
        f"{GGUF_MODEL}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: mine, namespace: default}}\n"
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}, maxReplicas: 4}"
    ),
)
