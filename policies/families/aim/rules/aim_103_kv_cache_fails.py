"""The KV cache of a service never runs.

kaiwo runs Redis for it, with the image, variables and resources of `spec.kvCache`, or of the AIMKVCache. It checks none of them: the API
server refuses the StatefulSet or the Service, or the existing cache has already failed. The service waits for its cache and gets no
InferenceService. Correct the field, or delete the AIMKVCache that has failed. AIM-027 covers the size of its volume.

Source: kaiwo dbca1b55, internal/controller/aim/aimkvcache_controller.go and aimservice_controller.go (isKVCacheReady); Kubernetes v1.36,
pkg/apis/apps/validation.
"""

from itertools import takewhile
from typing import Final

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.caches.kv_cache import asked, kv_cache_of, redis_of
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Violation, old_specs
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, Path, metadata_of, written

#: The path of the container in a StatefulSet.
_CONTAINER: Final = 5


@old_specs.warning(
    kinds=("AIMKVCache", "AIMService"),
    about=FAILURE,
    reads=("AIMKVCache",),
    good="accepts-a-kv-cache-of-its-own-name",
    bad="refuses-resources-of-a-kv-cache-that-redis-can-not-have",
)
def check(spec: JSONObject, given: Given) -> Said:
    obj = {**given.object, "metadata": {**metadata_of(given.object), "namespace": given.namespace}}
    prefix: tuple[str, ...] = () if given.kind == "AIMKVCache" else ("kvCache",)
    if not prefix:
        cache = redis_of(obj)
    elif asked(obj):
        cache = kv_cache_of(obj, dialect_of(given.group), given.facts)
    else:
        return
    for error in cache.refused:
        if not error.field.endswith("[storage]"):
            path = ("spec", *written(spec, (*prefix, *_field(error))))
            hint = "correct the field, with which kaiwo starts Redis"
            yield Violation(path, f"the API server refuses kaiwo's object for the cache: {error}", hint=hint, severity=Severity.ERROR)
    if cache.failure and not cache.refused:
        yield Violation(("spec", *prefix), cache.failure, hint="delete the AIMKVCache, so that it is made anew")


def _field(error: FieldError) -> Path:
    """The field of the cache from which a refused field of its objects comes."""
    if error.field.startswith("spec.volumeClaimTemplates"):
        return ("storage", *steps(error.field)[-1:])
    return tuple(takewhile(lambda step: isinstance(step, str), steps(error.field)[_CONTAINER:]))
