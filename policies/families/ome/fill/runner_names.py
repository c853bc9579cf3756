"""The name of a runner, where the service leaves it out and the runtime has one.

OME merges a runner of the service over that of the runtime. It writes an empty name, too, so that a runner without a name removes the
runtime's name, and the API server refuses the Deployment: a container needs a name. Another name would make it another container. So it
gets the name of the runtime's runner, for component, leader and worker alike, and follows it. Where the runtime isn't known, or has no
runner there, nothing is filled in.

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
    """Where a service may have runners, each with the runtime's."""
    for name, field in COMPONENTS.items():
        given = part(runtime.spec, field)
        yield ("spec", name, "runner"), part(given, "runner")
        if name != "router":
            for role in ("leader", "worker"):
                yield ("spec", name, role, "runner"), part(given, role, "runner")


def _filling(runtime: Runtime, runner: JSONObject) -> Filling | None:
    name = text(runner, "name")
    return Filling(name, "cluster", f"the runner of {runtime.title} has this name") if name else None
