"""A field of a service that its operator never reads.

aim-engine takes `cacheModel`, the annotations of a route and `storage.pvcHeadroomPercent` from the runtime config alone, drops resource
claims, and runs `caching.mode: Never` as Dedicated. kaiwo never reads `labelPropagation`, and gives the pods the account of the template.
Where `minReplicas`, `maxReplicas` or `autoScaling` is set, both ignore `replicas` and start with `minReplicas`. The CRD writes `replicas:
1` into each service, so a 1 is reported only if the author's manifest is known to name it. Remove the field, and use what the hint names.

Source: aim-engine v0.2.1, internal/aimservice; kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go and shared/kserve.go.
"""

from typing import Final

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.caches.storage import HEADROOM
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, lookup, objects, part, text
from weighbridge.policies.families.fill.authorship import Authorship

#: What has no effect, with what has; of aim-engine, then of kaiwo.
_IGNORED = (
    {
        ("cacheModel",): "use spec.caching.mode",
        ("routing", "annotations"): "set routing.annotations in the runtime config",
        ("storage", "pvcHeadroomPercent"): "set storage.pvcHeadroomPercent in the runtime config",
        ("resources", "claims"): "ask for GPUs as extended resources",
    },
    {
        ("labelPropagation",): "all labels of a service go to its InferenceService",
        ("serviceAccountName",): "set it in the template",
    },
)

#: The fields that replace `replicas`.
_BOUNDS: Final = ("minReplicas", "maxReplicas", "autoScaling")


@objects.warning(kinds=("AIMService",), good="accepts-a-caching-mode", bad="warns-of-cache-model-in-the-new-group")
def check(given: Given) -> Said:
    spec = given.spec
    for path, instead in _IGNORED[given.group == OLD].items():
        found = lookup(spec, path)
        if found not in (None, "", [], {}, False) and not (path[-1] == "pvcHeadroomPercent" and found == HEADROOM):
            yield Violation(("spec", *path), "has no effect in a service", hint=instead)
    if given.group != OLD and text(part(spec, "caching"), "mode") == "Never":
        yield Violation(
            ("spec", "caching", "mode"), "Never acts as Dedicated: a cache is made all the same", found="Never", expected="Dedicated"
        )
    over, replicas = [name for name in _BOUNDS if spec.get(name) is not None], spec.get("replicas")
    if over and replicas is not None and (replicas != 1 or Authorship.of_request(given.request).is_named(("spec", "replicas"))):
        yield Violation(
            ("spec", "replicas"),
            f"replicas has no effect together with {' and '.join(over)}",
            found=str(replicas),
            hint="remove it; minReplicas says how many there are at first",
        )
