"""The claim that holds the model isn't there, or isn't bound.

A source ``pvc://CLAIM/PATH`` is mounted from the Model's own namespace. Without the claim the Model fails with
PVCNotFound until it appears; with one that isn't bound it stays Pending with PVCNotBound, for good where the claim's
storage class waits for a first consumer, since no pod is made before the Model is Ready. A claim may come after its
Model, so this only warns.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Model, Said, Violation, part, sources, text
from weighbridge.policies.families.references import CLAIMS

_HINT: Final = "with volumeBindingMode WaitForFirstConsumer, the claim stays Pending until another pod mounts it"


@sources.warning(
    about=REFERENCE | FAILURE,
    mirrors="Model conditions PVCNotFound and PVCNotBound",
    reads=("Deployment.apps", "PersistentVolumeClaim"),
    good="accepts-a-bound-claim",
    bad="warns-of-a-claim-that-is-not-bound",
)
def check(model: Model, given: Given) -> Said:
    if not text(model.spec, "source").startswith("pvc://") or model.source.problem:
        return
    name, namespace = model.source.claim, model.namespace
    missing = f'PersistentVolumeClaim "{name}" doesn\'t exist in namespace "{namespace}"; the Model fails until it does'
    yield from CLAIMS.missing(given, ("spec", "source"), name, missing, namespace=namespace, otherwise=0)
    phase = text(part(CLAIMS.get(model.facts, namespace, name), "status"), "phase")
    if phase and phase != "Bound":
        said = f'PersistentVolumeClaim "{name}" is {phase}; the Model waits until it is Bound'
        yield Violation(("spec", "source"), said, found=phase, hint=_HINT)
