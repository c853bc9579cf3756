"""A KV cache with this name exists, so the operator ignores the service's settings for it.

The name is `kvCache.name`, else `kvcache-<namespace>`, which all services of the namespace share. The operator creates the cache with
the first service's settings, and reads only the name from the others. Name another cache, or change the AIMKVCache.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go.
"""

from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, old_specs
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of


@old_specs.warning(
    kinds=("AIMService",),
    reads=("AIMKVCache.aim.silogen.ai",),
    good="accepts-a-kv-cache-of-its-own-name",
    bad="warns-of-a-kv-cache-that-exists-with-another-image",
)
def check(spec: JSONObject, given: Given) -> Said:
    wanted = part(spec, "kvCache")
    name = text(wanted, "name") or f"kvcache-{given.namespace}"
    there = Referent(given.group, "AIMKVCache").get(given.facts, given.namespace, name) if wanted else None
    if there is None or any(text(owner, "name") == given.name for owner in items(metadata_of(there), "ownerReferences")):
        return
    for key in ("image", "resources", "storage", "env"):
        if key in wanted and wanted[key] != spec_of(there).get(key):
            yield Violation(
                ("spec", "kvCache", key),
                f'AIMKVCache "{name}" already exists with another {key}, and stays as it is',
                hint="give kvCache.name another name, or change the AIMKVCache",
            )
