"""What a family is: the shape that every family has.

A family is a folder: `crds/` its schemas, `fill/` what it fills in, `predictions/` what its operator makes of an object, `rules/` one file
per rule (`policies/families/rule.py`). Rules are found by listing the folder, so adding one means adding a file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import ModuleType
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.document import GroupKind, kind_text
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.operator_settings import OperatorSettings
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.rule import About, Rule
from weighbridge.policies.families.upstream_versions import Version, standing_for
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path
from weighbridge.policies.ground.request import Request

#: What a family fills into objects of one kind, through the mutation.
Filler = Callable[[Mutation, Request, Facts, Configuration], None]
#: What the operator will make of an object of one kind; `None` where that can't be said, such as of an object without a spec.
Predict = Callable[[Request, Facts, Configuration], Prediction | None]
#: The stored objects into which something was filled in that follows from the request's object.
Dependents = Callable[[Request, Facts], Iterable[JSONObject]]
#: The version of the system that a cluster has, by the CRDs that are installed there and the configuration; `None` where neither says.
VersionOf = Callable[[Definitions, Configuration], Version | None]


#: The part of a cluster's object that a family reads, `None` where it reads nothing of it.
ObjectTransform = Callable[[JSONObject], JSONObject | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of a family: its plural, whether it is namespaced, and whether it has a scale subresource.

    `transform` gives the part of a cluster's object that the family reads, `None` where it reads nothing of it; without it that is all.
    Objects of a kind that `is_checked_only`, by its schema and its CEL rules, are looked up by nobody, so they aren't followed.
    With a `name` only the object of that name is looked up, in its `namespace`.
    `since` is the version that brought the kind, where its CRD has stayed the same for some versions and so has one file for all of them.
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
        """Group and kind under which it is said whether all that is looked up is known."""
        return self.gvk.group, f"{self.gvk.kind}/{self.name}" if self.name else self.gvk.kind


@dataclass(frozen=True, slots=True)
class Influence:
    """That objects of one kind have a part in what becomes of those of another, the `dependents`.

    `goes_by` gives the keys of all that a dependent may go by, from the dependent alone: the store files it under them. `keys` gives those
    under which the dependents of an object are found, with the facts where an object leads to them by way of others. Where it can't be told
    exactly who goes by an object, a key is shared by all that may.
    """

    dependents: str
    goes_by: Callable[[JSONObject], Iterable[Hashable]]
    keys: Callable[[JSONObject, Facts], Iterable[Hashable]]


@dataclass(frozen=True, slots=True)
class Fill:
    """A field that a family fills in; `module` is the module whose docstring tells when, with what and why."""

    kind: str
    field: str
    module: str

    @property
    def page(self) -> str:
        """The docstring."""
        return importlib.import_module(self.module).__doc__ or ""


@dataclass(frozen=True, slots=True)
class Family:
    """One system; `looks_up` are the kinds of others that its rules and fillers look up in the cluster.

    `add_ons` are the API groups of what can be installed beside it, of which rules ask whether it is.

    `fills` are the fields that `fill` fills in; `predict` says, kind by kind, what the system's operator makes of an object.
    Of its `complete_groups` it has every kind, so that another one isn't there.
    `versions` are those whose CRDs ship, newest last; each has a folder of its own in `crds/`, where a kind has no file that didn't exist
    yet. A kind with `since` has files only for the versions that ended a shape of its CRD. A family without has its CRDs in `crds/`.

    `needed` is what its rules read of texts that a redacted snapshot would blank (`policies/facts/blanks.py`): the values of its
    operator's flags and variables, and fields whose names don't tell that their texts are no secrets.
    `operator` tells how the system's operator is set up. `dependents` are, kind by kind, the objects into which `fill` puts what
    follows from one of that kind.
    `influences` are, kind by kind, the kinds of whose objects something else is made where one of that kind changes.
    """

    name: str
    title: str
    kinds: tuple[Kind, ...]
    fill: dict[str, Filler]
    package: str
    looks_up: tuple[Kind, ...] = ()
    add_ons: tuple[str, ...] = ()
    predict: dict[str, Predict] = field(default_factory=dict)
    fills: tuple[Fill, ...] = ()
    complete_groups: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    version_of: VersionOf | None = None
    needed: Needed = field(default_factory=Needed)
    operator: Callable[[Facts, Configuration], OperatorSettings] | None = None
    dependents: dict[str, Dependents] = field(default_factory=dict)
    influences: dict[str, tuple[Influence, ...]] = field(default_factory=dict)

    def kind(self, gvk: GroupVersionKind) -> Kind | None:
        """The family's kind for `gvk`, or `None`."""
        return next((kind for kind in self.kinds if kind.gvk == gvk), None)

    def bundled_version(self, installed: Definitions, config: Configuration) -> str:
        """The version whose CRDs stand in for those that a cluster doesn't have; empty where only one is known."""
        if not self.versions:
            return ""
        return standing_for(self.version_of(installed, config) if self.version_of is not None else None, self.versions)

    def versions_for(self, kind: Kind, version: str) -> tuple[str, ...]:
        """The versions whose CRD of a kind may stand for that of `version`, the best first.

        A kind that was there by then has its CRD in this version's folder or a later one; one that is gone is judged by the last that
        had it.
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
        """All rules in order of their ids."""
        return _discover(f"{self.package}.rules")

    def rules_for(self, kind: str) -> tuple[Rule, ...]:
        """The rules that apply to a kind."""
        return _rules_for(self.package, kind)

    def needs(self, kind: str) -> frozenset[GroupKind]:
        """The kinds of the cluster that a verdict on one of this kind may need; what becomes pods needs those of placement, too."""
        read = {name for rule in self.rules_for(kind) for name in rule.reads}
        placement = {known_as for known_as in _PLACEMENT if kind in self.predict or kind_text(known_as) in read}
        return _needs(self.kinds, self.looks_up) | placement

    def speaks_of_placement(self, rule_id: str) -> bool:
        """Whether a rule of this id says why no node runs the pods."""
        return any(rule.id == rule_id and About.PLACEMENT in rule.about for rule in self.rules())

    def speaks_of_failure(self, rule_id: str) -> bool:
        """Whether a rule of this id says why the operator comes no further."""
        return any(rule.id == rule_id and About.FAILURE in rule.about for rule in self.rules())

    def mutating_webhook(self) -> str:
        """The name that the API server knows the mutating webhook by."""
        return f"mutate.{self.name.replace('_', '-')}.weighbridge.dev"

    def validating_webhook(self) -> str:
        """The name that the API server knows the validating webhook by."""
        return f"validate.{self.name.replace('_', '-')}.weighbridge.dev"

    def deletion_webhook(self) -> str:
        """The name that the API server knows the webhook for deletions by."""
        return f"delete.{self.name.replace('_', '-')}.weighbridge.dev"


#: By their labels the configuration may choose.
_NAMESPACES: Final = ("", "Namespace")
_PLACEMENT: Final = frozenset(kind.known_as for kind in PLACEMENT_KINDS)


@cache
def _needs(kinds: tuple[Kind, ...], looks_up: tuple[Kind, ...]) -> frozenset[GroupKind]:
    return frozenset({CRDS.known_as, _NAMESPACES, *(kind.known_as for kind in (*kinds, *looks_up))})


@cache
def _discover(package: str) -> tuple[Rule, ...]:
    found = importlib.import_module(package)
    modules = sorted(info.name for info in pkgutil.iter_modules(found.__path__))
    return tuple(_rule_of(importlib.import_module(f"{package}.{name}")) for name in modules if not name.startswith("_"))


def _rule_of(module: ModuleType) -> Rule:
    rule = module.check
    if not isinstance(rule, Rule):
        raise TypeError(f"{module.__name__}.check must be a rule, with a decorator of its family's rulebook")
    return rule


@lru_cache(maxsize=1024)
def _rules_for(package: str, kind: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in _discover(f"{package}.rules") if kind in rule.kinds)


def spec_of(obj: JSONObject | None) -> JSONObject:
    """The object's spec, or an empty map where it has none: rules are total."""
    spec = obj.get("spec") if isinstance(obj, dict) else None
    return spec if isinstance(spec, dict) else {}
