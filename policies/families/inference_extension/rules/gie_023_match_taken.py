"""An older InferenceModelRewrite of the same pool matches the same model.

Of several rewrites that match a request the older object counts, so this rule never does. A rule without `matches` takes every model, and
is asked only where no exact match is. Match another model, or change the object that has it.

Source: Gateway API Inference Extension v1.5.0, docs/proposals/1816-inferenceomodelrewrite/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.creation import is_earlier
from policies.families.family import Rule
from policies.families.inference_extension.kinds import REWRITE
from policies.families.inference_extension.subject.matches import matches_of
from policies.families.inference_extension.subject.pool_reference import reference_of, referred
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    own, pool = request.object, referred(request)
    if not isinstance(own, dict) or not pool.name:
        return
    stored = request.old_object if isinstance(request.old_object, dict) else own
    for other in facts.objects.where(REWRITE.group, REWRITE.kind, _pool, (pool.namespace, pool.group, pool.name)):
        is_itself = name_of(other) == (name_of(own) or request.name)
        if is_itself or not is_earlier(other, stored):
            continue
        taken = {match.model for match in matches_of(other)}
        for match in matches_of(own):
            if match.model in taken:
                yield RULE.finding(
                    match.path,
                    f'InferenceModelRewrite "{name_of(other)}" is older and matches {match} already',
                    found=match.model,
                    expected="a model that no older rewrite of the pool matches",
                    hint="match another model, or change the older rewrite",
                )
    if not facts.objects.knows_all(REWRITE.group, REWRITE.kind):
        yield RULE.unchecked("not all InferenceModelRewrites of the cluster are known")


def _pool(rewrite: JSONObject) -> tuple[str, str, str]:
    """The pool that a rewrite is for."""
    reference = reference_of(rewrite, REWRITE.kind, namespace_of(rewrite))
    return reference.namespace, reference.group, reference.name


RULE = Rule(
    id="GIE-023",
    name="match-taken",
    severity=Severity.WARNING,
    kinds=("InferenceModelRewrite",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.5.0 docs/proposals/1816-inferenceomodelrewrite/README.md",
    reads=("InferenceModelRewrite",),
    check=_check,
    good="poolRef: {name: pool}\nrules: [{matches: [{model: {type: Exact, value: chat}}], targets: [{modelRewrite: llama-3}]}]",
    bad="poolRef: {name: pool}\nrules: [{matches: [{model: {type: Exact, value: taken}}], targets: [{modelRewrite: llama-3}]}]",
    beside=(
        "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceModelRewrite\nmetadata: {name: older, namespace: default}\n"
        "spec: {poolRef: {name: pool}, rules: [{matches: [{model: {type: Exact, value: taken}}], targets: [{modelRewrite: a}]}]}"
    ),
)
