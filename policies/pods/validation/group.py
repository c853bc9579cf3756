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
from weighbridge.policies.pods.validation.wordings import GROUP_WITHOUT_PODS, GROUPS_BELOW_NONE, too_many_pods

_MOST: Final = 2**31 - 1


def group_errors(group: JSONObject) -> Iterator[FieldError]:
    """The webhook's errors of the numbers of a LeaderWorkerSet."""
    spec = part(group, "spec")
    replicas, size = whole(spec, "replicas", 1), whole(part(spec, "leaderWorkerTemplate"), "size", 1)
    if replicas < 0:
        yield FieldError(ErrorType.INVALID, "spec.replicas", replicas, GROUPS_BELOW_NONE)
    if size < 1:
        yield FieldError(ErrorType.INVALID, "spec.leaderWorkerTemplate.size", size, GROUP_WITHOUT_PODS)
    if replicas * size > _MOST:
        yield FieldError(ErrorType.INVALID, "spec.replicas", replicas, too_many_pods(_MOST))
