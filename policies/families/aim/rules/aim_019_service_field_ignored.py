"""A service sets a field that its operator never reads.

aim-engine reads `cacheModel`, the annotations of a route and `storage.pvcHeadroomPercent` only from the runtime config, drops resource
claims, and treats `caching.mode: Never` as Dedicated. kaiwo never reads `labelPropagation`, and gives the pods the service account of the
template. If `minReplicas`, `maxReplicas` or `autoScaling` is set, both ignore `replicas` and start with `minReplicas`. The CRD defaults
`replicas` to 1, so the rule reports a 1 only if the author's manifest is known to have it. Remove the field, and use the one that the
hint names.

Source: aim-engine v0.2.1, internal/aimservice; kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go and shared/kserve.go.
"""

from typing import Final

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.caches.storage import HEADROOM
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, lookup, objects, part, text
from weighbridge.policies.families.fill.authorship import Authorship

#: Fields without an effect, with the fields that have it: for aim-engine, then for kaiwo.
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
            ("spec", "caching", "mode"), "Never acts as Dedicated: a cache is created anyway", found="Never", expected="Dedicated"
        )
    over, replicas = [name for name in _BOUNDS if spec.get(name) is not None], spec.get("replicas")
    if over and replicas is not None and (replicas != 1 or Authorship.of_request(given.request).is_named(("spec", "replicas"))):
        yield Violation(
            ("spec", "replicas"),
            f"replicas has no effect together with {' and '.join(over)}",
            found=str(replicas),
            hint="remove it; minReplicas says how many there are at first",
        )
