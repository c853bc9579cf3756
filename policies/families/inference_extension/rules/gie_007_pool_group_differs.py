"""The pool is there, but in another API group than the reference says.

The InferencePools of `inference.networking.k8s.io` and `inference.networking.x-k8s.io` are two kinds, and the API server converts neither
into the other. `poolRef.group` has a default that changed with the kind: InferenceModel means the experimental group, InferenceObjective
and InferenceModelRewrite mean the stable one. So a manifest without a group changes its meaning when its kind is swapped, and the picker
of the pool passes the object over. Write the group of the pool.

Source: Gateway API Inference Extension v1.0.0, apix/v1alpha2; upstream issues 1275, 1306 and 1346.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import READ_BY_OTHERS
from policies.families.inference_extension.subject.pool_reference import referred
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = referred(request)
    group = pool.other_group
    if not pool.name or facts.objects.get(pool.group, "InferencePool", pool.namespace, pool.name) is not None:
        return
    if facts.objects.get(group, "InferencePool", pool.namespace, pool.name) is not None:
        yield RULE.finding(
            ("spec", "poolRef", "group"),
            f'InferencePool "{pool.name}" is of group {group}, and poolRef means one of {pool.group or "the core group"}',
            found=pool.group,
            expected=group,
            hint=f"write group: {group}",
        )


RULE = Rule(
    id="GIE-007",
    name="pool-group-differs",
    severity=Severity.WARNING,
    kinds=("InferenceModel", "InferenceObjective", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v1.0.0 apix/v1alpha2; issues 1275, 1306, 1346",
    reads=READ_BY_OTHERS,
    is_about_reference=True,
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad="modelName: llama-3\npoolRef: {name: pool, group: inference.networking.k8s.io}",
)
