"""The pool that an InferenceModel refers to isn't there.

`poolRef` names an InferencePool of the same namespace; a missing one is never reported, the model just gets no traffic.
It may come later in the same rollout, so this warns.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity, Unchecked
from policies.objects import lookup, name_of, namespace_of
from policies.request import Request
from policies.spelling import similar

#: The groups that have shipped an InferencePool; the endpoint picker compares names alone.
_GROUPS = ("inference.networking.x-k8s.io", "inference.networking.k8s.io")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    pool = lookup(spec_of(request.object), ("poolRef", "name"))
    namespace = request.namespace or namespace_of(request.object)
    if not isinstance(pool, str) or not pool:
        return
    if any(facts.objects.get(group, "InferencePool", namespace, pool) is not None for group in _GROUPS):
        return
    if not any(facts.objects.knows_all(group, "InferencePool") for group in _GROUPS):
        yield RULE.unchecked("not all InferencePools of the cluster are known")
        return
    names = [name_of(obj) for group in _GROUPS for obj in facts.objects.list(group, "InferencePool", namespace)]
    yield RULE.finding(
        ("spec", "poolRef", "name"),
        f'namespace "{namespace}" has no InferencePool "{pool}"',
        found=pool,
        nearest=similar(pool, names, otherwise=3),
        hint="create the pool in the same namespace, or correct the name",
    )


RULE = Rule(
    id="GIE-002",
    name="pool-missing",
    severity=Severity.WARNING,
    kinds=("InferenceModel",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 pkg/epp/controller/inferencemodel_reconciler.go",
    reads=("InferencePool", "InferencePool.inference.networking.k8s.io"),
    is_about_reference=True,
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad="modelName: llama-3\npoolRef: {name: pol}",
)
