"""The claim that holds the model isn't there, or isn't bound.

A source ``pvc://CLAIM/PATH`` is mounted from the Model's own namespace. Without the claim the Model fails with
PVCNotFound until it appears; with one that isn't bound it stays Pending with PVCNotBound, for good where the claim's
storage class waits for a first consumer, since no pod is made before the Model is Ready. A claim may come after its
Model, so this only warns.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.source import parse
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import namespace_of


@objects.warning(
    kinds=("Model",),
    about=REFERENCE | FAILURE,
    mirrors="Model conditions PVCNotFound and PVCNotBound",
    reads=("Deployment.apps", "PersistentVolumeClaim"),
    good="accepts-a-bound-claim",
    bad="warns-of-a-claim-that-is-not-bound",
)
def check(given: Given) -> Said:
    written = text(given.spec, "source")
    if not written.startswith("pvc://"):
        return
    source = parse(written, operator_for(*given))
    if source.problem:
        return
    namespace = namespace_of(given.object) or given.request.namespace
    missing = CLAIMS.is_missing(given.facts, namespace, source.claim)
    if missing is None:
        yield NotChecked(CLAIMS.unknown)
    elif missing:
        yield Violation(
            ("spec", "source"),
            f'PersistentVolumeClaim "{source.claim}" doesn\'t exist in namespace "{namespace}"; the Model fails until it does',
            found=source.claim,
            nearest=CLAIMS.nearest(given.facts, namespace, source.claim, otherwise=0),
        )
    phase = text(part(CLAIMS.get(given.facts, namespace, source.claim), "status"), "phase")
    if phase and phase != "Bound":
        yield Violation(
            ("spec", "source"),
            f'PersistentVolumeClaim "{source.claim}" is {phase}; the Model waits until it is Bound',
            found=phase,
            hint="with volumeBindingMode WaitForFirstConsumer, the claim stays Pending until another pod mounts it",
        )
