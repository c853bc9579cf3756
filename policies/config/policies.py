"""The section `policies`: the user's own rules and fill-ins, with the keys of a ValidatingAdmissionPolicy.

`weighbridge.policies.user_policies` compiles and asks them. The expressions are CEL; docs/policies.md says what they may name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

from weighbridge.policies.config.enforcement import Labels
from weighbridge.policies.config.field_paths import path_of
from weighbridge.policies.config.sections import POLICY_PREFIX, SECTION
from weighbridge.policies.config.selection import Kinds, LabelSelector, Names
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request

_ID: Final = expression(r"POLICY-\d{3}")
_NAME: Final = expression(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_VARIABLE: Final = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_NOW: Final = expression(r"\bnow\b")
#: The most validations of a policy, and the most fill-ins.
_MOST: Final = 100
#: The most kinds, each by its definition, for which compiled policies are kept.
_MOST_COMPILED: Final = 256


@dataclass(frozen=True)
class PolicyMatch:
    """The requests that a policy checks: all given criteria must be met."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    kinds: list[str] = field(default_factory=list)
    """kinds such as Model or Model.inference.llmkube.dev; all that the webhook judges where none is given"""
    namespaces: list[str] = field(default_factory=list)
    """namespaces; * matches any characters, as in team-*; all where none is given"""
    namespace_selector: LabelSelector = field(default_factory=LabelSelector)
    """labels of the namespace; where the namespace isn't known the policy isn't checked, which reports say"""
    names: list[str] = field(default_factory=list)
    """names of objects; * matches any characters"""
    label_selector: LabelSelector = field(default_factory=LabelSelector)
    """labels of the object; every user who may set them may evade or use the policy"""
    operations: list[Literal["CREATE", "UPDATE"]] = field(default_factory=list)
    """operations; both where none is given"""

    @cached_property
    def _compiled(self) -> tuple[Kinds, Names, Names]:
        return Kinds(self.kinds), Names(self.namespaces), Names(self.names)

    @cached_property
    def is_everything(self) -> bool:
        """Whether it matches every request for an object of its kinds."""
        given = (self.namespaces, self.names, self.operations)
        return not any(given) and self.namespace_selector.is_empty and self.label_selector.is_empty

    def means_kind(self, gvk: GroupVersionKind) -> bool:
        """Whether it may match objects of a kind."""
        return self._compiled[0].mean(gvk)

    def includes(self, request: Request, labels_of_namespace: Callable[[], Labels]) -> bool | None:
        """Whether it matches a request; `None` if that depends on labels of its namespace that aren't known."""
        kinds, namespaces, names = self._compiled
        is_meant = (
            kinds.mean(request.gvk)
            and namespaces.mean(request.namespace)
            and (not self.names or (bool(request.name) and names.mean(request.name)))
            and (not self.operations or request.operation in self.operations)
            and (self.label_selector.is_empty or self.label_selector.selects(text_map(request.object, "metadata", "labels")))
        )
        if not is_meant or self.namespace_selector.is_empty:
            return is_meant
        if not request.namespace:
            return False
        labels = labels_of_namespace()
        known = {NAMESPACE_NAME: request.namespace, **(labels or {})}
        return None if labels is None and self.namespace_selector.keys - known.keys() else self.namespace_selector.selects(known)


@dataclass(frozen=True)
class NamedExpression:
    """An expression with a name."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    name: str
    """its name"""
    expression: str
    """the expression, in CEL"""


@dataclass(frozen=True)
class Validation:
    """What must be true."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    expression: str
    """the expression, in CEL: true where all is well"""
    message: str = ""
    """what is wrong where it is false"""
    message_expression: str = ""
    """the same as an expression that yields a text; where it fails, message is shown"""
    field_path: str = ""
    """the field that is wrong, such as .spec.image: reports show its line"""
    hint: str = ""
    """what to do"""


@dataclass(frozen=True)
class OwnFillIn:
    """A value to fill in if the author left it open."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    field_path: str
    """the field, such as .spec.replicas or .metadata.labels['team']"""
    expression: str
    """the value, in CEL; optional.none() if nothing is to be filled in"""
    reason: str = ""
    """why, which reports show with the value; the policy's name where none is given"""


