"""An admission request as the engine takes it, whichever door it came through.

The fields are those of ``admission.k8s.io/v1`` AdmissionRequest; a door that has no API server before it (dry-run, lint) makes one from a
manifest. Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#request.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Request:
    """One object on its way in.

    `resource` is what the request was addressed to, which of a subresource is not the kind of the body, and `None` where the door
    doesn't know it; `object` is `None` for a deletion and `old_object` for a creation.
    `name` is empty where `generateName` will make one. `user_info` is the API server's map (username, groups, ...), empty offline.
    `manifest` is what `object` was made of where no API server has written into it; elsewhere `None`.
    """

    uid: str
    operation: Operation
    gvk: GroupVersionKind
    object: JSONValue = None
    old_object: JSONValue = None
    resource: GroupVersionResource | None = None
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    user_info: JSONObject | None = None
    dry_run: bool = False
    field_validation: FieldValidation = FieldValidation.WARN
    manifest: JSONValue = None
    _memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """What `work_out` gives, worked out when it is first asked for: several rules go by the same thing.

        It may depend on this request, and on the facts and the configuration that it is judged by, which are the same for all who ask.
        """
        return self._memory.once(key, work_out)

    def forget(self) -> None:
        """Let go of what was worked out, which may refer to this request in turn. That is for the one who has it judged."""
        self._memory.empty()
