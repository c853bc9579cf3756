"""A component can't be deployed in its deployment mode.

OME uses the annotation `ome.io/deploymentMode` whatever fields the component has. MultiNode needs a worker, and OME's controller panics
without one, again and again. VirtualDeployment is for services without pods, and is an error for the controller. The service's status
shows neither. Remove the annotation.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.components import Component, Mode
from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Violation, Workloads, text_map, workloads
from weighbridge.policies.families.ome.subject.stored import MODE

_MODE: Final = f"{PREFIX}{MODE}"


@workloads.error(about=FAILURE, good="accepts-a-raw-deployment-of-an-engine", bad="refuses-several-nodes-without-a-worker")
def check(made: Workloads) -> Said:
    for component in made.components:
        what = _unusable(component)
        if what:
            # Otherwise the mode comes from the runtime.
            place = ("annotations", _MODE) if _MODE in text_map(component.own, "annotations") else ()
            yield Violation(("spec", component.name, *place), what, found=component.mode, hint="remove the annotation")


def _unusable(component: Component) -> str:
    """Why a component can't be deployed in its mode; OME-054 is about a leader without a worker."""
    if component.mode is Mode.VIRTUAL:
        return f"OME doesn't accept {Mode.VIRTUAL} for {component.name}, and creates no pods"
    if component.mode is Mode.MULTI_NODE and component.worker is None and component.leader is None:
        return f"OME's controller panics on {Mode.MULTI_NODE} for {component.name}, which has no worker"
    return ""
