"""The containers that start engines, each with its field: in the pods that OME creates for a service, or in a runtime without a service."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_of
from weighbridge.policies.families.ome.predictions.merge.servers import Server, servers_of
from weighbridge.policies.families.ome.subject.components import Container, containers_of, pod_parts
from weighbridge.policies.families.serving_engines.containers import Started, started_in
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class StartedEngine:
    """A container with its engine, if that is known.

    `path` gives the field of the judged object for a field of the container, `command_line` is the field of its arguments. `is_group` is
    whether several nodes serve together.
    """

    container: JSONObject
    started: Started | None
    is_group: bool
    path: Callable[..., Path]
    command_line: Path


def servers_of_service(request: Request, facts: Facts, config: Configuration) -> Sequence[Server]:
    """The containers of the pods that OME creates for the service of a request."""
    workloads = workloads_of(request, facts, config)
    return request.once(servers_of, lambda: tuple(servers_of(workloads))) if workloads is not None else ()


def engines_of(request: Request, facts: Facts, config: Configuration) -> Sequence[StartedEngine] | None:
    """The containers of the service or runtime of a request; `None` if that has no object."""
    return request.once(engines_of, lambda: _engines(request, facts, config))


def _engines(request: Request, facts: Facts, config: Configuration) -> Sequence[StartedEngine] | None:
    if not isinstance(request.object, dict):
        return None
    if request.gvk.kind == "InferenceService":
        servers = servers_of_service(request, facts, config)
        return [StartedEngine(one.container, one.started, one.is_group, one.path, one.path("args")) for one in servers]
    return [_written(pod, path, found) for pod, path in pod_parts(request.object) for found in containers_of(pod, path)]


def _written(pod: JSONObject, path: Path, found: Container) -> StartedEngine:
    is_group = len(path) > 2 or bool(pod.get("leader") or pod.get("worker"))
    return StartedEngine(found.obj, started_in(found.obj), is_group, lambda *fields: (*found.path, *fields), found.path)
