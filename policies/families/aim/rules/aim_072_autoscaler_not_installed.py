"""A service scales, and the cluster has no KEDA.

With `autoScaling` the operator leaves the scaling to KEDA; aim-engine does so with `minReplicas` or `maxReplicas` alone, and waits for
the autoscaler: without KEDA the service stays Starting.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.families.installed import NOT_KNOWN, is_installed
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    spec = spec_of(request.object)
    fields = ("autoScaling",) if request.gvk.group == OLD else ("autoScaling", "minReplicas", "maxReplicas")
    asked = next((name for name in fields if spec.get(name) is not None), "")
    if not asked:
        return
    installed = is_installed("keda.sh", facts)
    if installed is None:
        yield RULE.unchecked(NOT_KNOWN)
    elif not installed:
        yield RULE.finding(
            ("spec", asked),
            "needs KEDA, whose CRDs (keda.sh) aren't installed" + ("" if request.gvk.group == OLD else "; the service stays Starting"),
            hint="install KEDA, or set replicas instead",
        )


RULE = Rule(
    id="AIM-072",
    name="autoscaler-not-installed",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go",
    mirrors="condition HPAReady, HPANotFound",
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    beside="apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}",
    check=_check,
    good="""\
model: {name: llama}
replicas: 2""",
    bad="""\
model: {name: llama}
minReplicas: 1
maxReplicas: 2""",
)
