"""The objects that OME's controller creates for a service.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.operator import operator_of
from weighbridge.policies.families.ome.predictions.merge import knative, ray, scalers
from weighbridge.policies.families.ome.predictions.merge.addresses import address_trouble
from weighbridge.policies.families.ome.predictions.merge.components import Component, Mode
from weighbridge.policies.families.ome.predictions.merge.labels import annotations_of, labels_of, queue_labels
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart, PodError, pod_of, with_default_probe
from weighbridge.policies.families.ome.predictions.merge.stops import ADD_ONS, NotInstalledError, ReplicasError, StrategyError
from weighbridge.policies.families.ome.subject.service_spec import annotation
from weighbridge.policies.families.ome.subject.stored import uses_predictor
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.go_numbers import int32
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.validation.autoscaler import autoscaler_errors
from weighbridge.policies.pods.validation.deployment import deployment_errors
from weighbridge.policies.pods.validation.disruption_budget import disruption_budget_errors
from weighbridge.policies.pods.validation.group import group_errors
from weighbridge.policies.pods.validation.service import service_errors
from weighbridge.policies.pods.validation.stateful_set import stateful_set_errors
from weighbridge.policies.pods.validation.template import annotation_errors, label_errors, pod_errors

_LONGEST: Final = 63
#: The number of characters at the end of a component's name that the name of its LeaderWorkerSet has.
_KEPT_OF_GROUP: Final = 50
_KEPT_OF_CONFIG: Final = 20
#: As many Ray clusters are predicted: a number of replicas that is a slip costs no more.
_MOST_CLUSTERS: Final = 100
#: The port of a component that names none.
_PORT: Final = 8080
_ROLLING: Final = "RollingUpdate"
#: How many pods may be missing and how many extra during an update: OME's default, and Kubernetes' default if only one of the two is set.
_SURGE: Final[JSONObject] = {"maxUnavailable": 0, "maxSurge": 1}
_DEFAULT_SURGE: Final[JSONObject] = {"maxUnavailable": "25%", "maxSurge": "25%"}
#: The types of Services that an annotation may choose.
_TYPES: Final = ("LoadBalancer", "NodePort", "ClusterIP")
#: Annotations that the pods of workers don't get.
_NOT_OF_WORKERS: Final = tuple(f"prometheus.io/{name}" for name in ("path", "port", "scrape"))


@dataclass(frozen=True, slots=True)
class ObjectRefusal:
    """Why the API server refuses an object of a component: its workload, with paths in the pods' template, or another object.

    `role` is the role of the pod in a group.
    """

    component: str
    role: str
    workload: str
    template: JSONObject
    errors: Sequence[FieldError]


class Maker:
    """Builds the objects of one service.

    `refusals` are the objects that the API server refuses; `unknown` says why it isn't known whether software that the service needs is
    installed.
    """

    def __init__(self, service: JSONObject, components: list[Component], shares: dict[str, CommonPart], facts: Facts) -> None:
        self.service, self.components, self.shares = service, components, shares
        self.name, self.namespace = name_of(service), namespace_of(service)
        self.refusals: list[ObjectRefusal] = []
        self.unknown: list[str] = []
        self._facts, self._operator = facts, operator_of(facts)
        self._pods: dict[tuple[str, str], JSONObject] = {}

    def objects(self) -> Iterator[JSONObject]:
        """All objects, in the order in which they are created. Raises PodError where OME stops, after the objects before."""
        yield self._object("v1", "ConfigMap", f"modelconfig-{self.name[-_KEPT_OF_CONFIG:]}", {})
        for component in self.components:
            if component.name == "router":
                yield from self._rights()
            yield from self._of_component(component)
        if not self._makes_front:
            if self.components and self.components[-1].mode is Mode.RAY:
                raise PodError(f"OME's controller can't make an ingress for the mode {Mode.RAY}")
            return
        if text_map(self.service, "metadata", "labels").get(knative.VISIBILITY) == "cluster-local":
            raise PodError(f"OME's controller looks for Service {self.name}, which it doesn't make with the label {knative.VISIBILITY}")
        front = self.components[-1] if self.components[-1].name == "router" else self.components[0]
        yield self._taken_service(self._front(front), front)

    @property
    def _makes_front(self) -> bool:
        """Whether the service gets a Service with its own name, by its annotation or else the settings."""
        asked = annotation(self.service, "ingress-disable-creation")
        return self._operator.makes_front if asked is None else asked == "true"

    def _of_component(self, component: Component) -> Iterator[JSONObject]:
        share, name = self.shares[component.name], f"{self.name}-{component.name}"
        labels, annotations = labels_of(self.service, component, share), annotations_of(self.service, component, share)
        if component.mode is Mode.MULTI_NODE:
            self._ready(component)
            if component.worker is None:
                raise PodError(f"OME's controller panics on {component.name}: it is for several nodes and has no worker")
            self._needs("leaderworkerset.x-k8s.io", component)
            yield self._group(component, name, labels, annotations)
            yield from self._sidecar(component, name, labels)
            yield self._taken_service(self._service(_shortened(name), {"ray.io/node-type": "head"}, component), component)
            return
        if component.name != "router" and component.worker is not None:
            # OME builds the worker's pod in every mode, after the component's own, and stops if it can't.
            self._pod(component, _leading(component))
            self._pod(component, "worker")
        if component.mode is Mode.VIRTUAL:
            self._pod(component, _leading(component))
            raise PodError(f"{component.name} can't be a VirtualDeployment by itself")
        if component.mode is Mode.RAY:
            yield from self._on_ray(component, name, labels | queue_labels(annotations), annotations)
            return
        if component.mode is not Mode.RAW:
            self._needs(knative.GROUP, component)
            yield self._knative(component, name, labels, annotations)
            return
        self._scaler(component)
        self._ready(component)
        labels |= queue_labels(annotations)
        app = _shortened(name)
        labels = _of_app(labels, app)
        pod = with_default_probe(self._pod(component))
        pods: JSONObject = {"metadata": {"labels": labels, "annotations": annotations}, "spec": pod}
        spec = {"replicas": 1, "selector": {"matchLabels": {"app": app}}, "strategy": _strategy(component), "template": pods}
        deployment = self._object("apps/v1", "Deployment", name, {"spec": spec}, labels, annotations)
        yield self._taken(deployment, component, deployment_errors(deployment), pods)
        yield self._taken_service(self._service(app, {"app": app}, component, pod), component)
        for scaler in self._scaling(component, name):
            is_own = scaler["kind"] == "HorizontalPodAutoscaler"
            yield self._taken(scaler, component, autoscaler_errors(scaler)) if is_own else scaler
        budget = self._budget(component, name, app)
        yield self._taken(budget, component, disruption_budget_errors(budget))

    def _taken(
        self, obj: JSONObject, component: Component, errors: Iterable[FieldError], pods: JSONObject | None = None, role: str = ""
    ) -> JSONObject:
        """An object that the API server accepts. Raises PodError for one that it refuses, at which OME stops."""
        if found := list(errors):
            self.refusals.append(ObjectRefusal(component.name, role, obj["kind"], pods or {}, found))
            raise PodError(invalid_message(obj["kind"], obj["apiVersion"].rpartition("/")[0], name_of(obj), found))
        return obj

    def _taken_service(self, service: JSONObject, component: Component) -> JSONObject:
        """A Service that the API server accepts. Raises PodError for one that it refuses."""
        pod = self._pod(component, _leading(component))
        return self._taken(service, component, service_errors(service), {"spec": pod}, _leading(component))

    def _pod(self, component: Component, role: str = "") -> JSONObject:
        """A pod spec, built once. Raises PodError."""
        found = self._pods.get((component.name, role))
        if found is None:
            found = self._pods[component.name, role] = pod_of(component, self.shares[component.name], role)
        return found

    def _needs(self, group: str, component: Component) -> None:
        """Raises NotInstalledError if the cluster lacks the software to which OME hands a component."""
        installed = is_installed(group, self._facts)
        if installed is False:
            raise NotInstalledError(component.name, group)
        if installed is None:
            self.unknown.append(f"whether {ADD_ONS[group]} is installed: {NOT_KNOWN}")

    def _ready(self, component: Component) -> None:
        """Raises PodError if OME can't compute the address of a component, which it does after the pods and before anything else."""
        self._pod(component, _leading(component))
        name, annotations = _shortened(f"{self.name}-{component.name}"), component.annotations(self.service)
        trouble = self._operator.ingress_trouble or address_trouble(
            name, self.namespace, annotations, self._operator.settings.get("ingress")
        )
        if trouble:
            raise PodError(trouble)

    def _group(self, component: Component, name: str, labels: JSONObject, annotations: JSONObject) -> JSONObject:
        queue = queue_labels(annotations)
        head = {"labels": {**_of_app(labels, name), "ray.io/node-type": "head", **queue}, "annotations": annotations}
        kept = {key: value for key, value in annotations.items() if key not in _NOT_OF_WORKERS}
        pods: dict[str, JSONObject] = {
            "leader": {"metadata": head, "spec": self._pod(component, "leader")},
            "worker": {"metadata": {"labels": {**labels, **queue}, "annotations": kept}, "spec": self._pod(component, "worker")},
        }
        template = {
            "size": int32(int32(component.workers) + 1),
            "restartPolicy": "RecreateGroupOnPodRestart",
            **{f"{role}Template": pod for role, pod in pods.items()},
        }
        spec = {"replicas": int32(component.min_replicas), "leaderWorkerTemplate": template, "startupPolicy": "LeaderCreated"}
        set_name = f"lws-{name[-_KEPT_OF_GROUP:]}"
        taken = self._object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", set_name, {"spec": spec}, labels, annotations)
        self._taken(taken, component, [*_metadata_errors(taken), *group_errors(taken)])
        for role, pod in pods.items():
            # LeaderWorkerSet accepts any template, and creates a StatefulSet from it.
            if errors := list(stateful_set_errors(pod)):
                self.refusals.append(ObjectRefusal(component.name, role, "StatefulSet", pod, errors))
        return taken

    def _knative(self, component: Component, name: str, labels: JSONObject, annotations: JSONObject) -> JSONObject:
        weights, pod = self.shares[component.name].weights, self._pod(component)
        if weights.name and not weights.strategy:
            raise StrategyError(weights.name)
        spec = {"spec": knative.service_spec(component, pod, labels, annotations)}
        own = knative.own_annotations(annotations)
        service = self._object(f"{knative.GROUP}/v1", "Service", name, spec, labels | queue_labels(annotations), own)
        return self._taken(service, component, _metadata_errors(service))

    def _on_ray(self, component: Component, name: str, labels: JSONObject, annotations: JSONObject) -> Iterator[JSONObject]:
        self._ready(component)
        pod, settings = self._pod(component, "leader"), self._operator.settings.get("multinodeProber")
        if settings is None:
            raise PodError("OME's controller panics without multinodeProber in ConfigMap inferenceservice-config")
        self._needs("ray.io", component)
        if component.min_replicas < 0:
            raise ReplicasError(component.name, f"OME's controller panics on {component.min_replicas} replicas on Ray")
        metadata: JSONObject = {"labels": labels, "annotations": annotations}
        if component.min_replicas and (errors := list(pod_errors(pod, "spec.template.spec"))):
            # KubeRay accepts any template, and the API server then refuses its pods.
            self.refusals.append(ObjectRefusal(component.name, "leader", "pod", {"metadata": metadata, "spec": pod}, errors))
        clusters = [f"{name}-{index}" for index in range(min(component.min_replicas, _MOST_CLUSTERS))]
        for cluster in clusters:
            spec = ray.ray_cluster(metadata, self.namespace, cluster, pod)
            made = self._object("ray.io/v1", "RayCluster", cluster, {"spec": spec}, labels, annotations)
            yield self._taken(made, component, _metadata_errors(made))
        heads = ray.head_service(name, _ports(pod, name))
        service = self._object("v1", "Service", _shortened(name), {"spec": {"type": _service_type(annotations), **heads}})
        yield self._taken_service(service, component)
        labels = _of_app(labels, name)
        for cluster in clusters:
            address = f"http://{ray.checked_name(cluster)}.{self.namespace}.svc.cluster.local"
            spec = ray.prober({**metadata, "labels": labels}, name, address, settings)
            yield self._object("apps/v1", "Deployment", ray.checked_name(f"{cluster}-mnp"), {"spec": spec}, labels, annotations)
        yield from self._sidecar(component, name, labels)

    def _sidecar(self, component: Component, name: str, labels: JSONObject) -> Iterator[JSONObject]:
        """Istio's Sidecar, which configures the proxies of a component on several nodes, if a label asks for it."""
        if labels.get("sidecar.istio.io/inject") == "true":
            self._needs("networking.istio.io", component)
            port = {"number": 8080, "protocol": "HTTP"}
            selector = {"labels": {f"{PREFIX}inferenceservice": name}}
            spec = {"egress": [{"hosts": ["./*"], "port": port}], "ingress": [{"port": port}], "workloadSelector": selector}
            yield self._object("networking.istio.io/v1beta1", "Sidecar", name, {"spec": spec})

    def _service(self, name: str, selector: JSONObject, component: Component, pod: JSONObject | None = None) -> JSONObject:
        annotations = component.annotations(self.service)
        address = text_map(annotations).get(f"{PREFIX}load-balancer-ip", "")
        kind = _service_type(annotations)
        spec = {
            "type": kind,
            **({"loadBalancerIP": address} if address and kind == "LoadBalancer" else {}),
            "selector": selector,
            "ports": _ports(pod or self._pod(component, "leader")),
        }
        return self._object("v1", "Service", name, {"spec": spec})

    def _front(self, component: Component) -> JSONObject:
        """The Service in front of all components; with a legacy predictor it reaches every pod."""
        port = _ports(self._pod(component, _leading(component)))[0]["port"]
        # OME looks for the port in the component's Service, which Knative makes only later.
        port = _PORT if component.mode is Mode.SERVERLESS else port
        selector = {PREFIX + "inferenceservice": self.name}
        selector |= {} if uses_predictor(self.service) else {"component": component.name}
        ports = [{"name": "http", "port": port, "targetPort": port, "protocol": "TCP"}]
        kind = _service_type(text_map(self.service, "metadata", "annotations"))
        return self._object("v1", "Service", self.name, {"spec": {"type": kind, "selector": selector, "ports": ports}})

    def _scaler(self, component: Component) -> str:
        """The autoscaler of a component. Raises PodError for a class that OME doesn't know."""
        found = scalers.scaler_class(component.annotations(self.service))
        if found not in scalers.CLASSES:
            raise PodError(f'{component.name} has the autoscaler class "{found}", and OME knows {", ".join(scalers.CLASSES)}')
        return found

    def _scaling(self, component: Component, name: str) -> Iterator[JSONObject]:
        scaler, annotations = self._scaler(component), component.annotations(self.service)
        if scaler == scalers.KEDA:
            self._needs("keda.sh", component)
            spec = scalers.scaled_object(component, name, annotations, scalers.keda_config(self.service))
            yield self._object("keda.sh/v1alpha1", "ScaledObject", scalers.scaled_object_name(name), {"spec": spec})
        elif scaler == scalers.HPA:
            spec = scalers.autoscaler(component, name, annotations)
            yield self._object("autoscaling/v2", "HorizontalPodAutoscaler", name, {"spec": spec})

    def _budget(self, component: Component, name: str, app: str) -> JSONObject:
        bounds = {key: component.spec[key] for key in ("minAvailable", "maxUnavailable") if component.spec.get(key) is not None}
        spec = {**(bounds or {"maxUnavailable": 1}), "selector": {"matchLabels": {"app": app}}}
        return self._object("policy/v1", "PodDisruptionBudget", name, {"spec": spec})

    def _rights(self) -> Iterator[JSONObject]:
        """The permissions of the router, which has to find the engines."""
        name, api = f"{self.name}-router", "rbac.authorization.k8s.io"
        yield self._object("v1", "ServiceAccount", name, {})
        rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}]
        yield self._object(f"{api}/v1", "Role", name, {"rules": rules})
        subjects = [{"kind": "ServiceAccount", "name": name, "namespace": self.namespace}]
        yield self._object(
            f"{api}/v1", "RoleBinding", name, {"roleRef": {"apiGroup": api, "kind": "Role", "name": name}, "subjects": subjects}
        )

    def _object(
        self,
        api_version: str,
        kind: str,
        name: str,
        rest: JSONObject,
        labels: JSONObject | None = None,
        annotations: JSONObject | None = None,
    ) -> JSONObject:
        metadata: JSONObject = {"name": name, "namespace": self.namespace}
        metadata |= {"labels": labels} if labels else {}
        metadata |= {"annotations": annotations} if annotations else {}
        return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest}


