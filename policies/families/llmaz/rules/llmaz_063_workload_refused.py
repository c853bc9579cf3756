"""LeaderWorkerSet's own webhook refuses the workload.

The API server stores the object. llmaz tries again for ever, and makes no LeaderWorkerSet and no pod. The LeaderWorkerSet and its headless
Service have the object's name, so the name must begin with a letter; llmaz and kube-apiserver 1.36 take a digit too. A group has at least
one pod. `maxUnavailable` and `maxSurge` can't both be 0, or an update would never begin; a percentage is taken of the replicas.

Source: LeaderWorkerSet v0.6.2 to v0.9.0, pkg/webhooks/leaderworkerset_webhook.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.objects import JSONObject, JSONValue, Operation, Path, name_of
from policies.request import Request

_PERCENT: Final = re.compile(r"([0-9]+)%", re.ASCII)
_MOST: Final = 2**31 - 1
_ROLLOUT: Final[Path] = ("spec", "rolloutStrategy", "rollingUpdateConfiguration")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    name, spec = name_of(request.object), spec_of(request.object)
    if request.operation is Operation.CREATE and name[:1].isdigit():
        message = "LeaderWorkerSet's webhook refuses a name that begins with a digit, so no pod ever starts"
        yield RULE.finding(("metadata", "name"), message, found=name, expected="a name that begins with a letter")
    if request.gvk.kind != "Service":
        return
    size, replicas = whole(part(spec, "workloadTemplate"), "size", 1), whole(spec, "replicas", 1)
    if size < 1:
        message = "LeaderWorkerSet's webhook refuses a group without pods"
        yield RULE.finding(("spec", "workloadTemplate", "size"), message, found=str(size), expected="1 or more")
    elif replicas * size > _MOST:
        message = f"LeaderWorkerSet's webhook refuses groups with more than {_MOST} pods together"
        yield RULE.finding(("spec", "replicas"), message, found=f"{replicas} groups of {size}")
    yield from _rollout(part(spec, "rolloutStrategy", "rollingUpdateConfiguration"), replicas)


def _rollout(update: JSONObject, replicas: int) -> Iterator[Finding]:
    """What is wrong with how groups are replaced; what isn't said has its default by then."""
    counts, is_usable = [], True
    for field, default, rounds_up in (("maxUnavailable", 1, False), ("maxSurge", 0, True)):
        value = update.get(field, default)
        if _is_unusable(value):
            message = f"LeaderWorkerSet's webhook refuses this {field}"
            yield RULE.finding((*_ROLLOUT, field), message, found=str(value), expected="a number, or a percentage up to 100%")
            is_usable = False
        else:
            counts.append(_count(value, replicas, rounds_up=rounds_up))
    if is_usable and not any(counts) and replicas:
        message = f"LeaderWorkerSet's webhook refuses an update where both maxUnavailable and maxSurge are 0 of {replicas} groups"
        hint = "set one of them to 1"
        yield RULE.finding((*_ROLLOUT, "maxUnavailable"), message, found=str(update.get("maxUnavailable", 1)), hint=hint)


def _is_unusable(value: JSONValue) -> bool:
    if isinstance(value, str):
        found = _PERCENT.fullmatch(value)
        return found is None or not _is_at_most_all(found[1])
    return isinstance(value, int) and value < 0


def _is_at_most_all(digits: str) -> bool:
    # Only so many digits are ever read as a number.
    digits = digits.lstrip("0")
    return len(digits) <= 3 and int(digits or "0") <= 100


def _count(value: JSONValue, replicas: int, *, rounds_up: bool) -> int:
    if isinstance(value, str):
        parts = int(value.removesuffix("%").lstrip("0") or "0") * replicas
        return -(-parts // 100) if rounds_up else parts // 100
    return value if isinstance(value, int) else 1


RULE = Rule(
    id="LLMAZ-063",
    name="workload-refused",
    severity=Severity.WARNING,
    kinds=(
        "Service",
        "Playground",
    ),
    since="0.1.0",
    source="LeaderWorkerSet v0.6.2 pkg/webhooks/leaderworkerset_webhook.go",
    check=_check,
    good="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: model-runner, image: "engine:v1"}]}}}""",
    bad="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {size: 0, workerTemplate: {spec: {containers: [{name: model-runner, image: "engine:v1"}]}}}""",
)
