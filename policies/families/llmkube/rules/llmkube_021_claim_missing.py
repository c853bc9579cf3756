"""The claim that holds the model isn't there, or isn't bound.

A source ``pvc://CLAIM/PATH`` is mounted from the Model's own namespace. Without the claim the Model fails with
PVCNotFound until it appears; with one that isn't bound it stays Pending with PVCNotBound, for good where the claim's
storage class waits for a first consumer, since no pod is made before the Model is Ready. A claim may come after its
Model, so this only warns.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.subject.source import parse
from policies.families.references import CLAIMS
from policies.fields import part, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    written = text(spec_of(request.object), "source")
    if not written.startswith("pvc://"):
        return
    source = parse(written, operator_for(request, facts, config))
    if source.problem:
        return
    namespace = namespace_of(request.object) or request.namespace
    missing = CLAIMS.is_missing(facts, namespace, source.claim)
    if missing is None:
        yield RULE.unchecked(CLAIMS.unknown)
    elif missing:
        yield RULE.finding(
            ("spec", "source"),
            f'PersistentVolumeClaim "{source.claim}" doesn\'t exist in namespace "{namespace}"; the Model fails until it does',
            found=source.claim,
            nearest=CLAIMS.nearest(facts, namespace, source.claim, otherwise=0),
        )
    phase = text(part(CLAIMS.get(facts, namespace, source.claim), "status"), "phase")
    if phase and phase != "Bound":
        yield RULE.finding(
            ("spec", "source"),
            f'PersistentVolumeClaim "{source.claim}" is {phase}; the Model waits until it is Bound',
            found=phase,
            hint="with volumeBindingMode WaitForFirstConsumer, the claim stays Pending until another pod mounts it",
        )


RULE = Rule(
    id="LLMKUBE-021",
    name="claim-missing",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_controller.go",
    mirrors="Model conditions PVCNotFound and PVCNotBound",
    reads=("Deployment.apps", "PersistentVolumeClaim"),
    is_about_reference=True,
    is_about_failure=True,
    beside="{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: weights, namespace: default}, status: {phase: Bound}}",
    check=_check,
    good="source: pvc://weights/llama/model.gguf",
    bad="source: pvc://weight/llama/model.gguf",
)
