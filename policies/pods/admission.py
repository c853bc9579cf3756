"""What the API server does to a pod before a scheduler gets the pod, and why it refuses one.

Limits become requests, pod-level requests and the namespace's defaults are filled in, the priority class is resolved, two tolerations are
added, and the runtime class gives its overhead, selector and tolerations. Then the pod is validated as far as placement depends on it, and
by the plugins that only refuse. Source: Kubernetes v1.36, pkg/apis/core/v1/defaults.go and the admission plugins LimitRanger, PodSecurity,
Priority, DefaultTolerationSeconds, RuntimeClass and ResourceQuota, in that order (pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins).
"""

from __future__ import annotations

from collections.abc import Mapping

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.tolerations import Toleration, read_tolerations
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.default_tolerations import with_defaults
from weighbridge.policies.pods.label_keys import with_label_keys
from weighbridge.policies.pods.limit_ranges import check_limits, limits_of
from weighbridge.policies.pods.limit_ranges import with_defaults as with_limit_ranges
from weighbridge.policies.pods.priority import priority_of
from weighbridge.policies.pods.quotas import check_quotas
from weighbridge.policies.pods.refusal import forbidden, invalid, unreadable
from weighbridge.policies.pods.requests import containers, counts, effective, uncountable, with_limits_requested, with_pod_level_defaults
from weighbridge.policies.pods.runtime_class import check_overhead, runtime_class_of, with_runtime_class
from weighbridge.policies.pods.security.standard import UNENFORCED, Standard
from weighbridge.policies.pods.validation.resources import resource_errors, unreadable_amounts
from weighbridge.policies.pods.validation.scheduling import scheduling_errors


@dataclass(frozen=True, slots=True)
class AdmittedPod:
    """A pod as the scheduler gets it. `spec` includes the values that are filled in; `unchecked` says what isn't known of its admission."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    spec: JSONObject
    requests: Mapping[str, int]
    beyond_counting: tuple[str, ...]
    node_selector: Mapping[str, str]
    tolerations: tuple[Toleration, ...]
    priority: int
    preempts: bool
    unchecked: tuple[str, ...]

    def as_object(self) -> JSONObject:
        """The pod as a v1 Pod."""
        metadata = {"name": self.name, "namespace": self.namespace, "labels": dict(self.labels)}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": self.spec}


def admit(pod: JSONObject, store: ObjectStore, namespace: str, *, is_valid: bool = False, enforced: Standard = UNENFORCED) -> AdmittedPod:
    """Fill in a pod as the API server does; raises `Refused` if it wouldn't store the pod.

    `is_valid` says that the API server accepts the pod as it is, so that only filled-in values have to be checked. `enforced` is the Pod
    Security Standard that the pod must satisfy.
    """
    name = name_of(pod) or text(metadata_of(pod), "generateName")
    unchecked: list[str] = []
    ranges = limits_of(namespace, store)
    given = part(pod, "spec")
    if not is_valid:
        _check_amounts(given)
    fills_in_last = release().defaults_pods_last
    requested = _with_requests(given)
    spec = with_limit_ranges(requested if fills_in_last else with_pod_level_defaults(requested), ranges)
    priority = priority_of(name, spec, store, unchecked)
    own = read_tolerations(spec.get("tolerations"))
    runtime = runtime_class_of(name, spec, store, unchecked)
    spec = with_runtime_class(name, spec, runtime)
    if fills_in_last:
        spec = with_pod_level_defaults(spec)
    labels = text_map(pod, "metadata", "labels")
    with_keys = with_label_keys(spec, labels)
    is_checked = is_valid and not ranges and not runtime and with_keys is spec
    errors = [] if is_checked else [*resource_errors(spec), *scheduling_errors(with_keys)]
    if errors:
        raise invalid(name, errors)
    check_limits(name, spec, ranges)
    if not enforced.is_free:
        check_security(name, metadata_of(pod), spec, enforced)
    check_overhead(name, spec, runtime)
    check_quotas(name, spec, namespace, store)
    total = effective(spec)
    return AdmittedPod(
        name=name,
        namespace=namespace,
        labels=labels,
        spec=spec,
        requests=counts(total),
        beyond_counting=tuple(uncountable(total)),
        node_selector=text_map(spec, "nodeSelector"),
        tolerations=with_defaults(own) + read_tolerations(items(spec, "tolerations")[len(own) :]),
        priority=priority.value,
        preempts=priority.policy != "Never",
        unchecked=tuple(unchecked),
    )


def _check_amounts(spec: JSONObject) -> None:
    """Raise `Refused` for an amount that isn't a quantity."""
    resources = [part(spec, "resources"), *(part(container, "resources") for _, _, container in containers(spec))]
    for amounts in (*(part(found, kind) for found in resources if found for kind in ("limits", "requests")), part(spec, "overhead")):
        for _, error in unreadable_amounts(amounts) if amounts else ():
            raise unreadable(error)


def _with_requests(spec: JSONObject) -> JSONObject:
    """The spec in which each container also requests its limits."""
    filled = {kind: [with_limits_requested(container) for container in items(spec, kind)] for kind in ("initContainers", "containers")}
    return {**spec, **{kind: held for kind, held in filled.items() if kind in spec}}


def check_security(name: str, metadata: JSONObject, spec: JSONObject, enforced: Standard) -> None:
    """Raise `Refused` if a pod breaks the enforced standard. The checks are imported when a namespace first enforces one."""
    from weighbridge.policies.pods.security.as_stored import as_stored
    from weighbridge.policies.pods.security.evaluation import breach
    from weighbridge.policies.pods.security.wordings import violation

    found = breach(metadata, as_stored(spec, text_map(metadata, "annotations")), enforced)
    if found:
        raise forbidden(name, violation(enforced, found))
