"""The claim of a service's Model doesn't exist.

A Model with a source ``pvc://CLAIM/PATH`` fails until the claim exists in its namespace, and the operator creates nothing for a service
before its Model is Ready. The claim may come later in the same rollout, so the rule warns by default. The configuration's `references` can
make it an error.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; internal/controller/model_controller.go.
"""

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import FAILURE, PREDICTED, REFERENCE, Said, Service, Violation, services
from weighbridge.policies.families.llmkube.subject.source import parse
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import name_of, namespace_of


@services.warning(
    topic="Services: their Model and its weights",
    about=REFERENCE | FAILURE,
    mirrors="phase Pending, Waiting for Model to be Ready",
    reads=PREDICTED,
    good="accepts-gpus-that-a-node-has-for-a-service",
    bad="warns-of-a-service-whose-claim-is-not-there",
)
def check(service: Service) -> Said:
    for path, model, state in service.models:
        if state.lacks_claim:
            name = name_of(model)
            message = f"Model {name} fails, and the operator creates nothing for the service until the Model is Ready: {state.problem}"
            claim = parse(text(spec_of(model), "source"), service.operator).claim
            nearest = CLAIMS.nearest(service.facts, namespace_of(model), claim, otherwise=0)
            yield Violation(path, message, found=name, nearest=nearest, hint="create the claim first")
