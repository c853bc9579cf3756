"""Checks whether LeaderWorkerSet's own webhook accepts a LeaderWorkerSet that an operator creates from its users' numbers.

The names and the rollout of a group aren't checked, since operators write them correctly.
Source: LeaderWorkerSet v0.5.1 to v0.9.0, pkg/webhooks/leaderworkerset_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.objects import JSONObject

_MOST: Final = 2**31 - 1


def group_errors(group: JSONObject) -> Iterator[FieldError]:
    """The webhook's errors of the numbers of a LeaderWorkerSet."""
    spec = part(group, "spec")
    replicas, size = whole(spec, "replicas", 1), whole(part(spec, "leaderWorkerTemplate"), "size", 1)
    if replicas < 0:
        yield FieldError(ErrorType.INVALID, "spec.replicas", replicas, "replicas must be equal or greater than 0")
    if size < 1:
        yield FieldError(ErrorType.INVALID, "spec.leaderWorkerTemplate.size", size, "size must be equal or greater than 1")
    if replicas * size > _MOST:
        detail = f"the product of replicas and worker replicas must not exceed {_MOST}"
        yield FieldError(ErrorType.INVALID, "spec.replicas", replicas, detail)
