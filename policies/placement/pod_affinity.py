"""The filter InterPodAffinity on an empty cluster: only a pod that matches its own terms meets required affinity.

Such a pod is the first of a series; the node still needs every topology label. There is no pod that anti-affinity could exclude. Source:
Kubernetes v1.36, pkg/scheduler/framework/plugins/interpodaffinity.
"""

from __future__ import annotations

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.selectors import NAMESPACE_NAME, labels_of, selects
from weighbridge.policies.ground.fields import items, text, texts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.wordings import NO_COMPANY
from weighbridge.policies.pods.admission import AdmittedPod


@dataclass(frozen=True, slots=True)
class PodAffinity:
    """The topology labels of a pod's required affinity, and whether the pod matches all of its terms itself."""

    keys: tuple[str, ...]
    by_itself: bool

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason."""
        if not self.keys:
            return ()
        return () if self.by_itself and all(key in node.labels for key in self.keys) else (NO_COMPANY,)


def pod_affinity_of(pod: AdmittedPod, store: ObjectStore, unchecked: list[str]) -> PodAffinity:
    """Read a pod's required affinity; a term whose namespaces can't be known counts as met, with a line in `unchecked`."""
    terms = items(pod.spec, "affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    by_itself = all(_matches_itself(term, pod) and _reaches_namespace(term, pod, store, unchecked) for term in terms)
    return PodAffinity(tuple(text(term, "topologyKey") for term in terms), by_itself)


def _matches_itself(term: JSONObject, pod: AdmittedPod) -> bool:
    """Whether the pod is one of those that a term asks for.

    `mismatchLabelKeys` exclude pods with the pod's own values, and so the pod itself.
    """
    if any(key in pod.labels for key in texts(term, "mismatchLabelKeys")):
        return False
    return selects(term.get("labelSelector"), pod.labels)


def _reaches_namespace(term: JSONObject, pod: AdmittedPod, store: ObjectStore, unchecked: list[str]) -> bool:
    """Whether a term covers the pod's own namespace, which it does unless it names others."""
    names, selector = texts(term, "namespaces"), term.get("namespaceSelector")
    if not names and not isinstance(selector, dict):
        return True
    if pod.namespace in names or selector == {}:
        return True
    if not isinstance(selector, dict):
        return False
    labels = namespace_labels(pod.namespace, store)
    if labels is None and labels_of(selector) - {NAMESPACE_NAME}:
        unchecked.append(f"pod affinity: the labels of namespace {pod.namespace} aren't known")
        return True
    return selects(selector, labels or {NAMESPACE_NAME: pod.namespace})
