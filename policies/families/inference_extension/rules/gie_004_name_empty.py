"""A model name is empty, so no request can ask for it and no server has it.

Neither `spec.modelName` nor a target's name has a minimum length in the CRDs. The lookup is by the exact name in the request's body, and
a target with an empty name rewrites that to nothing. Write the name that clients send, or that the servers know.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.targets import target_lists


@objects.error(
    kinds=("InferenceModel", "InferenceModelRewrite"),
    good="accepts-a-model-of-a-pool",
    bad="refuses-an-empty-target-name",
)
def check(given: Given) -> Said:
    spec = spec_of(given.object)
    if not spec and given.kind == "InferenceModel":
        yield Violation(("spec",), "is missing, so no request can ask for the model", expected="modelName and poolRef")
    model_name = spec.get("modelName")
    if isinstance(model_name, str) and not model_name.strip():
        yield Violation(("spec", "modelName"), "is empty, so no request can ask for it", expected="the name that clients send as model")
    for target in (target for targets in target_lists(given.object) for target in targets):
        if target.name is not None and not target.name.strip():
            yield Violation(target.name_path, "is empty, and no server has such a model", expected="a model that the servers have")
