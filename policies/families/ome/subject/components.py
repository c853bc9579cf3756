"""The components of a service or a runtime, and their containers as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

#: The components of a service in the order in which OME creates them, and the field in which a runtime configures each.
COMPONENTS: Final = {"engine": "engineConfig", "decoder": "decoderConfig", "router": "routerConfig"}
#: The pods of a component that runs on several nodes.
ROLES: Final = ("leader", "worker")


@dataclass(frozen=True, slots=True)
class Container:
    """A container as it is written; `is_runner` is whether OME renders it as a template."""

    obj: JSONObject
    path: Path
    is_runner: bool

    @property
    def name(self) -> str:
        """Its name."""
        return text(self.obj, "name")


def pod_parts(obj: JSONObject | None) -> Iterator[tuple[JSONObject, Path]]:
    """The parts of a service or a runtime that describe pods: each component, and its leader and worker."""
    spec = spec_of(obj)
    for name, configured in COMPONENTS.items():
        for key in (name, configured):
            component = spec.get(key)
            if not isinstance(component, dict):
                continue
            yield component, ("spec", key)
            for role in ROLES:
                if isinstance(component.get(role), dict):
                    yield component[role], ("spec", key, role)


def containers_of(pod: JSONObject, path: Path) -> Iterator[Container]:
    """The runner of a pod and its other containers."""
    if isinstance(pod.get("runner"), dict):
        yield Container(pod["runner"], (*path, "runner"), is_runner=True)
    for key in ("containers", "initContainers"):
        for index, container in enumerate(items(pod, key)):
            yield Container(container, (*path, key, index), is_runner=False)


def configured(spec: JSONObject, component: str) -> JSONObject:
    """A runtime's configuration of a component."""
    return part(spec, COMPONENTS[component])
