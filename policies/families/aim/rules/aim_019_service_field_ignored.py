"""A field of a service that its operator never reads.

aim-engine takes `cacheModel`, the annotations of a route and `storage.pvcHeadroomPercent` from nowhere but the runtime config, drops
resource claims, and runs `caching.mode: Never` as Dedicated. kaiwo never reads `labelPropagation`, and gives the pods the account of the
template. Neither reads `replicas` where `minReplicas`, `maxReplicas` or `autoScaling` is set: it starts with `minReplicas`. The CRD writes
`replicas: 1` into each service, so a 1 is told only where the author's manifest is known to name it.

Source: aim-engine v0.2.1 internal/aimservice; kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go and shared/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.resolve.storage import HEADROOM
from policies.families.family import Rule, spec_of
from policies.families.filling.authorship import Authorship
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request

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

#: What stands for `replicas`.
_BOUNDS: Final = ("minReplicas", "maxReplicas", "autoScaling")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for path, instead in _IGNORED[request.gvk.group == OLD].items():
        found = lookup(spec, path)
        if found not in (None, "", [], {}, False) and not (path[-1] == "pvcHeadroomPercent" and found == HEADROOM):
            yield RULE.finding(("spec", *path), "has no effect in a service", hint=instead)
    if request.gvk.group != OLD and text(part(spec, "caching"), "mode") == "Never":
        yield RULE.finding(
            ("spec", "caching", "mode"), "Never acts as Dedicated: a cache is made all the same", found="Never", expected="Dedicated"
        )
    over, replicas = [name for name in _BOUNDS if spec.get(name) is not None], spec.get("replicas")
    if over and replicas is not None and (replicas != 1 or Authorship.of_request(request).is_named(("spec", "replicas"))):
        message, hint = (
            f"replicas has no effect beside {' and '.join(over)}",
            "remove it; minReplicas says how many there are at first",
        )
        yield RULE.finding(("spec", "replicas"), message, found=str(replicas), hint=hint)


RULE = Rule(
    id="AIM-019",
    name="service-field-ignored",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice; kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go",
    check=_check,
    good="model: {name: llama}",
    bad="model: {name: llama}\ncacheModel: true",
)
