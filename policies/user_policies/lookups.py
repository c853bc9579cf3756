"""Look-ups of the cluster's objects: ``cluster.get(kind, [namespace,] name)`` and ``cluster.list(kind[, namespace])``.

The kind is a literal, so that the result has its type: a call is replaced by one of a function for that kind. Policies can look up only the
kinds and fields that rules read anyway, so that they need no further permission and see the same at every door. Kinds of which only a part
of some objects is followed, such as ConfigMaps and Deployments, can't be looked up. ``get`` gives an optional. Without a namespace it uses
that of the request; cluster-scoped kinds have none. If not all objects of a kind are known, a policy that looks up a missing one can't be
checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import ClassVar, Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.library.overload import EstimatedArguments, Function, Implementation, Overload
from weighbridge.policies.cel.library.ranges import CallEstimate, Range
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Ident, Literal, walk
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import STRING, Type, list_of, optional_of
from weighbridge.policies.cel.values.values import NONE, CelError, DataList, Optional, Value
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.facts.read_fields import READ_FIELDS, fields
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import closest
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.user_policies.core_types import kind_schema
from weighbridge.policies.user_policies.vocabulary import CLUSTER, CLUSTER_TYPE, PolicyTypes, declared_kind

_GET: Final = "get"
_LIST: Final = "list"
#: How each is written, with the most arguments; the namespace may be left out.
_FORMS: Final = {
    _GET: ("cluster.get(kind, name) or cluster.get(kind, namespace, name)", 3),
    _LIST: ("cluster.list(kind) or cluster.list(kind, namespace)", 2),
}
_NODES_ELSEWHERE: Final = "nodes can't be looked up; placement.nodes has those that could run the pods, with their labels"
_CLUSTER_SCOPED: Final = frozenset({"Namespace", "PersistentVolume", "RuntimeClass", "PriorityClass", "StorageClass"})
_NAMESPACE_FIELDS: Final = fields("metadata.name", "metadata.labels")
#: The cost of a look-up, in the server's units.
_COST: Final = 10


@dataclass(frozen=True, slots=True)
class ReadableKind:
    """A kind that can be looked up; `of_family` says that a CRD defines it."""

    gvk: GroupVersionKind
    namespaced: bool
    of_family: bool

    @property
    def name(self) -> str:
        """``Namespace``, ``Model.inference.llmkube.dev``."""
        return f"{self.gvk.kind}.{self.gvk.group}".rstrip(".")


@cache
def readable_kinds() -> Mapping[str, ReadableKind]:
    """The kinds that can be looked up, by their names; those of families also by the kind alone, if only one group has it."""
    found: dict[str, ReadableKind] = {}
    partly = {(kind.gvk.group, kind.gvk.kind) for family in families() for kind in family.looks_up if kind.transform or kind.name}
    for known in PLACEMENT_KINDS:
        group_kind = known.gvk.group, known.gvk.kind
        kind = ReadableKind(known.gvk, known.gvk.kind not in _CLUSTER_SCOPED, of_family=False)
        if not known.name and group_kind not in partly and kind_schema(kind.name) is not None:
            found[kind.name] = kind
    for family in families():
        for own in family.kinds:
            if not own.is_checked_only:
                kind = ReadableKind(own.gvk, own.namespaced, of_family=True)
                found[kind.name] = kind
    alone: dict[str, list[ReadableKind]] = {}
    for kind in found.values():
        alone.setdefault(kind.gvk.kind, []).append(kind)
    return {**{name: kinds[0] for name, kinds in alone.items() if len(kinds) == 1}, **found}


@dataclass(slots=True)
class ClusterView:
    """The value of `cluster` in one review; `lacked` collects missing facts."""

    store: ObjectStore
    namespace: str
    lacked: list[str] = field(default_factory=list)
    _lists: dict[tuple[str, str | None], list[JSONObject]] = field(default_factory=dict)

    cel_type: ClassVar[str] = CLUSTER_TYPE.name
    go_type: ClassVar[str] = CLUSTER_TYPE.name

    def get(self, kind: ReadableKind, declared: DeclaredType, namespace: str, name: str) -> Value:
        """An object, as an optional."""
        found = self.store.get(kind.gvk.group, kind.gvk.kind, namespace if kind.namespaced else "", name)
        if isinstance(found, dict):
            return Optional(present=True, value=read(_kept(found, kind), declared))
        self._need(kind)
        return NONE

    def list(self, kind: ReadableKind, declared: DeclaredType, namespace: str | None) -> Value:
        """The objects of a kind, of one namespace or of all."""
        self._need(kind)
        asked = kind.name, namespace if kind.namespaced else None
        if asked not in self._lists:
            self._lists[asked] = [_kept(obj, kind) for obj in self.store.list(kind.gvk.group, kind.gvk.kind, asked[1])]
        return DataList(self._lists[asked], _list_of(declared))

    def _need(self, kind: ReadableKind) -> None:
        if not self.store.knows_all(kind.gvk.group, kind.gvk.kind):
            reason = f"not all objects of kind {kind.name} are known"
            self.lacked.append(reason)
            raise CelError(reason)


def _kept(obj: JSONObject, kind: ReadableKind) -> JSONObject:
    """The part of an object that the webhook keeps."""
    return obj if kind.of_family else trim(obj)


class _ListOf(DeclaredType):
    """A list of objects whose type is known already."""

    def __init__(self, element: DeclaredType) -> None:
        super().__init__(Schema({"type": "array", "items": element.schema.raw}))
        self.__dict__["element"] = element


def _list_of(declared: DeclaredType) -> DeclaredType:
    found: DeclaredType | None = declared.__dict__.get("as list")
    if found is None:
        found = declared.__dict__["as list"] = _ListOf(declared)
    return found


class Lookups:
    """The functions of look-ups, made for the kinds that expressions name."""

    def __init__(self, types: PolicyTypes, definitions: Definitions) -> None:
        self._types = types
        self._definitions = definitions
        self.functions: dict[str, Function] = {}

    def rewrite(self, root: Expr, issues: Issues) -> bool:
        """Replace every look-up by a call of the function for its kind.

        Returns whether there is one. Mistakes are reported to the issues.
        """
        is_asked = False
        for node in walk(root):
            if isinstance(node, Call) and isinstance(node.target, Ident) and node.target.name == CLUSTER and node.function in (_GET, _LIST):
                is_asked = True
                self._rewrite(node, issues)
        return is_asked

    def _rewrite(self, node: Call, issues: Issues) -> None:
        kind = node.args[0] if node.args else None
        if not isinstance(kind, Literal) or not isinstance(kind.value, str):
            issues.report(node.offset, f"{CLUSTER}.{node.function} needs the kind as a literal text first, such as 'Namespace'")
            return
        known = readable_kinds().get(kind.value)
        if known is None:
            issues.report(kind.offset, _trouble(kind.value))
            return
        form, most = _FORMS[node.function]
        if not most - 1 <= len(node.args) <= most:
            issues.report(node.offset, f"write {form}")
            return
        name = f"{CLUSTER}.{node.function}('{known.name}')"
        if name not in self.functions:
            self.functions[name] = self._function(name, node.function, known)
        node.function = name
        node.args = node.args[1:]

    def _function(self, name: str, form: str, kind: ReadableKind) -> Function:
        definition = self._definitions.get(kind.gvk) if kind.of_family else None
        kept = READ_FIELDS.get((kind.gvk.group, kind.gvk.kind), _NAMESPACE_FIELDS if kind.gvk.kind == "Namespace" else {})
        declared = declared_kind(kind.name, definition.openapi_schema if definition is not None else None, kept)
        type_ = self._types.add(f"{CLUSTER}.{kind.name}", declared)
        function = Function(name)
        if form == _GET:
            function.overloads = list(_gets(name, kind, declared, optional_of(type_)))
        else:
            function.overloads = list(_lists(name, kind, declared, list_of(type_)))
        return function


def _gets(name: str, kind: ReadableKind, declared: DeclaredType, result: Type) -> Iterator[Overload]:
    def here(view: ClusterView, wanted: str) -> Value:
        return view.get(kind, declared, view.namespace, wanted)

    def there(view: ClusterView, namespace: str, wanted: str) -> Value:
        return view.get(kind, declared, namespace, wanted)

    yield _overload(f"{name}_here", 1, result, here)
    yield _overload(f"{name}_there", 2, result, there)


def _lists(name: str, kind: ReadableKind, declared: DeclaredType, result: Type) -> Iterator[Overload]:
    def everywhere(view: ClusterView) -> Value:
        return view.list(kind, declared, None)

    def there(view: ClusterView, namespace: str) -> Value:
        return view.list(kind, declared, namespace)

    yield _overload(f"{name}_everywhere", 0, result, everywhere)
    yield _overload(f"{name}_there", 1, result, there)


def _overload(id_: str, texts: int, result: Type, call: Implementation) -> Overload:
    parameters = (CLUSTER_TYPE, *[STRING] * texts)
    return Overload(id_, parameters, result, call, member=True, cost=_cost, estimate=_estimate)


def _cost(result: Value, *_: Value) -> int:
    return _COST + (len(result) if isinstance(result, DataList) else 0)


def _estimate(_: EstimatedArguments) -> CallEstimate:
    return CallEstimate(Range.of(_COST))


def _trouble(kind: str) -> str:
    if kind == "Node":
        return _NODES_ELSEWHERE
    if groups := sorted(name for name in readable_kinds() if name.startswith(f"{kind}.")):
        return f"{kind!r} is a kind of several groups; write {' or '.join(groups)}"
    near = closest(kind, readable_kinds())
    return f"{kind[:64]!r} isn't a kind that can be looked up; " + (f"did you mean {near}?" if near else "docs/policies.md lists them")
