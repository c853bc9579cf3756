"""A model name is empty, so no request can name it and no server has it.

The CRDs set no minimum length for `spec.modelName` and the names of targets. A picker looks up the exact name from the request's body, and
a target with an empty name replaces that name by an empty one. Write the name that clients send, or that the servers know.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from itertools import chain

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Targets, Violation, targets


@targets.error(good="accepts-a-target-with-a-name", bad="refuses-an-empty-target-name")
def check(targets: Targets, given: Given) -> Said:
    if not given.spec and given.kind == "InferenceModel":
        yield Violation(("spec",), "is missing, so no request can name the model", expected="modelName and poolRef")
    model_name = given.spec.get("modelName")
    if isinstance(model_name, str) and not model_name.strip():
        yield Violation(("spec", "modelName"), "is empty, so no request can name it", expected="the name that clients send as model")
    for target in chain.from_iterable(targets):
        if target.name is not None and not target.name.strip():
            yield Violation(target.name_path, "is empty, and no server has such a model", expected="a model that the servers have")
