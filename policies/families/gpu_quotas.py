"""Compares the devices that the pods of predicted workloads need together with the ResourceQuotas of their namespace.

The limit is the quota's `hard` value of ``requests.RESOURCE``; for a new object it is what is left of that by `status`. Quotas with scopes
are ignored. Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.rule import Given, Violation
from weighbridge.policies.ground.fields import amounts, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Operation, Path, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.requests import counts, of_pod
from weighbridge.policies.pods.workloads import numbers_of, pods_of, replicas_of


@dataclass(frozen=True, slots=True)
class OverQuota:
    """A resource of which the pods need more than a quota allows: how many they need, and what is left of the limit."""

    quota: str
    resource: str
    wanted: int
    limit: int
    used: int

    @property
    def left(self) -> int:
        """How many are left, at least 0."""
        return max(self.limit - self.used, 0)

    def __str__(self) -> str:
        allowed = f"{self.limit}, of which {self.used} are taken" if self.used else str(self.limit)
        return f"the pods need {self.wanted} {self.resource}, but ResourceQuota {self.quota} allows {allowed}"


def over_quota(wanted: Mapping[str, int], facts: Facts, namespace: str, *, is_new: bool) -> Iterator[OverQuota]:
    """The resources of these amounts that the quotas of a namespace don't allow."""
    for quota in _quotas(facts, namespace) if wanted else ():
        hard, used = amounts(quota, "spec", "hard"), amounts(quota, "status", "used")
        for resource, count in wanted.items():
            key = f"requests.{resource}"
            if key in hard:
                taken = used[key].value() if is_new and key in used else 0
                limit = hard[key].value()
                if count > limit - taken:
                    yield OverQuota(name_of(quota), resource, count, limit, taken)


def objections(given: Given, made: Iterable[JSONObject], path: Path, *, lower: str) -> Iterator[Violation]:
    """The violations of the quotas of the request's namespace by the pods of workloads; `lower` says what the author can lower."""
    request, facts, _ = given
    if next(_quotas(facts, request.namespace), None) is None:
        return
    for over in over_quota(_devices_of(made), facts, request.namespace, is_new=request.operation is Operation.CREATE):
        hint, found, most = f"{lower}, or raise the quota", f"{over.wanted} {over.resource}", f"at most {over.left} {over.resource}"
        yield Violation(path, str(over), found=found, expected=most, hint=hint)


def _quotas(facts: Facts, namespace: str) -> Iterator[JSONObject]:
    """The quotas of a namespace that count all pods."""
    for quota in facts.objects.list("", "ResourceQuota", namespace):
        if not (part(quota, "spec").get("scopes") or part(quota, "spec").get("scopeSelector")):
            yield quota


def _devices_of(made: Iterable[JSONObject]) -> Mapping[str, int]:
    """The extended resources that all pods of some workloads request, with the fewest replicas that their autoscalers allow."""
    objects = list(made)
    least = {
        (text(target, "kind"), text(target, "name")): whole(part(obj, "spec"), "minReplicas", 1)
        for obj in objects
        if obj.get("kind") == "HorizontalPodAutoscaler" and (target := part(obj, "spec", "scaleTargetRef"))
    }
    found: Counter[str] = Counter()
    for workload in objects:
        replicas = max(replicas_of(workload), least.get((text(workload, "kind"), name_of(workload)), 0))
        numbers = numbers_of(workload)
        for role, pod in pods_of(workload).items():
            pods = replicas * numbers.get(role, 1)
            spec = part(pod, "spec")
            asked = counts(of_pod(spec, "limits")) | counts(of_pod(spec))
            found.update({name: count * pods for name, count in asked.items() if "/" in name and count * pods > 0})
    return found
