"""A field that can't be changed is removed, or set on an object that had none.

The CRD compares the field only where both objects have it, so this passes, and with two updates any change does. The operator made its
objects of the old value: profiles, caches and running services keep it. Make a new template instead.

Source: aim-engine v0.2.1 api/v1alpha1; kaiwo dbca1b55 apis/aim/v1alpha1/aimservicetemplate_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.operation is not Operation.UPDATE or not isinstance(request.old_object, dict):
        return
    old, new = spec_of(request.old_object), spec_of(request.object)
    for name in ("metric", "precision", dialect_of(request.gvk.group).hardware[0]):
        if (name in old) is not (name in new):
            what = "is removed" if name in old else "is set on a template that had none"
            yield RULE.finding(
                ("spec", name),
                f"{name} {what}, though it can't be changed: what was made of the template stays",
                hint="make a new template",
            )


RULE = Rule(
    id="AIM-074",
    name="immutable-field-removed",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 api/v1alpha1; kaiwo dbca1b55 apis/aim/v1alpha1/aimservicetemplate_types.go",
    beside=READY,
    check=_check,
    good="""\
spec: {modelName: llama, metric: latency}
old: {modelName: llama, metric: latency}""",
    bad="""\
spec: {modelName: llama}
old: {modelName: llama, metric: latency}""",
)
