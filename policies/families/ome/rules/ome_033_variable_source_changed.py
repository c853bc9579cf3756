"""A service gives a variable of its runtime another kind of value.

OME merges the two field by field, so a variable that has a `value` in the runtime and a `valueFrom` in the service gets both, or the other
way round. Kubernetes refuses the Deployment. Keep the kind, or give the runtime the same.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.families.ome.subject.components import COMPONENTS, configured
from weighbridge.policies.ground.fields import items, text

_SOURCES: Final = ("value", "valueFrom")


@services.error(
    about=FAILURE,
    reads=RUNTIME_READS,
    good="accepts-a-reference-over-a-reference",
    bad="refuses-a-value-over-a-reference",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None:
        return
    for component in COMPONENTS:
        given = {text(one, "name"): one for one in items(configured(runtime.spec, component), "runner", "env")}
        for index, variable in enumerate(items(serving.spec, component, "runner", "env")):
            base = given.get(text(variable, "name"), {})
            own = next((key for key in _SOURCES if variable.get(key)), "")
            other = next((key for key in _SOURCES if base.get(key)), "")
            if own and other and own != other:
                yield Violation(
                    ("spec", component, "runner", "env", index),
                    f"it has {own} here and {other} in {runtime.title}, and merged it has both, which Kubernetes refuses",
                    found=own,
                    expected=other,
                )
