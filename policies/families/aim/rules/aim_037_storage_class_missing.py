"""The storage class of the weights' volumes doesn't exist.

The operator uses the service's class, else the class of its runtime configs. A claim of a class that doesn't exist waits for ever,
and the service stays Starting. Name a class that exists, or leave the class out for the cluster's default. The rule warns by
default. The configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/aimartifact; kaiwo dbca1b55, internal/controller/aim/shared/storage.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.caches.storage import storage_class
from weighbridge.policies.families.aim.predictions.predicted_service import service_of
from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, Path, Said, lookup, objects, reads_of_services, text
from weighbridge.policies.families.aim.subject.references import STORAGE_CLASSES


@objects.warning(
    kinds=("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMArtifact", "AIMModelCache", "AIMTemplateCache"),
    about=REFERENCE,
    reads=reads_of_services("StorageClass.storage.k8s.io"),
    good="accepts-a-storage-class-that-is-there",
    bad="warns-of-a-storage-class-that-is-missing",
)
def check(given: Given) -> Said:
    path, name = _class(given)
    if name:
        message = f'the cluster has no StorageClass "{name}"; its volumes are never created'
        hint = "name a class that exists, or leave it out for the cluster's default"
        yield from STORAGE_CLASSES.missing(given, ("spec", *path), name, message, hint=hint)


def _class(given: Given) -> tuple[Path, str]:
    """The class and the field that it comes from; without one, the field in which it can be set."""
    spec, moved = given.spec, ("storage", "defaultStorageClassName")
    if given.kind == "AIMService":
        service = service_of(*given)
        path: Path = moved[1:] if given.group == OLD else moved
        return path, storage_class(service.dialect, service.spec, service.config.spec) if service is not None else ""
    if given.kind.endswith("Config"):
        own = lookup(spec, moved)
        return (moved, own) if isinstance(own, str) and own else (moved[1:], text(spec, moved[1]))
    return ("storageClassName",), text(spec, "storageClassName")
