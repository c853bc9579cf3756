"""The containers of a service's pods as OME merges them, each with its parts from the service and its runtime."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from weighbridge.policies.families.ome.predictions.merge.components import Component, Mode
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads
from weighbridge.policies.families.serving_engines.containers import Started, started_in
from weighbridge.policies.families.serving_engines.replaced_arguments import lost
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.workloads import pods_of

_COMPONENT = "component"


@dataclass(frozen=True)
class Server:
    """A container of a component's pods; `own` is the service's runner, `given` that of the runtime, `started` the engine if known.

    `is_front` is whether the service's own Service sends to it, `is_migrated` whether the author wrote a legacy predictor, `has_class`
    whether its component has an accelerator class.
    """

    component: Component
    role: str
    pod: JSONObject
    container: JSONObject
    own: JSONObject
    given: JSONObject
    is_runner: bool
    is_front: bool
    is_migrated: bool
    started: Started | None
    has_class: bool

    @property
    def title(self) -> str:
        """Its name in messages."""
        return f"{self.component.name}'s {self.role}" if self.role else self.component.name

    @property
    def is_group(self) -> bool:
        """Whether several nodes serve together."""
        return bool(self.role) or self.component.mode in (Mode.MULTI_NODE, Mode.RAY)

    @property
    def gets_gpus_of_class(self) -> bool:
        """Whether the accelerator class decides how many GPUs it gets."""
        return self.has_class and not self.own.get("resources")

    @property
    def is_alone(self) -> bool:
        """Whether it is the only container of its pod."""
        return len(items(self.pod, "spec", "containers")) == 1

    @property
    def is_first(self) -> bool:
        """Whether it is the container to whose ports the Services send."""
        return next(iter(items(self.pod, "spec", "containers")), None) == self.container

    def path(self, *fields: str | int) -> Path:
        """The service's field for a field of the container; the component if the field comes from the runtime."""
        if self.is_migrated and self.component.name == "engine":
            return ("spec", "predictor")
        base: Path = ("spec", self.component.name, *((self.role,) if part(self.component.own, self.role) else ()))
        if not self.is_runner or not fields or not self.own.get(str(fields[0])):
            return base
        return (*base, "runner", *fields)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The lists of the runner that the service replaces: its command, its arguments or both."""
        return tuple(name for name in ("command", "args") if self.is_runner and self.own.get(name) and self.given.get(name))

    @cached_property
    def dropped(self) -> tuple[tuple[str, str], ...]:
        """A setting that the replaced lists had and the service's lists lack: its meaning, and how it was written."""
        if not self.replaced:
            return ()
        before = {**self.container, "command": self.given.get("command"), "args": self.given.get("args")}
        return tuple(lost(before, self.container))


def servers_of(workloads: Workloads) -> Iterator[Server]:
    """Each container of the workloads."""
    for obj in workloads.objects:
        component = next((one for one in workloads.components if one.name == text_map(obj, "metadata", "labels").get(_COMPONENT)), None)
        if component is None or component.mode is Mode.RAY:
            # The Deployment of a component on Ray is the prober, which is no server.
            continue
        for role, pod in pods_of(obj).items():
            own, given = (_runner(side, role) for side in (component.own, component.given))
            name = text(own, "name") or text(given, "name")
            for container in items(pod, "spec", "containers"):
                is_runner = text(container, "name") == name
                is_front, is_migrated = component is workloads.front, workloads.is_migrated
                has_class = workloads.shares[component.name].accelerator is not None
                yield Server(
                    component, role, pod, container, own, given, is_runner, is_front, is_migrated, started_in(container), has_class
                )


def _runner(side: JSONObject, role: str) -> JSONObject:
    return part(side, role, "runner") if role and side.get(role) else part(side, "runner")
