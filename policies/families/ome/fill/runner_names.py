"""The name of a runner, if the service lacks it and the runtime has one.

OME merges a runner of the service into the runtime's. It also copies an empty name, so a runner without a name removes the runtime's
name, and the API server refuses the Deployment, because a container needs a name. With another name it would be another container. So
Weighbridge writes the name of the runtime's runner, for component, leader and worker, and follows changes of it. If the runtime isn't
known, or has no runner there, Weighbridge fills in nothing.

Source: OME v0.1.5, pkg/apis/ome/v1beta1/inference_service.go (RunnerSpec) and
pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.runtime import Runtime
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup

_NO_LONGER: Final = "the runtime has no runner there any more"


def fill_names(mutation: Mutation, runtime: Runtime | None) -> None:
    """Fill in the names of a service's runners."""
    if runtime is None:
        return
    for path, of_runtime in _runners(runtime):
        if isinstance(lookup(mutation.object, path), dict):
            filling = _filling(runtime, of_runtime)
            settle_value(mutation, (*path, "name"), lambda _, found=filling: found, unset="", no_longer=_NO_LONGER)  # type: ignore[misc]


def _runners(runtime: Runtime) -> Iterator[tuple[Path, JSONObject]]:
    """The paths at which a service may have runners, each with the runtime's runner."""
    for name, field in COMPONENTS.items():
        given = part(runtime.spec, field)
        yield ("spec", name, "runner"), part(given, "runner")
        if name != "router":
            for role in ("leader", "worker"):
                yield ("spec", name, role, "runner"), part(given, role, "runner")


def _filling(runtime: Runtime, runner: JSONObject) -> Filling | None:
    name = text(runner, "name")
    return Filling(name, "cluster", f"the runner of {runtime.title} has this name") if name else None
