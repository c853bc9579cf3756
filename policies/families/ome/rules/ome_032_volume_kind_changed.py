"""A service gives a volume of its runtime another kind.

OME merges the two field by field, and a volume that is `emptyDir` in the runtime and `hostPath` in the service becomes both. Kubernetes
refuses the Deployment. Give the volume another name, or keep its kind.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.components import COMPONENTS, configured
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None:
        return
    for component in COMPONENTS:
        given = {text(volume, "name"): volume for volume in items(configured(runtime.spec, component), "volumes")}
        for index, volume in enumerate(items(serving.spec, component, "volumes")):
            own, base = _kinds(volume), _kinds(given.get(text(volume, "name"), {}))
            if own and base and own != base:
                yield RULE.finding(
                    ("spec", component, "volumes", index),
                    f"it is {', '.join(own)} here and {', '.join(base)} in {runtime.title}, and Kubernetes refuses it merged",
                    found=", ".join(own),
                    expected=", ".join(base),
                    hint="give the volume another name, or keep its kind",
                )


def _kinds(volume: JSONObject) -> list[str]:
    """The sources of a volume."""
    return sorted(key for key, value in volume.items() if key != "name" and isinstance(value, dict))


RULE = Rule(
    id="OME-032",
    name="volume-kind-changed",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE.replace('"sglang:1"}', '"sglang:1"}, volumes: [{name: dshm, emptyDir: {medium: Memory}}]'),
    check=_check,
    good="""\
model: {name: llama}
engine: {volumes: [{name: dshm, emptyDir: {sizeLimit: 1Gi}}]}
""",
    bad="""\
model: {name: llama}
engine: {volumes: [{name: dshm, hostPath: {path: /dev/shm}}]}
""",
)
