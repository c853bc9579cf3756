"""The form of a family.

A family is a folder: `crds/` has its schemas, `fill/` fills fields in, `predictions/` predicts what its operator creates, and `rules/` has
one file per rule (`policies/families/rule.py`). Rules are found by listing the folder, so a new file is a new rule.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.document import GroupKind, kind_text
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.operator_settings import OperatorSettings
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.rule import Concern, Rule, unusable
from weighbridge.policies.families.upstream_versions import Upstream, Version, standing_for
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request

if TYPE_CHECKING:
    from weighbridge.policies.families.go_round_trip import Rewritten

#: Fills in fields of objects of one kind, through the mutation.
Filler = Callable[[Mutation, Request, Facts, Configuration], None]
#: Predicts what the operator creates for an object of one kind; `None` if that can't be predicted, as for an object without a spec.
Predict = Callable[[Request, Facts, Configuration], Prediction | None]
#: Why an object of one kind without a prediction doesn't work; empty if it does, or if that isn't known.
Failure = Callable[[JSONObject, Facts, Configuration], str]
#: What the operator's own mutating webhook returns for an object of one kind, whose CRD has this schema.
Rewrite = Callable[[JSONObject, JSONObject], "Rewritten"]
#: Finds the stored objects with filled-in values that depend on the request's object.
Dependents = Callable[[Request, Facts], Iterable[JSONObject]]
#: Finds the version of the system in a cluster, from its installed CRDs and the configuration; `None` if neither says it.
VersionOf = Callable[[Definitions, Configuration], Version | None]


#: Reduces a cluster's object to the part that a family reads; `None` if it reads nothing of it.
ObjectTransform = Callable[[JSONObject], JSONObject | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of a family: its plural, whether it is namespaced, and whether it has a scale subresource.

    `transform` reduces a cluster's object to the part that the family reads; without it, the family reads the whole object.
    A kind that `is_checked_only` is checked by its schema and its CEL rules. No rule looks its objects up, so they aren't followed.
    With a `name`, only the object of that name is looked up, in its `namespace`.
    `since` is the version that brought the kind. It is set if the CRD is the same in several versions, which then share one file.
    """

    gvk: GroupVersionKind
    plural: str
    namespaced: bool = True
    scalable: bool = False
    transform: ObjectTransform | None = None
    is_checked_only: bool = False
    since: str = ""
    name: str = ""
    namespace: str = ""

    @property
    def known_as(self) -> tuple[str, str]:
        """The group and kind by which facts say whether all objects that are looked up are known."""
        return self.gvk.group, f"{self.gvk.kind}/{self.name}" if self.name else self.gvk.kind


@dataclass(frozen=True, slots=True)
class Influence:
    """Objects of one kind influence the predictions of another kind, `dependents`.

    `goes_by` gives the keys of everything that a dependent may depend on, from the dependent alone; the store files the dependent under
    them. `keys` gives the keys of an object's dependents. It gets the facts, since an object may lead to dependents through other objects.
    If it isn't known exactly which dependents depend on an object, all that may do so share a key. With `can_break`, the change may stop
    pods of a dependent. Without it only the dependent's prediction changes, and the change isn't warned of.
    """

    dependents: str
    goes_by: Callable[[JSONObject], Iterable[Hashable]]
    keys: Callable[[JSONObject, Facts], Iterable[Hashable]]
    can_break: bool = True


#: The key of all objects that may depend on what is installed.
_INSTALLED: Final = "installed"


def by_what_is_installed(groups: Collection[str], *dependents: str) -> dict[str, tuple[Influence, ...]]:
    """The influence of CustomResourceDefinitions of some API groups on all objects of some kinds."""

    def keys(crd: JSONObject, _: Facts) -> Iterable[Hashable]:
        return (_INSTALLED,) if text(part(crd, "spec"), "group") in groups else ()

    return {"CustomResourceDefinition": tuple(Influence(kind, lambda _: (_INSTALLED,), keys) for kind in dependents)}


@dataclass(frozen=True, slots=True)
class Fill:
    """A field that a family fills in. The docstring of `module` says when, with what and why."""

    kind: str
    field: str
    module: str

    @property
    def page(self) -> str:
        """The docstring."""
        return importlib.import_module(self.module).__doc__ or ""


