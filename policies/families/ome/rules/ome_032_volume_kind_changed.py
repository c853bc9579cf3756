"""A service gives a volume of its runtime another kind.

OME merges the two field by field, and a volume that is `emptyDir` in the runtime and `hostPath` in the service becomes both. Kubernetes
refuses the Deployment. Give the volume another name, or keep its kind.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.families.ome.subject.components import COMPONENTS, configured
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject


@services.error(
    about=FAILURE,
    reads=RUNTIME_READS,
    good="accepts-the-same-kind-of-a-volume",
    bad="refuses-another-kind-of-a-volume",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None:
        return
    for component in COMPONENTS:
        given = {text(volume, "name"): volume for volume in items(configured(runtime.spec, component), "volumes")}
        for index, volume in enumerate(items(serving.spec, component, "volumes")):
            own, base = _kinds(volume), _kinds(given.get(text(volume, "name"), {}))
            if own and base and own != base:
                yield Violation(
                    ("spec", component, "volumes", index),
                    f"it is {', '.join(own)} here and {', '.join(base)} in {runtime.title}, and Kubernetes refuses it merged",
                    found=", ".join(own),
                    expected=", ".join(base),
                    hint="give the volume another name, or keep its kind",
                )


def _kinds(volume: JSONObject) -> list[str]:
    """The sources of a volume."""
    return sorted(key for key, value in volume.items() if key != "name" and isinstance(value, dict))
