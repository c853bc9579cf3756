"""Finds the pods that can't share a domain, and how many equal pods may: by required anti-affinity and topology spread.

Conditions that can't be known beforehand are left out, so that a limit is never stricter than the scheduler. Source: Kubernetes v1.37,
pkg/scheduler/framework/plugins/interpodaffinity and podtopologyspread (calPreFilterState, Filter).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.node import HOSTNAME
from weighbridge.policies.facts.selectors import labels_of, selects
from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.admission import AdmittedPod

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
#: Labels in which the pods of one workload differ, or whose values only the controller knows.
_VARIED: Final = frozenset(
    {
        *("statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "pod-template-hash", "controller-revision-hash"),
        *(f"leaderworkerset.sigs.k8s.io/{what}" for what in ("group-index", "worker-index", "group-key", "subgroup-index", "subgroup-key")),
        *("batch.kubernetes.io/job-completion-index", "controller-uid", "batch.kubernetes.io/controller-uid"),
    }
)


@dataclass(frozen=True, slots=True)
class Spread:
    """A spread constraint of a pod that counts pods like itself."""

    key: str
    skew: int
    least_domains: int
    honours_affinity: bool
    honours_taints: bool


def terms_of(spec: JSONObject, which: str) -> list[JSONObject]:
    """The required terms of a pod's affinity or anti-affinity to pods."""
    return items(spec, "affinity", which, _REQUIRED)


def keys_of(pod: AdmittedPod) -> Iterator[str]:
    """The topology labels that a pod uses, except the hostname."""
    for term in (*terms_of(pod.spec, "podAntiAffinity"), *terms_of(pod.spec, "podAffinity")):
        yield text(term, "topologyKey")
    for constraint in items(pod.spec, "topologySpreadConstraints"):
        if text(constraint, "whenUnsatisfiable") == "DoNotSchedule":
            yield text(constraint, "topologyKey")


def labels_read(spec: JSONObject) -> set[str]:
    """The labels of pods that a pod's terms and constraints read."""
    found: set[str] = set()
    for term in (*terms_of(spec, "podAntiAffinity"), *terms_of(spec, "podAffinity"), *items(spec, "topologySpreadConstraints")):
        found |= labels_of(term.get("labelSelector"))
    return found


def keeps_off(pod: AdmittedPod, other: AdmittedPod, store: ObjectStore, *, is_same: bool) -> set[str]:
    """The labels in whose domains one pod surely excludes the other; `is_same` says that both are of one kind."""
    found = set()
    for term in terms_of(pod.spec, "podAntiAffinity"):
        selector = term.get("labelSelector")
        unsure = bool(labels_of(selector) & _VARIED) or bool(texts(term, "mismatchLabelKeys"))
        if unsure or (texts(term, "matchLabelKeys") and not is_same):
            continue
        if selects(selector, other.labels) and _reaches(term, pod, other.namespace, store):
            found.add(text(term, "topologyKey"))
    return found


def stays_with_itself(pod: AdmittedPod, others: Sequence[AdmittedPod], store: ObjectStore) -> set[str]:
    """The labels for which all pods of a kind must be in one domain, since each wants to be near another one."""
    found = set()
    for term in terms_of(pod.spec, "podAffinity"):
        selector = term.get("labelSelector")
        if labels_of(selector) & _VARIED or texts(term, "mismatchLabelKeys"):
            continue
        wanted = [other for other in others if selects(selector, other.labels) and _reaches(term, pod, other.namespace, store)]
        if selects(selector, pod.labels) and _reaches(term, pod, pod.namespace, store) and not wanted:
            found.add(text(term, "topologyKey"))
    return found


def spreads_of(pod: AdmittedPod, others: Sequence[AdmittedPod]) -> list[Spread]:
    """The constraints of a pod that count only pods of its own kind."""
    found = []
    for one in items(pod.spec, "topologySpreadConstraints"):
        selector = one.get("labelSelector")
        if text(one, "whenUnsatisfiable") != "DoNotSchedule" or labels_of(selector) & _VARIED or not selects(selector, pod.labels):
            continue
        if any(other.namespace == pod.namespace and selects(selector, other.labels) for other in others):
            continue
        honours = text(one, "nodeAffinityPolicy", "Honor") == "Honor", text(one, "nodeTaintsPolicy", "Ignore") == "Honor"
        found.append(Spread(text(one, "topologyKey"), whole(one, "maxSkew", 1), whole(one, "minDomains", 1), *honours))
    return found


def is_node(key: str) -> bool:
    """Whether a domain of this label is a node."""
    return key == HOSTNAME


def _reaches(term: JSONObject, pod: AdmittedPod, namespace: str, store: ObjectStore) -> bool:
    """Whether a term surely covers the pods of a namespace."""
    names, selector = texts(term, "namespaces"), term.get("namespaceSelector")
    if namespace in names or (not names and not isinstance(selector, dict) and namespace == pod.namespace):
        return True
    if not isinstance(selector, dict):
        return False
    labels = namespace_labels(namespace, store)
    return not part(selector) or (labels is not None and selects(selector, labels))
