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
    model_name, pool = _key(request.object)
    if not (isinstance(model_name, str) and model_name and isinstance(pool, str) and pool):
        return
    namespace = request.namespace or namespace_of(request.object)
    own_name = name_of(request.object) or request.name
    for other in facts.objects.list(request.gvk.group, "InferenceModel", namespace):
        if name_of(other) != own_name and _key(other) == (model_name, pool):
            yield RULE.finding(
                ("spec", "modelName"),
                f'"{model_name}" is taken in pool "{pool}" by InferenceModel "{name_of(other)}"',
                found=model_name,
                expected="a name that no other InferenceModel of the pool has",
                hint="choose another modelName, or change the object that has it",
            )
            return
    if not facts.objects.complete:
        yield RULE.unchecked("not all InferenceModels of the cluster are known")


def _key(obj: JSONObject) -> tuple[object, object]:
    spec = spec_of(obj)
    return spec.get("modelName"), lookup(spec, ("poolRef", "name"))


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
