"""The CEL environment of policies: the variables that an expression sees, and their types.

`object`, `oldObject` and `params` have no static type; `request`, `namespaceObject` and `variables` are structs with declared fields. A new
expression may use less than a stored one. Source: k8s.io/apiserver pkg/admission/plugin/cel/{compile,composition}.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.cel.check.checked import Checked, Refused, compile_text
from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.emit.constants import ProgramError
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.library.authz import AUTHORIZER, RESOURCE_CHECK
from weighbridge.policies.cel.syntax.nodes import walk
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.declared import JSON_TYPE, DeclaredType, SelfTypes
from weighbridge.policies.cel.values.types import Kind, Type, list_of, map_of, struct
from weighbridge.policies.cel.versions import Version, new_rules_version, stored_rules_version
from weighbridge.policies.ground.records import dataclass

#: The variables in the order of a program's arguments.
VARIABLES: Final = ("object", "oldObject", "params", "request", "namespaceObject", "authorizer", "authorizer.requestResource", "variables")
VARIABLES_TYPE: Final = "kubernetes.variables"
_TEXTS: Final = list_of(types.STRING)
_TEXT_MAP: Final = map_of(types.STRING, types.STRING)
_KIND: Final = struct("kubernetes.GroupVersionKind")
_RESOURCE: Final = struct("kubernetes.GroupVersionResource")
_USER: Final = struct("kubernetes.UserInfo")
_REQUEST: Final = struct("kubernetes.AdmissionRequest")
_NAMESPACE: Final = struct("kubernetes.Namespace")
_NAMESPACE_METADATA: Final = struct("kubernetes.NamespaceMetadata")
_NAMESPACE_SPEC: Final = struct("kubernetes.NamespaceSpec")
_NAMESPACE_STATUS: Final = struct("kubernetes.NamespaceStatus")
_NAMESPACE_CONDITION: Final = struct("kubernetes.NamespaceCondition")

STRUCTS: Final[Mapping[str, Mapping[str, Type]]] = {
    _KIND.name: dict.fromkeys(("group", "version", "kind"), types.STRING),
    _RESOURCE.name: dict.fromkeys(("group", "version", "resource"), types.STRING),
    _USER.name: {"username": types.STRING, "uid": types.STRING, "groups": _TEXTS, "extra": map_of(types.STRING, _TEXTS)},
    _REQUEST.name: {
        "kind": _KIND,
        "resource": _RESOURCE,
        "subResource": types.STRING,
        "requestKind": _KIND,
        "requestResource": _RESOURCE,
        "requestSubResource": types.STRING,
        "name": types.STRING,
        "namespace": types.STRING,
        "operation": types.STRING,
        "userInfo": _USER,
        "dryRun": types.BOOL,
        "options": types.DYN,
    },
    _NAMESPACE.name: {"metadata": _NAMESPACE_METADATA, "spec": _NAMESPACE_SPEC, "status": _NAMESPACE_STATUS},
    _NAMESPACE_METADATA.name: {
        "name": types.STRING,
        "generateName": types.STRING,
        "namespace": types.STRING,
        "labels": _TEXT_MAP,
        "annotations": _TEXT_MAP,
        "UID": types.STRING,
        "creationTimestamp": types.TIMESTAMP,
        "deletionGracePeriodSeconds": types.INT,
        "deletionTimestamp": types.TIMESTAMP,
        "generation": types.INT,
        "resourceVersion": types.STRING,
        "finalizers": _TEXTS,
    },
    _NAMESPACE_SPEC.name: {"finalizers": _TEXTS},
    _NAMESPACE_STATUS.name: {"conditions": list_of(_NAMESPACE_CONDITION), "phase": types.STRING},
    _NAMESPACE_CONDITION.name: {
        "status": types.STRING,
        "type": types.STRING,
        "lastTransitionTime": types.TIMESTAMP,
        "message": types.STRING,
        "reason": types.STRING,
    },
}
#: The variables that every expression sees, with their types.
ALWAYS: Final[Mapping[str, Type]] = {"object": types.DYN, "oldObject": types.DYN, "request": _REQUEST, "namespaceObject": _NAMESPACE}
#: The kinds of types that expressions see of a variable; other types become dyn.
_KEPT: Final = frozenset({
    Kind.BOOL, Kind.BYTES, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.NULL, Kind.STRING, Kind.TIMESTAMP, Kind.UINT,
})  # fmt: skip


class PolicyTypes(SelfTypes):
    """The structs that expressions of policies can name, and the variables that a policy has declared so far."""

    def __init__(self, structs: Mapping[str, Mapping[str, Type]]) -> None:
        super().__init__(JSON_TYPE)
        self._fields = structs

    def add(self, declared: DeclaredType, name: str) -> Type:
        """The type of data with a known schema, under a name."""
        return self._type(declared, name)

    def has_struct(self, name: str) -> bool:
        """Whether a name is that of a struct."""
        return name in self._fields or super().has_struct(name)

    def named(self, name: str) -> Type | None:
        """The type of that name; `None` if there is none."""
        return struct(name) if name in self._fields else None

    def field(self, struct: str, identifier: str, *, keywords: bool = True) -> Type | None:
        """The type of a field of a struct; `None` if it has none of that name."""
        fields = self._fields.get(struct)
        return super().field(struct, identifier, keywords=keywords) if fields is None else fields.get(identifier)

    def declared_as(self, struct: str) -> DeclaredType | None:
        """The declared type of a struct; `None` if it isn't data."""
        return self._structs.get(struct)

    def fields(self, struct: str) -> Iterable[str]:
        """The fields of a struct, by their names in expressions."""
        declared = self._structs.get(struct)
        return self._fields.get(struct, ()) if declared is None else declared.fields


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression of a policy; it has no program if there is an `error`.

    `is_internal` says that the server reports the error as an internal one. `mentions` are the variables that it names.
    """

    text: str
    program: Program | None
    error: str
    is_internal: bool
    type: Type | None
    mentions: frozenset[str]


class PolicyEnvironment:
    """Compiles the expressions of one policy; variables are added in their order, and later expressions see them.

    `has_variables` says whether the name `variables` exists. `base` can have more functions, and `structs` more types.
    """

    def __init__(
        self,
        *,
        has_params: bool,
        has_variables: bool = True,
        is_new: bool = False,
        base: Environment | None = None,
        structs: Mapping[str, Mapping[str, Type]] | None = None,
    ) -> None:
        self._variables: dict[str, Type] = {}
        declared = dict(ALWAYS)
        if has_params:
            declared["params"] = types.DYN
        known = {**STRUCTS, **(structs or {})}
        if has_variables:
            declared["variables"] = struct(VARIABLES_TYPE)
            known[VARIABLES_TYPE] = self._variables
        self._types = PolicyTypes(known)
        functions = base or environment(new_version() if is_new else stored_rules_version())
        self._environment = functions.with_variables(declared, self._types)
        self._asking = self._environment.with_variables({"authorizer": AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK})

    def compile(self, text: str, *wanted: Type, asks: bool = True) -> Expression:
        """Compile an expression that must have one of these types, or any if none is given.

        `asks` says whether it may use the authorizer.
        """
        checked = compile_text(text, self._asking if asks else self._environment)
        if isinstance(checked, Refused):
            return _refused(text, wordings.compilation_failed(checked.message))
        if wanted and checked.type not in wanted:
            return _refused(text, wordings.wrong_result_type(map(go_name, wanted), go_name(checked.type)))
        try:
            program = Program(checked, VARIABLES, "policy")
        except ProgramError as error:
            return _refused(text, wordings.no_program(error), is_internal=True)
        return Expression(text, program, "", is_internal=False, type=checked.type, mentions=_mentions(checked))

    def add_variable(self, name: str, text: str) -> Expression:
        """Compile a variable and declare it."""
        compiled = self.compile(text)
        self.declare(name, compiled.type)
        return compiled

    def declare(self, name: str, type_: Type | None) -> None:
        """Declare a variable that is already compiled; one that doesn't compile has no type."""
        self._variables[name] = seen_type(type_)


def new_version() -> Version:
    """The version of new expressions."""
    return new_rules_version()


def go_name(type_: Type) -> str:
    """The run-time name of a type, which differs from that in the checker's messages."""
    return f"{type_.name}({', '.join(map(go_name, type_.parameters))})" if type_.parameters else type_.name


def _refused(text: str, error: str, *, is_internal: bool = False) -> Expression:
    return Expression(text, None, error, is_internal=is_internal, type=None, mentions=frozenset())


def _mentions(checked: Checked) -> frozenset[str]:
    found = {node.reference.removeprefix(".") for node in walk(checked.root) if node.reference is not None}
    return frozenset(found & set(VARIABLES))


def seen_type(type_: Type | None) -> Type:
    """The type that other expressions see of a variable, given the type of its expression; `None` if that doesn't compile."""
    if type_ is None:
        return types.DYN
    if type_.kind is Kind.LIST or type_.kind is Kind.MAP:
        return Type(type_.kind, type_.name, tuple(map(seen_type, type_.parameters)))
    return type_ if type_.kind in _KEPT else types.DYN