def _metadata_errors(obj: JSONObject) -> Iterator[FieldError]:
    """The errors of the labels and annotations of an object, of which some come from the model and its weights."""
    yield from label_errors(text_map(obj, "metadata", "labels"), "metadata.labels")
    yield from annotation_errors(text_map(obj, "metadata", "annotations"), "metadata.annotations")


def _of_app(labels: JSONObject, app: str) -> JSONObject:
    """Labels with the one by which pods are selected, which takes the place of a user's."""
    return {"app": app} | labels | {"app": app}


def _leading(component: Component) -> str:
    """The role of the pod that serves requests: the leader if there are several nodes."""
    return "leader" if component.mode in (Mode.MULTI_NODE, Mode.RAY) else ""


def _strategy(component: Component) -> JSONObject:
    """The strategy of a Deployment: the written one, with the defaults of OME and then of Kubernetes."""
    written = part(component.spec, "deploymentStrategy")
    if text(written, "type", _ROLLING) not in (_ROLLING, ""):
        return written
    surge = written.get("rollingUpdate")
    return {**written, "type": _ROLLING, "rollingUpdate": {**_DEFAULT_SURGE, **surge} if isinstance(surge, dict) else _SURGE}


def _service_type(annotations: Mapping[str, str]) -> str:
    """The type of a Service, which an annotation may choose."""
    asked = text_map(annotations).get(f"{PREFIX}service-type", "")
    return asked if asked in _TYPES else "ClusterIP"


def _shortened(name: str) -> str:
    """A name that is too long for a Service becomes a hash of it and its end."""
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    # A Service's name must begin with a letter.
    digest = f"a{digest[1:]}" if digest[0].isdigit() else digest
    return f"{digest}-{name[-(_LONGEST - len(digest) - 1) :]}"


def _ports(pod: JSONObject, name: str = "") -> list[JSONObject]:
    """The ports of a component's Service: those of its first container, else OME's default port, which has this name or the container's."""
    containers = items(pod, "containers")
    given = items(containers[0], "ports") or [{"name": name or text(containers[0], "name"), "containerPort": _PORT}]
    ports = [(text(port, "name"), whole(port, "containerPort"), text(port, "protocol") or "TCP") for port in given]
    return [{"name": name, "port": port, "targetPort": port, "protocol": protocol} for name, port, protocol in ports]
