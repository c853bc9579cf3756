"""The parts of a pod that the checks read, and what they find.

Source: k8s.io/pod-security-admission v0.37, policy/visitor.go and policy/helpers.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.requests import containers


class Broken(NamedTuple):
    """What a pod violates, in a word, and the details."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class CheckedPod:
    """The spec of a pod or of a template, and its annotations."""

    spec: JSONObject
    annotations: Mapping[str, str]

    @property
    def context(self) -> JSONObject:
        """The security context of the whole pod."""
        return part(self.spec, "securityContext")

    @property
    def containers(self) -> list[JSONObject]:
        """All containers, init containers first."""
        return [container for _, _, container in containers(self.spec)]

    @property
    def is_for_windows(self) -> bool:
        """Whether the pod says that it is for Windows."""
        return text(part(self.spec, "os"), "name") == "windows"

    @property
    def has_own_users(self) -> bool:
        """Whether the pod runs in a user namespace."""
        return self.spec.get("hostUsers") is False


Check: TypeAlias = Callable[[CheckedPod], Broken | None]


def context_of(container: JSONObject) -> JSONObject:
    """The security context of a container."""
    return part(container, "securityContext")


def named(containers: Iterable[JSONObject]) -> list[str]:
    """The names of containers or volumes."""
    return [text(container, "name") for container in containers]
