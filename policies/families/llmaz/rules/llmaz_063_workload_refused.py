"""LeaderWorkerSet's own webhook refuses the workload.

The API server stores the object, but llmaz retries for ever and creates no LeaderWorkerSet and no pod. The LeaderWorkerSet and its
headless Service have the object's name, so the name must begin with a letter, although llmaz and kube-apiserver 1.36 accept a digit too.
A group has at least one pod. `maxUnavailable` and `maxSurge` can't both be 0, or an update would never begin; percentages are of the
number of replicas.

Source: LeaderWorkerSet v0.6.2 to v0.9.0, pkg/webhooks/leaderworkerset_webhook.go.
"""

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path

_PERCENT: Final = expression(r"([0-9]+)%", re.ASCII)
_MOST: Final = 2**31 - 1
_ROLLOUT: Final[Path] = ("spec", "rolloutStrategy", "rollingUpdateConfiguration")


@objects.warning(kinds=("Service", "Playground"), good="accepts-a-group-of-one-worker", bad="warns-of-a-group-without-pods")
def check(given: Given) -> Said:
    name, spec = given.name, given.spec
    if given.request.operation is Operation.CREATE and name[:1].isdigit():
        message = "LeaderWorkerSet's webhook refuses a name that begins with a digit, so no pod ever starts"
        yield Violation(("metadata", "name"), message, found=name, expected="a name that begins with a letter")
    if given.kind != "Service":
        return
    size, replicas = whole(part(spec, "workloadTemplate"), "size", 1), whole(spec, "replicas", 1)
    if size < 1:
        message = "LeaderWorkerSet's webhook refuses a group without pods"
        yield Violation(("spec", "workloadTemplate", "size"), message, found=str(size), expected="1 or more")
    elif replicas * size > _MOST:
        message = f"LeaderWorkerSet's webhook refuses groups with more than {_MOST} pods together"
        yield Violation(("spec", "replicas"), message, found=f"{replicas} groups of {size}")
    yield from _rollout(part(spec, "rolloutStrategy", "rollingUpdateConfiguration"), replicas)


def _rollout(update: JSONObject, replicas: int) -> Iterator[Violation]:
    """The fault in how groups are replaced; missing fields have their defaults by then."""
    counts, is_usable = [], True
    for field, default, rounds_up in (("maxUnavailable", 1, False), ("maxSurge", 0, True)):
        value = update.get(field, default)
        if _is_unusable(value):
            message = f"LeaderWorkerSet's webhook refuses this {field}"
            yield Violation((*_ROLLOUT, field), message, found=str(value), expected="a number, or a percentage up to 100%")
            is_usable = False
        else:
            counts.append(_count(value, replicas, rounds_up=rounds_up))
    if is_usable and not any(counts) and replicas:
        message = f"LeaderWorkerSet's webhook refuses an update where both maxUnavailable and maxSurge are 0 of {replicas} groups"
        hint = "set one of them to 1"
        yield Violation((*_ROLLOUT, "maxUnavailable"), message, found=str(update.get("maxUnavailable", 1)), hint=hint)


def _is_unusable(value: JSONValue) -> bool:
    if isinstance(value, str):
        found = _PERCENT.fullmatch(value)
        return found is None or not _is_at_most_all(found[1])
    return isinstance(value, int) and value < 0


def _is_at_most_all(digits: str) -> bool:
    # int() refuses more than 4300 digits.
    digits = digits.lstrip("0")
    return len(digits) <= 3 and int(digits or "0") <= 100


def _count(value: JSONValue, replicas: int, *, rounds_up: bool) -> int:
    if isinstance(value, str):
        parts = int(value.removesuffix("%").lstrip("0") or "0") * replicas
        return -(-parts // 100) if rounds_up else parts // 100
    return value if isinstance(value, int) else 1
