"""The pod of a component: the merged pod spec with its runner, and OME's additions: the model, the settings of the class, the labels of
nodes.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/common/podspec_reconciler.go and components.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.merge.arguments import overridden, with_variable
from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.families.ome.predictions.merge.placeholders import replaced
from weighbridge.policies.families.ome.predictions.merge.strategic import merged, runner_merged
from weighbridge.policies.families.ome.predictions.merge.weights import FineTunedWeights
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass
from weighbridge.policies.families.ome.subject.formats import optional
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.predictors import MAIN
from weighbridge.policies.families.ome.subject.ready_labels import READY, ready_label
from weighbridge.policies.ground.fields import amount, items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, field

_NVIDIA: Final = "nvidia.com/gpu"
_PORT: Final = 8080
_PARALLELISM: Final = "PARALLELISM_SIZE"
#: The fields of a component that a pod doesn't have.
_NOT_OF_POD: Final = frozenset(
    {
        *("runner", "leader", "worker", "size", "minReplicas", "maxReplicas", "scaleTarget", "scaleMetric", "containerConcurrency"),
        *("timeoutSeconds", "canaryTrafficPercent", "logger", "batcher", "labels", "annotations", "deploymentStrategy", "kedaConfig"),
        *("minAvailable", "maxUnavailable", "acceleratorOverride", "config"),
    }
)


#: A field of which the API server refuses an empty text, while any other empty text counts as missing.
_EMPTY_COUNTS: Final = "runtimeClassName"


class PodError(Exception):
    """OME can't create the workload of a component; the text says why."""


class NoContainerError(PodError):
    """Neither the service nor the runtime has a container for a component."""


@dataclass(frozen=True, slots=True)
class CommonPart:
    """What all pods of a service share: the model, the weights, the runtime and its settings for the component's class."""

    service: JSONObject
    model: Model
    runtime: JSONObject
    accelerator: AcceleratorClass | None = None
    override: JSONObject | None = None
    weights: FineTunedWeights = field(default_factory=FineTunedWeights)


def pod_of(component: Component, share: CommonPart, role: str = "") -> JSONObject:
    """The pod spec of a component, or of its leader or worker. Raises PodError."""
    base, runner = _parts(component, role)
    containers, at = items(base, "containers"), 0
    if runner is not None:
        # OME adds to the runner first and then merges it over the container of its name, so the additions override the container.
        own = _configured(runner, component) if component.name == "router" else _equipped(runner, component, share)
        containers, at = _with_runner(containers, own)
    elif not containers:
        raise NoContainerError(_no_container(component, role))
    rendered = replaced(containers[at], share.service)
    spec = {**base, "containers": [rendered if index == at else found for index, found in enumerate(containers)]}
    _add_model_volume(spec, share)
    if component.name == "router":
        spec["serviceAccountName"] = f"{name_of(share.service)}-router"
    else:
        _select_nodes(spec, component, share)
    return spec


def _parts(component: Component, role: str) -> tuple[JSONObject, JSONObject | None]:
    """The pod's own fields, and its runner."""
    part_of = component.spec if not role else (component.leader if role == "leader" else component.worker)
    if role == "leader" and part_of is None:
        part_of = component.spec
    found = part_of or {}
    runner = found.get("runner")
    fields = {
        key: value for key, value in found.items() if key not in _NOT_OF_POD and (value not in (None, "", [], {}) or key == _EMPTY_COUNTS)
    }
    return fields, runner if isinstance(runner, dict) else None


def _no_container(component: Component, role: str) -> str:
    where = f"{component.name}'s {role}" if role else component.name
    return f"neither the service nor the runtime gives {where} a container"


def _with_runner(containers: list[JSONObject], runner: JSONObject) -> tuple[list[JSONObject], int]:
    name = text(runner, "name")
    for index, found in enumerate(containers):
        if text(found, "name") == name:
            return [*containers[:index], runner_merged(found, runner), *containers[index + 1 :]], index
    # A probe that is empty is refused, while every other empty map means nothing.
    written = {key: value for key, value in runner.items() if value not in (None, "", [], {}) or (value == {} and key.endswith("Probe"))}
    return [*containers, {**written, "name": name}], len(containers)


