"""The claim that holds the model doesn't exist, or isn't bound.

The operator mounts a source ``pvc://CLAIM/PATH`` from the Model's own namespace. If the claim doesn't exist, the Model
fails with PVCNotFound until it does. If the claim isn't bound, the Model stays Pending with PVCNotBound. That lasts for
ever if the claim's storage class waits for a first consumer, because the operator creates no pod before the Model is
Ready. A claim may come after its Model, so the rule only warns.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Model, Said, Violation, part, sources, text
from weighbridge.policies.families.references import CLAIMS

_HINT: Final = "with volumeBindingMode WaitForFirstConsumer, the claim stays Pending until another pod mounts it"


@sources.warning(
    topic="Models: source, files and download",
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