@dataclass(frozen=True, slots=True)
class Family:
    """One system.

    `fill` has a function for each kind with fields that are filled in, and `fills` lists these fields. `rewrite` has a function for each
    kind that the operator's own webhook rewrites before the API server validates, and `predict` one for each kind with a prediction.
    `looks_up` are the kinds of other systems that rules and `fill` look up in the cluster. `add_ons` are the API groups of optional
    software; rules check whether it is installed. `complete_groups` are groups of which the family has all kinds: any other kind of them
    is an error.

    `upstreams` are the projects whose CRDs these are. `versions` are the versions whose CRDs ship, newest last. Each has its own folder in
    `crds/`, with a file for each kind that exists in this version. A kind with `since` has a file only in the last version of each shape
    of its CRD. A family without versions has its CRDs in `crds/` itself. `version_of` finds the version that a cluster has.

    `needed` are texts that rules read and that a redacted snapshot would otherwise blank (`policies/facts/blanks.py`): the values of the
    operator's flags and variables, and fields whose names look like those of secrets. `operator` reads the settings of the system's
    operator. `dependents` finds, for a changed object of a kind, the objects with filled-in values that depend on it. `influences` says,
    for each kind, which kinds depend on it: their predictions, or where there is none, what `failures` says of them.
    """

    name: str
    title: str
    kinds: tuple[Kind, ...]
    package: str
    fill: dict[str, Filler] = field(default_factory=dict)
    upstreams: tuple[Upstream, ...] = ()
    looks_up: tuple[Kind, ...] = ()
    add_ons: tuple[str, ...] = ()
    rewrite: dict[str, Rewrite] = field(default_factory=dict)
    predict: dict[str, Predict] = field(default_factory=dict)
    fills: tuple[Fill, ...] = ()
    complete_groups: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    version_of: VersionOf | None = None
    needed: Needed = field(default_factory=Needed)
    operator: Callable[[Facts, Configuration], OperatorSettings] | None = None
    dependents: dict[str, Dependents] = field(default_factory=dict)
    influences: dict[str, tuple[Influence, ...]] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

    def kind(self, gvk: GroupVersionKind) -> Kind | None:
        """The family's kind for `gvk`, or `None`."""
        return next((kind for kind in self.kinds if kind.gvk == gvk), None)

    def upstream_of(self, group: str) -> Upstream | None:
        """The project that one of the family's groups belongs to."""
        return next((upstream for upstream in self.upstreams if group in upstream.groups), None)

    def releases_of(self, upstream: Upstream) -> tuple[str, ...]:
        """The releases of a project whose CRDs ship, newest last."""
        return self.versions or (upstream.release,)

    def bundled_version(self, installed: Definitions, config: Configuration) -> str:
        """The version whose CRDs are used if the cluster's aren't known; empty if only one version ships."""
        if not self.versions:
            return ""
        return standing_for(self.version_of(installed, config) if self.version_of is not None else None, self.versions)

    def versions_for(self, kind: Kind, version: str) -> tuple[str, ...]:
        """The versions whose folders may have the CRD of a kind for `version`, the best first.

        A kind that exists in `version` has its CRD there or in a later folder. A kind that was removed by then is judged by its last CRD.
        """
        if not kind.since:
            return (version,)
        at = self.versions.index(version)
        if self.versions.index(kind.since) > at:
            return ()
        return (*self.versions[at:], *reversed(self.versions[:at]))

    def filled_fields(self, kind: str) -> frozenset[Path]:
        """The fields of a kind that `fill` fills in."""
        return frozenset(tuple(fill.field.split(".")) for fill in self.fills if fill.kind == kind)

    def rules(self) -> tuple[Rule, ...]:
        """All rules, sorted by id."""
        return _discover(f"{self.package}.rules")

    def rules_for(self, kind: str) -> tuple[Rule, ...]:
        """The rules that apply to a kind."""
        return _rules_for(self.package, kind)

    def breaking(self, kind: str) -> list[Influence]:
        """The influences through which a change of an object of a kind may break other objects."""
        return [influence for influence in self.influences.get(kind, ()) if influence.can_break]

    def needs(self, kind: str) -> frozenset[GroupKind]:
        """The kinds of the cluster that a verdict on this kind may need. A kind with pods also needs the kinds of placement."""
        read = {name for rule in self.rules_for(kind) for name in rule.reads}
        placement = {known_as for known_as in _PLACEMENT if kind in self.predict or kind_text(known_as) in read}
        return _needs(self.kinds, self.looks_up) | placement

    def speaks_of_placement(self, rule_id: str) -> bool:
        """Whether a rule of this id says why no node runs the pods."""
        return Concern.PLACEMENT in _topics_of(self.package, rule_id)

    def speaks_of_failure(self, rule_id: str) -> bool:
        """Whether a rule of this id says why the operator can't go on."""
        return Concern.FAILURE in _topics_of(self.package, rule_id)

    def speaks_of_quota(self, rule_id: str) -> bool:
        """Whether a rule of this id counts devices against ResourceQuotas."""
        return Concern.QUOTA in _topics_of(self.package, rule_id)

    def mutating_webhook(self) -> str:
        """The name that the API server knows the mutating webhook by."""
        return f"mutate.{self.name.replace('_', '-')}.weighbridge.dev"

    def validating_webhook(self) -> str:
        """The name that the API server knows the validating webhook by."""
        return f"validate.{self.name.replace('_', '-')}.weighbridge.dev"

    def deletion_webhook(self) -> str:
        """The name that the API server knows the webhook for deletions by."""
        return f"delete.{self.name.replace('_', '-')}.weighbridge.dev"


