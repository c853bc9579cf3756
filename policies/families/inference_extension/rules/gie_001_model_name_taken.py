"""Another InferenceModel of the same pool already has this model name.

`spec.modelName` is one per pool. The reference endpoint picker keeps the older object and ignores the newer with only a
line in its log; equal timestamps are settled by chance. The new object would never route a request.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, lookup, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    model_name, pool = _names(request.object)
    if not model_name or not pool:
        return
    own_name = name_of(request.object) or request.name
    for other in facts.objects.where(request.gvk.group, "InferenceModel", _key, (namespace, model_name, pool)):
        if name_of(other) != own_name:
            yield RULE.finding(
                ("spec", "modelName"),
                f'"{model_name}" is taken in pool "{pool}" by InferenceModel "{name_of(other)}"',
                found=model_name,
                expected="a name that no other InferenceModel of the pool has",
                hint="choose another modelName, or change the object that has it",
            )
            return
    if not facts.objects.knows_all(request.gvk.group, "InferenceModel"):
        yield RULE.unchecked("not all InferenceModels of the cluster are known")


def _names(obj: JSONObject) -> tuple[str, str]:
    spec = spec_of(obj)
    model_name, pool = spec.get("modelName"), lookup(spec, ("poolRef", "name"))
    return model_name if isinstance(model_name, str) else "", pool if isinstance(pool, str) else ""


def _key(obj: JSONObject) -> tuple[str, str, str]:
    """What of an InferenceModel must be its own."""
    return (namespace_of(obj), *_names(obj))


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
