"""The storage class of the weights' volumes isn't there.

What counts is the service's class, else that of the runtime configs that apply. A claim of a class that nobody provides waits for good,
and the service with it, in Starting. By default this warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/aimartifact; kaiwo dbca1b55 internal/controller/aim/shared/storage.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.storage import storage_class
from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.families.aim.subject.references import STORAGE_CLASSES
from weighbridge.policies.families.aim.subject.service import serving_of
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import Path, lookup
from weighbridge.policies.ground.request import Request


@objects.warning(
    kinds=("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMArtifact", "AIMModelCache", "AIMTemplateCache"),
    about=REFERENCE,
    reads=tuple(sorted((*SERVICE_READS, "StorageClass.storage.k8s.io"))),
    good="accepts-a-storage-class-that-is-there",
    bad="warns-of-a-storage-class-that-is-missing",
)
def check(given: Given) -> Said:
    path, name = _class(*given)
    missing = STORAGE_CLASSES.is_missing(given.facts, "", name) if name else False
    if missing is None:
        yield NotChecked(STORAGE_CLASSES.unknown)
    elif missing:
        yield Violation(
            ("spec", *path),
            f'the cluster has no StorageClass "{name}"; volumes of it are never made',
            found=name,
            nearest=STORAGE_CLASSES.nearest(given.facts, "", name),
            hint="name a class that is there, or leave it out for the cluster's default",
        )


def _class(request: Request, facts: Facts, config: Configuration) -> tuple[Path, str]:
    """The class and the field that it comes from, or would have to come from."""
    spec, moved = spec_of(request.object), ("storage", "defaultStorageClassName")
    if request.gvk.kind == "AIMService":
        serving = serving_of(request, facts, config)
        path: Path = ("defaultStorageClassName",) if request.gvk.group == OLD else moved
        return path, storage_class(serving.dialect, serving.spec, serving.config.spec) if serving is not None else ""
    if request.gvk.kind.endswith("Config"):
        own = lookup(spec, moved)
        return (moved, own) if isinstance(own, str) and own else (moved[1:], text(spec, moved[1]))
    return ("storageClassName",), text(spec, "storageClassName")