def _add_model_volume(spec: JSONObject, share: CommonPart) -> None:
    path = optional(share.model.storage, "path")
    # OME mounts an empty path too, which the API server refuses.
    model = [{"name": share.model.name, "hostPath": {"path": path}}] if path is not None else []
    held = [*items(spec, "volumes"), *model]
    names = {text(one, "name") for one in held}
    if held := [*held, *(one for one in share.weights.volumes if one["name"] not in names)]:
        spec["volumes"] = held


def _configured(runner: JSONObject, component: Component) -> JSONObject:
    """The router's runner with its settings."""
    settings = [{"name": name, "value": value} for name, value in sorted(text_map(component.spec, "config").items())]
    return {**runner, "env": [*items(runner, "env"), *settings]} if settings else runner


def _equipped(runner: JSONObject, component: Component, share: CommonPart) -> JSONObject:
    """The runner with the model and the settings of its accelerator class."""
    out = dict(runner)
    path, weights = optional(share.model.storage, "path"), share.weights
    is_mounted = path is not None and weights.leaves_model_mounted
    env = weights.with_variables(items(out, "env"))
    if is_mounted and not weights.name and not any(text(entry, "name") == "MODEL_PATH" for entry in env):
        env = [*env, {"name": "MODEL_PATH", "value": path}]
    if env:
        out["env"] = env
    model = [{"name": share.model.name, "mountPath": path, "readOnly": True}] if is_mounted else []
    if mounts := weights.mounted([*items(out, "volumeMounts"), *model]):
        out["volumeMounts"] = mounts
    own = part(component.own, "runner", "resources")
    if not any(own.get(kind) for kind in ("limits", "requests", "claims")):
        _give_resources(out, share)
    if share.override is not None:
        out = overridden(out, share.override)
    if share.accelerator is None:
        _set_parallelism(out, component)
    return out


def _give_resources(container: JSONObject, share: CommonPart) -> None:
    given = next((found for found in items(share.runtime, "spec", "containers") if text(found, "name") == text(container, "name")), None)
    resources = dict(part(container, "resources"))
    if given is not None:
        amounts = {side: found for side, found in part(given, "resources").items() if side in ("limits", "requests")}
        resources = merged(amounts, resources)
    if share.accelerator is not None:
        for side in ("requests", "limits"):
            amounts = {name: str(quantity) for name, quantity in share.accelerator.resources.items()}
            resources[side] = {**part(resources, side), **amounts}
    if resources:
        container["resources"] = resources


def _set_parallelism(container: JSONObject, component: Component) -> None:
    """Set the number of GPUs that serve together: those of the container for a leader and for each worker, even if the workers aren't
    deployed.
    """
    # A limit counts before a request, as in Go.
    given = [part(container, "resources", side).get(_NVIDIA) for side in ("limits", "requests")]
    limit = amount(next((one for one in given if one is not None), None))
    leads = component.name == "engine" or any(isinstance(component.spec.get(key), dict) for key in ("leader", "runner"))
    size = (limit.value() if limit is not None else 0) * (component.workers + leads)
    if limit is not None and limit.value() > 0 and size > 0:
        container["env"] = with_variable(items(container, "env"), _PARALLELISM, str(size))


def _select_nodes(spec: JSONObject, component: Component, share: CommonPart) -> None:
    affinity = part(share.accelerator.spec, "discovery").get("affinity") if share.accelerator is not None else None
    if isinstance(affinity, dict) and not isinstance(component.own.get("affinity"), dict):
        spec["affinity"] = affinity
    if share.weights.is_merged:
        # Merged weights take the place of the model, so OME selects no nodes for it, and neither for the runtime and the class.
        return
    labels = dict(text_map(spec, "nodeSelector"))
    labels.setdefault(ready_label(share.model.namespace, share.model.name), READY)
    labels |= text_map(share.runtime, "spec", "nodeSelector")
    labels |= share.accelerator.node_selector if share.accelerator is not None else {}
    spec["nodeSelector"] = labels | text_map(component.own, "nodeSelector")


def with_default_probe(spec: JSONObject) -> JSONObject:
    """A Deployment's pod, in which OME's own container gets a probe of its port if it has no readiness probe."""
    containers = [
        {**found, "readinessProbe": _probe_of(found)} if text(found, "name") == MAIN and "readinessProbe" not in found else found
        for found in items(spec, "containers")
    ]
    return {**spec, "containers": containers}


def _probe_of(container: JSONObject) -> JSONObject:
    """A probe of a container's first port."""
    ports = items(container, "ports")
    port = whole(ports[0], "containerPort", _PORT) if ports else _PORT
    return {"tcpSocket": {"port": port}, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
