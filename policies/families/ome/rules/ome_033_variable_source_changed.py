"""A service changes the kind of value of a runtime's variable.

OME merges the two field by field, so a variable that has a `value` in the runtime and a `valueFrom` in the service gets both, and the
other way round. The API server refuses the Deployment. Keep the kind of value, or change it in the runtime too.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, JSONObject, Said, Service, Violation, deployed, items, text


@deployed.error(about=FAILURE, good="accepts-a-reference-over-a-reference", bad="refuses-a-value-over-a-reference")
def check(service: Service) -> Said:
    for component, own, base, title in service.merges:
        variables = {text(one, "name"): one for one in items(base, "runner", "env")}
        for index, variable in enumerate(items(own, "runner", "env")):
            here, there = _kind(variable), _kind(variables.get(text(variable, "name"), {}))
            if here and there and here != there:
                yield Violation(
                    ("spec", component, "runner", "env", index),
                    f"it has {here} here and {there} in {title}, so it has both after the merge, which the API server refuses",
                    found=here,
                    expected=there,
                )


def _kind(variable: JSONObject) -> str:
    """The field that gives a variable its value; empty if none does."""
    return next((key for key in ("value", "valueFrom") if variable.get(key)), "")
