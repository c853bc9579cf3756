"""The pool that an object refers to isn't there.

`poolRef` names an InferencePool of the same namespace; there is no field for another one. A missing pool is never reported: the object
just gets no traffic. Create the pool, or correct the name. It may come later in the same rollout, so this warns.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go; upstream issue 517.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import GROUPS, READ_BY_OTHERS
from policies.families.inference_extension.subject.pool_reference import referred
from policies.findings import Finding, Severity, Unchecked
from policies.objects import name_of
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = referred(request)
    if not pool.name or any(facts.objects.get(group, "InferencePool", pool.namespace, pool.name) is not None for group in GROUPS):
        return
    if not facts.objects.knows_all(pool.group, "InferencePool"):
        yield RULE.unchecked("not all InferencePools of the cluster are known")
        return
    names = [name_of(obj) for group in GROUPS for obj in facts.objects.list(group, "InferencePool", pool.namespace)]
    yield RULE.finding(
        ("spec", "poolRef", "name"),
        f'namespace "{pool.namespace}" has no InferencePool "{pool.name}"',
        found=pool.name,
        nearest=similar(pool.name, names, otherwise=3),
        hint="create the pool in the same namespace, or correct the name",
    )


RULE = Rule(
    id="GIE-002",
    name="pool-missing",
    severity=Severity.WARNING,
    kinds=("InferenceModel", "InferenceObjective", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 pkg/epp/controller/inferencemodel_reconciler.go",
    reads=READ_BY_OTHERS,
    is_about_reference=True,
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad="modelName: llama-3\npoolRef: {name: pol}",
)
