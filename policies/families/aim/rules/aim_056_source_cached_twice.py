"""Another cache of the namespace has the same source and storage class.

The operator identifies a cache only by its source, and doesn't keep sources unique. It downloads the weights twice. Services use the
first cache that is available, and the other one wastes its volume. Use the existing cache.

Source: aim-engine v0.2.1, internal/aimartifact; kaiwo dbca1b55, internal/controller/aim/aimmodelcache_controller.go.
"""

from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of


@objects.warning(
    kinds=("AIMArtifact", "AIMModelCache"),
    reads=("AIMArtifact", "AIMModelCache.aim.silogen.ai"),
    good="accepts-a-source-that-is-cached-in-another-class",
    bad="warns-of-a-source-that-is-cached-already",
)
def check(given: Given) -> Said:
    cached = _cached(given.spec)
    others = given.facts.objects.where(given.group, given.kind, _filed, (given.namespace, *cached)) if cached[0] else ()
    for other in others:
        if name_of(other) != given.name and not items(metadata_of(other), "ownerReferences"):
            yield Violation(
                ("spec", "sourceUri"),
                f"{given.kind} {name_of(other)} caches the same source",
                found=cached[0],
                hint="use that one, and remove this",
            )
            return


def _filed(cache: JSONObject) -> tuple[str, str, str]:
    return namespace_of(cache), *_cached(spec_of(cache))


def _cached(spec: JSONObject) -> tuple[str, str]:
    return text(spec, "sourceUri"), text(spec, "storageClassName")
