"""What the admission plugins of kube-apiserver say against a pod: every wording.

What validation says against its fields is in `validation.wordings`, and what Pod Security says in `security.wordings`. Source: Kubernetes
v1.36, plugin/pkg/admission/{limitranger,priority,runtimeclass}, apiserver/pkg/admission/plugin/resourcequota and
pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- answers ---


def forbidden(pod: str, why: str) -> str:
    """The answer of an admission plugin."""
    return f"pods {quote(pod)} is forbidden: {why}"


def unreadable(why: str) -> str:
    """The answer of a server that can't read the pod."""
    return f'Pod in version "v1" cannot be handled as a Pod: {why}'


def several(errors: list[str]) -> str:
    """Several reasons as one."""
    return errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"


# --- limit ranges ---


def minimum(resource: str, kind: str, least: object) -> str:
    """The least of a resource that a container or a pod may have."""
    return f"minimum {resource} usage per {kind} is {least}"


def maximum(resource: str, kind: str, most: object) -> str:
    """The most of a resource that a container or a pod may have."""
    return f"maximum {resource} usage per {kind} is {most}"


def greatest_ratio(resource: str, kind: str, ratio: object) -> str:
    """The greatest ratio of a resource's limit to its request."""
    return f"{resource} max limit to request ratio per {kind} is {ratio}"


def no_request(rule: str) -> str:
    """A container or a pod has no request. `rule` is one of the three texts above, here and below."""
    return f"{rule}.  No request is specified"


def no_limit(rule: str) -> str:
    """A container or a pod has no limit."""
    return f"{rule}.  No limit is specified"


def wrong_request(rule: str, request: object) -> str:
    """The request is too small or too great."""
    return f"{rule}, but request is {request}"


def wrong_limit(rule: str, limit: object) -> str:
    """The limit is too small or too great."""
    return f"{rule}, but limit is {limit}"


def ratio_without_request(rule: str) -> str:
    """The ratio can't be computed without a request."""
    return f"{rule}, but no request is specified or request is 0"


def ratio_without_limit(rule: str) -> str:
    """The ratio can't be computed without a limit."""
    return f"{rule}, but no limit is specified or limit is 0"


def wrong_ratio(rule: str, found: float) -> str:
    """The limit is too great in proportion to the request."""
    return f"{rule}, but provided ratio is {found:f}"


# --- quotas ---


def not_stated(quota: str, missing: str) -> str:
    """Containers lack requests or limits that a quota makes compulsory."""
    return f"failed quota: {quota}: must specify {missing}"


def missing_amounts(containers_of: Iterable[tuple[str, Iterable[str]]]) -> str:
    """The missing requests and limits, each with the containers that lack it."""
    return "; ".join(f"{key} for: {','.join(sorted(names))}" for key, names in containers_of)


def quota_exceeded(quota: str, requested: str, used: str, limited: str) -> str:
    """A pod exceeds a quota."""
    return f"exceeded quota: {quota}, requested: {requested}, used: {used}, limited: {limited}"


# --- priority and runtime classes ---

OTHER_OVERHEAD: Final = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
OVERHEAD_WITHOUT_CLASS: Final = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


def no_priority_class(name: str) -> str:
    """The cluster has no such priority class."""
    return f"no PriorityClass with name {name} was found"


def unknown_priority_class(name: str) -> str:
    """The priority classes of the cluster aren't known."""
    return f"PriorityClass {name}: the cluster's priority classes aren't known"


def other_priority(given: object, computed: int) -> str:
    """The pod has another priority than its class."""
    return (
        f"the integer value of priority ({given}) must not be provided in pod spec; priority admission controller computed {computed} "
        "from the given PriorityClass name"
    )


def other_preemption_policy(given: str, computed: str) -> str:
    """The pod has another preemption policy than its class."""
    return (
        f"the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission controller computed "
        f"{computed} from the given PriorityClass name"
    )


def no_runtime_class(name: str) -> str:
    """The cluster has no such runtime class."""
    return f'pod rejected: RuntimeClass "{name}" not found'


def unknown_runtime_class(name: str) -> str:
    """The runtime classes of the cluster aren't known."""
    return f"RuntimeClass {name}: the cluster's runtime classes aren't known"


def other_node_selector(key: str, wanted: str, own: str) -> str:
    """The pod selects other nodes than its runtime class."""
    return f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {wanted}; pod.spec.nodeSelector[{key}] = {own}"
