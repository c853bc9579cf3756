"""An InferenceModel of the same pool that is older already has this model name.

`spec.modelName` is one per pool. The reference endpoint picker keeps the older object and passes over the newer with only a line in its
log, so the newer one never routes a request. Choose another name, or change the object that has it. A model that is moved to another pool
is refused a name that is taken there, whichever is older: the picker would let the older one push the other out. Where the two name pools
of different groups this only warns, since the picker of v0.5.1 compares the pools' names alone.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.creation import is_earlier
from policies.families.family import Rule, spec_of
from policies.families.inference_extension.kinds import MODEL
from policies.families.inference_extension.subject.pool_reference import reference_of, referred
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    model_name, pool = text(spec_of(request.object), "modelName"), referred(request)
    if not model_name or not pool.name:
        return
    old = request.old_object if isinstance(request.old_object, dict) else None
    stored = request.object if old is None else old
    is_moved = old is not None and reference_of(old, MODEL.kind, pool.namespace).name != pool.name
    own_name = name_of(request.object) or request.name
    for other in facts.objects.where(MODEL.group, MODEL.kind, _key, (pool.namespace, model_name, pool.name)):
        if name_of(other) == own_name or not (is_moved or is_earlier(other, stored)):
            continue
        found = RULE.finding(
            ("spec", "modelName"),
            f'"{model_name}" is taken in pool "{pool.name}" by InferenceModel "{name_of(other)}"',
            found=model_name,
            expected="a name that no other InferenceModel of the pool has",
            hint="choose another modelName, or change the object that has it",
        )
        is_same = reference_of(other, MODEL.kind, pool.namespace).group == pool.group
        yield found if is_same else replace(found, severity=Severity.WARNING)
        return
    if not facts.objects.knows_all(MODEL.group, MODEL.kind):
        yield RULE.unchecked("not all InferenceModels of the cluster are known")


def _key(obj: JSONObject) -> tuple[str, str, str]:
    """What of an InferenceModel must be its own."""
    namespace = namespace_of(obj)
    return namespace, text(spec_of(obj), "modelName"), reference_of(obj, MODEL.kind, namespace).name


RULE = Rule(
    id="GIE-001",
    name="model-name-taken",
    severity=Severity.ERROR,
    kinds=("InferenceModel",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 pkg/epp/datastore/datastore.go",
    reads=("InferenceModel",),
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad="modelName: taken\npoolRef: {name: pool}",
)
