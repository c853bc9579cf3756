"""A model name is empty, so no request can ask for it and no server has it.

Neither `spec.modelName` nor a target's name has a minimum length in the CRDs. The lookup is by the exact name in the request's body, and
a target with an empty name rewrites that to nothing. Write the name that clients send, or that the servers know.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.inference_extension.subject.targets import target_lists
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object if isinstance(request.object, dict) else None)
    if not spec and request.gvk.kind == "InferenceModel":
        yield RULE.finding(("spec",), "is missing, so no request can ask for the model", expected="modelName and poolRef")
    model_name = spec.get("modelName")
    if isinstance(model_name, str) and not model_name.strip():
        yield RULE.finding(("spec", "modelName"), "is empty, so no request can ask for it", expected="the name that clients send as model")
    for target in (target for targets in target_lists(request.object) for target in targets):
        if target.name is not None and not target.name.strip():
            yield RULE.finding(target.name_path, "is empty, and no server has such a model", expected="a model that the servers have")


RULE = Rule(
    id="GIE-004",
    name="name-empty",
    severity=Severity.ERROR,
    kinds=("InferenceModel", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 pkg/epp/datastore/datastore.go",
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}",
    bad='modelName: ""\npoolRef: {name: pool}',
)
