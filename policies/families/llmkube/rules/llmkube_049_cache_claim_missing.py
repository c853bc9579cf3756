"""The claim that a service names as its model cache doesn't exist.

`modelCache.claimName` names a PersistentVolumeClaim of the same namespace, which the operator never creates. Without it the
service is Failed. The claim may come later in the same rollout, so the rule warns by default. The configuration's `references`
can make it an error.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from weighbridge.policies.families.llmkube.predictions.storage import cache
from weighbridge.policies.families.llmkube.rulebook import FAILURE, PLACEMENT, REFERENCE, Given, Said, Service, off_metal
from weighbridge.policies.families.llmkube.subject.source import SourceKind
from weighbridge.policies.families.references import CLAIMS


@off_metal.warning(
    topic="Services: their Model and its weights",
    about=REFERENCE | PLACEMENT | FAILURE,
    mirrors="event ModelCachePVCNotFound, phase Failed",
    reads=("Deployment.apps", "Model", "PersistentVolumeClaim"),
    good="accepts-a-cache-claim",
    bad="warns-of-a-missing-cache-claim",
)
def check(service: Service, given: Given) -> Said:
    name = cache.own_claim(service.object, service.operator)
    if name and not cache.is_declined(service.object, service.operator) and service.source.kind is not SourceKind.CLAIM:
        path = ("spec", "modelCache", "claimName")
        hint = "create the claim in the same namespace, or remove the field for the operator's own cache"
        message = f'namespace "{service.namespace}" has no PersistentVolumeClaim "{name}"'
        yield from CLAIMS.missing(given, path, name, message, hint=hint, namespace=service.namespace)
