"""A service gives a variable of its runtime another kind of value.

OME merges the two field by field, so a variable that has a `value` in the runtime and a `valueFrom` in the service gets both, or the other
way round. Kubernetes refuses the Deployment. Keep the kind, or give the runtime the same.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.components import COMPONENTS, configured
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request

_SOURCES: Final = ("value", "valueFrom")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
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
                yield RULE.finding(
                    ("spec", component, "runner", "env", index),
                    f"it has {own} here and {other} in {runtime.title}, and merged it has both, which Kubernetes refuses",
                    found=own,
                    expected=other,
                )


RULE = Rule(
    id="OME-033",
    name="variable-source-changed",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE.replace('"sglang:1"}', '"sglang:1", env: [{name: LEVEL, value: info}]}'),
    check=_check,
    good="""\
model: {name: llama}
engine: {runner: {name: ome-container, env: [{name: LEVEL, value: debug}]}}
""",
    bad="""\
model: {name: llama}
engine: {runner: {name: ome-container, env: [{name: LEVEL, valueFrom: {configMapKeyRef: {name: levels, key: level}}}]}}
""",
)
