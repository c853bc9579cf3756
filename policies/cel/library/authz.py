"""The authorizer's functions, declared but out of reach: no variable of a rule has their types.

They are here so that a rule that tries gets the server's words. Since 1.27, selectors since 1.31.
"""

from __future__ import annotations

from typing import Final

from policies.cel.library.overload import Library, Overload
from policies.cel.types import BOOL, STRING, struct

_AUTHORIZER: Final = struct("kubernetes.authorization.Authorizer")
_PATH: Final = struct("kubernetes.authorization.PathCheck")
_GROUP: Final = struct("kubernetes.authorization.GroupCheck")
_RESOURCE: Final = struct("kubernetes.authorization.ResourceCheck")
_DECISION: Final = struct("kubernetes.authorization.Decision")

LIBRARY: Final = Library(since=(1, 27))
for _name, _id, _parameters, _result in (
    ("path", "authorizer_path", (_AUTHORIZER, STRING), _PATH),
    ("group", "authorizer_group", (_AUTHORIZER, STRING), _GROUP),
    ("serviceAccount", "authorizer_serviceaccount", (_AUTHORIZER, STRING, STRING), _AUTHORIZER),
    ("resource", "groupcheck_resource", (_GROUP, STRING), _RESOURCE),
    ("subresource", "resourcecheck_subresource", (_RESOURCE, STRING), _RESOURCE),
    ("namespace", "resourcecheck_namespace", (_RESOURCE, STRING), _RESOURCE),
    ("name", "resourcecheck_name", (_RESOURCE, STRING), _RESOURCE),
    ("check", "pathcheck_check", (_PATH, STRING), _DECISION),
    ("check", "resourcecheck_check", (_RESOURCE, STRING), _DECISION),
    ("errored", "decision_errored", (_DECISION,), BOOL),
    ("error", "decision_error", (_DECISION,), STRING),
    ("allowed", "decision_allowed", (_DECISION,), BOOL),
    ("reason", "decision_reason", (_DECISION,), STRING),
    ("fieldSelector", "authorizer_fieldselector", (_RESOURCE, STRING), _RESOURCE),
    ("labelSelector", "authorizer_labelselector", (_RESOURCE, STRING), _RESOURCE),
):
    _since = (1, 31) if _name.endswith("Selector") else (1, 27)
    LIBRARY.add(_name, Overload(_id, _parameters, _result, member=True, since=_since))
for _type in (_AUTHORIZER, _PATH, _GROUP, _RESOURCE, _DECISION):
    LIBRARY.type(_type)