#: The configuration may choose namespaces by their labels.
_NAMESPACES: Final = ("", "Namespace")
#: Quotas count objects of every kind.
_QUOTAS: Final = ("", "ResourceQuota")
_PLACEMENT: Final = frozenset(kind.known_as for kind in PLACEMENT_KINDS)


@cache
def _needs(kinds: tuple[Kind, ...], looks_up: tuple[Kind, ...]) -> frozenset[GroupKind]:
    return frozenset({CRDS.known_as, _NAMESPACES, _QUOTAS, *(kind.known_as for kind in (*kinds, *looks_up))})


@cache
def _modules(package: str) -> tuple[str, ...]:
    """The names of the modules in a folder of rules that hold a rule, sorted."""
    found = importlib.import_module(package)
    return tuple(sorted(name for name, _ in modules_in(found.__path__) if not name.startswith("_")))


@cache
def _discover(package: str) -> tuple[Rule, ...]:
    return tuple(_rule(f"{package}.{name}") for name in _modules(package))


def _rule(module: str) -> Rule:
    rule = importlib.import_module(module).check
    if not isinstance(rule, Rule):
        raise TypeError(f"{module}.check must be a rule, with a decorator of its family's rulebook")
    return rule


@lru_cache(maxsize=4096)
def _topics_of(package: str, rule_id: str) -> Concern:
    """What a rule is about, by its id."""
    prefix = f"{rule_id.lower().replace('-', '_')}_"
    named = (name for name in _modules(f"{package}.rules") if name.startswith(prefix))
    return next((_rule(f"{package}.rules.{name}").about for name in named), Concern.NOTHING)


@lru_cache(maxsize=1024)
def _rules_for(package: str, kind: str) -> tuple[Rule, ...]:
    rules = (_rule_or_failure(f"{package}.rules.{name}", kind) for name in _named_for(f"{package}.rules", kind))
    return tuple(rule for rule in rules if kind in rule.kinds)


def _rule_or_failure(module: str, kind: str) -> Rule:
    """The rule of a module. If it can't be imported, a rule that fails with the reason, so that the others still run."""
    try:
        return _rule(module)
    except Exception as defect:
        return unusable(module, kind, defect)


def _named_for(package: str, kind: str) -> Iterable[str]:
    """The modules of the rules that may apply to a kind: all of them if there is no table, or if the table isn't about exactly these
    rules.
    """
    names = {name.split("_", 2)[1]: name for name in _modules(package)}
    try:
        table: Mapping[str, str] = importlib.import_module(f"{package}._kinds").KINDS
    except ModuleNotFoundError:
        return names.values()
    known = {number for numbers in table.values() for number in numbers.split()}
    return (names[number] for number in table.get(kind, "").split()) if known == names.keys() else names.values()


def spec_of(obj: JSONObject | None) -> JSONObject:
    """The object's spec; an empty map if it has none, so that rules never fail."""
    spec = obj.get("spec") if isinstance(obj, dict) else None
    return spec if isinstance(spec, dict) else {}
