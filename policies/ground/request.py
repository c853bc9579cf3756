"""An admission request as the engine gets it from every door.

The fields are those of ``admission.k8s.io/v1`` AdmissionRequest; offline doors (dry-run, lint) build one from a
manifest. Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#request.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.records import dataclass, field

if TYPE_CHECKING:
    from datetime import datetime

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Request:
    """One object that is created, updated or deleted.

    `resource` is the addressed resource, `None` if the door doesn't know it; the body of a subresource may have the kind of another one.
    `object` is `None` for a deletion and `old_object` for a creation. `name` is empty if `generateName` will give one. `user_info` is the
    API server's map (username, groups, ...), empty offline. `manifest` is the object as its author wrote it, offline; else `None`. `moment`
    is when the request came, `None` if the moment of the configuration counts.
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
    moment: datetime | None = None
    _memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """The result of `work_out`, remembered for the rules that share it.

        It may depend on this request and on the facts and the configuration of its verdict.
        """
        return self._memory.once(key, work_out)

    def forget(self) -> None:
        """Empty the memory, whose results may refer to this request. Only the caller that has the request judged calls this."""
        self._memory.empty()