@dataclass(frozen=True)
class Policy:
    """The user's own rule, or values that are filled in, or both."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    id: str
    """its id, such as POLICY-001, by which rules, enforcement and exceptions name it; it never changes"""
    name: str
    """its name, such as images-from-our-registry"""
    validations: list[Validation] = field(default_factory=list)
    """what must be true"""
    fill_ins: list[OwnFillIn] = field(default_factory=list)
    """what is filled in where the author left it open"""
    description: str = ""
    """its page: a first paragraph that says what is wrong, then why, and what to do"""
    severity: Severity = Severity.ERROR
    """the weight of its findings: error refuses, warning is shown, note is only recorded"""
    failure_policy: Literal["Fail", "Ignore"] = "Fail"
    """Fail: an error of an expression counts as error WB-014; Ignore: it is only noted"""
    match: PolicyMatch = field(default_factory=PolicyMatch)
    """what it is asked about"""
    match_conditions: list[NamedExpression] = field(default_factory=list)
    """expressions, all of which must be true for the policy to be asked"""
    variables: list[NamedExpression] = field(default_factory=list)
    """values that expressions after them name as variables.NAME"""

    def expressions(self) -> Iterator[str]:
        """All of its expressions."""
        for named in (*self.match_conditions, *self.variables):
            yield named.expression
        for validation in self.validations:
            yield validation.expression
            yield validation.message_expression
        yield from (entry.expression for entry in self.fill_ins)

    @property
    def page(self) -> str:
        """Its page, as those of rules are."""
        return self.description.strip() or f"{self.name.replace('-', ' ').capitalize()}."


class Policies:
    """The policies of a configuration, with their compiled forms, which are kept as long as the configuration is in force."""

    def __init__(self, entries: Sequence[Policy]) -> None:
        self.entries = tuple(entries)
        self._compiled: dict[Hashable, object] = {}
        self._filled_fields: dict[GroupVersionKind, frozenset[Path]] = {}
        #: Fills in an object that comes with the judged one; the engine sets it, since it knows how policies are run.
        self.fill_companion: Callable[..., JSONObject] | None = None

    def __iter__(self) -> Iterator[Policy]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def of_kind(self, gvk: GroupVersionKind) -> list[Policy]:
        """The policies that may be about objects of a kind."""
        return [policy for policy in self.entries if policy.match.means_kind(gvk)]

    def policy(self, id_: str) -> Policy | None:
        """The policy with an id."""
        return next((policy for policy in self.entries if policy.id == id_), None)

    def filled_fields(self, gvk: GroupVersionKind) -> frozenset[Path]:
        """The fields of a kind that policies may fill in."""
        found = self._filled_fields.get(gvk)
        if found is None:
            paths = (path_of(entry.field_path) for policy in self.of_kind(gvk) for entry in policy.fill_ins)
            found = self._filled_fields[gvk] = frozenset(filter(None, paths))
        return found

    @cached_property
    def fill_in(self) -> bool:
        """Whether a policy fills something in."""
        return any(policy.fill_ins for policy in self.entries)

    @cached_property
    def asks_for_the_time(self) -> bool:
        """Whether an expression may use `now`."""
        return any(_NOW.search(text) for policy in self.entries for text in policy.expressions())

    def recall(self, key: Hashable) -> object | None:
        """The value that was kept under a key, or `None`."""
        return self._compiled.get(key)

    def remember(self, key: Hashable, compiled: object) -> None:
        """Keep a value. The oldest is dropped if there are too many."""
        self._compiled[key] = compiled
        while len(self._compiled) > _MOST_COMPILED:
            del self._compiled[next(iter(self._compiled))]


def form_mistakes(policies: Sequence[Policy], path: Path) -> Iterator[tuple[Path, str]]:
    """The mistakes of policies apart from their expressions."""
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for index, policy in enumerate(policies):
        where = (*path, index)
        if not _ID.fullmatch(policy.id):
            yield (*where, "id"), f"{policy.id[:64]!r} isn't the id of a policy; write one such as {POLICY_PREFIX}001"
        elif ids.setdefault(policy.id, index) != index:
            yield (*where, "id"), f"policies[{ids[policy.id]}] has this id already; write another number"
        if not _NAME.fullmatch(policy.name):
            yield (*where, "name"), f"{policy.name[:64]!r} isn't a name; write small letters, digits and dashes, such as pinned-images"
        elif names.setdefault(policy.name, index) != index:
            yield (*where, "name"), f"policies[{names[policy.name]}] has this name already; choose another one"
        for key, entries in (("validations", policy.validations), ("fillIns", policy.fill_ins)):
            if len(entries) > _MOST:
                yield (*where, key), f"{len(entries)} {key}; write {_MOST} at most"
        if not policy.validations and not policy.fill_ins:
            yield where, "neither validations nor fillIns; write one of them at least"
        yield from _names_of(policy, where)
        yield from _fields_in_fields(policy, where)
        yield from policy.match.label_selector.mistakes((*where, "match", "labelSelector"))
        yield from policy.match.namespace_selector.mistakes((*where, "match", "namespaceSelector"))


def _fields_in_fields(policy: Policy, where: Path) -> Iterator[tuple[Path, str]]:
    paths = [path_of(entry.field_path) for entry in policy.fill_ins]
    for index, path in enumerate(paths):
        outer = next((place for place, other in enumerate(paths) if other and len(other) < len(path) and path[: len(other)] == other), None)
        if outer is not None:
            yield (*where, "fillIns", index, "fieldPath"), f"fillIns[{outer}] fills in a whole that this is a part of; name one of them"


def _names_of(policy: Policy, where: Path) -> Iterator[tuple[Path, str]]:
    for key, entries in (("variables", policy.variables), ("matchConditions", policy.match_conditions)):
        seen: dict[str, int] = {}
        for index, entry in enumerate(entries):
            if key == "variables" and not _VARIABLE.fullmatch(entry.name):
                yield (*where, key, index, "name"), f"{entry.name[:64]!r} isn't the name of a variable; write letters, digits and _"
            elif seen.setdefault(entry.name, index) != index:
                yield (*where, key, index, "name"), f"{key}[{seen[entry.name]}] has this name already"
