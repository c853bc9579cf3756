"""A service scales, but the cluster has no KEDA.

With `autoScaling` the operator leaves the scaling to KEDA. aim-engine also does so if only `minReplicas` or `maxReplicas` is set, and waits
for the autoscaler: without KEDA the service stays Starting. Install KEDA, or set `replicas` instead.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.installed import NOT_KNOWN, is_installed


@objects.warning(
    kinds=("AIMService",),
    mirrors="condition HPAReady, HPANotFound",
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    good="accepts-scaling-with-keda",
    bad="warns-of-scaling-without-keda",
)
def check(given: Given) -> Said:
    fields = ("autoScaling",) if given.group == OLD else ("autoScaling", "minReplicas", "maxReplicas")
    asked = next((name for name in fields if given.spec.get(name) is not None), "")
    installed = is_installed("keda.sh", given.facts) if asked else True
    if installed is None:
        yield NotChecked(NOT_KNOWN)
    elif not installed:
        yield Violation(
            ("spec", asked),
            "needs KEDA, whose CRDs (keda.sh) aren't installed" + ("" if given.group == OLD else "; the service stays Starting"),
            hint="install KEDA, or set replicas instead",
        )
