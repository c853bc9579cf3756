"""What the API server can do without Weighbridge: rules and fill-ins as CEL, in the form of a policy.

A family brings its tables in a module `native` of its folder. `TABLE` is from the id of a rule to a `NativeRule`. Only a rule that looks at
one object alone, and compares fields, can be in it. Each entry must say what the rule says, word by word: tests compare the two on the
cases of the rule, here and on a real server. `FILL_INS` is from a field that is filled in, ``Kind.spec.field``, to a function that gives
the `NativeFill` for a configuration, or says why there is none. Only a field that depends on nothing but the object and the configuration
can have one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import NamedExpression, OwnFillIn, Policy, PolicyMatch, Validation
from weighbridge.policies.families.family import Family, Fill
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.spelling import listed

_MODULE = "native"


@dataclass(frozen=True)
class Findings(Validation):
    """The validation of a rule that may find several things, which are the items of a variable."""

    variable: str = ""


@dataclass(frozen=True, slots=True)
class NativeRule:
    """The check of a rule: `validations` say what must be true, with the field and the message of the finding.

    `variables` come before them, by their names. `kinds` are those of the rule unless given, each as ``Kind.group``.
    """

    validations: tuple[Validation, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeFill:
    """The value of a field as CEL, the conditions under which it is filled in, and variables before it, both by their names."""

    expression: str
    conditions: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


def native(*validations: Validation, kinds: tuple[str, ...] = (), **variables: str) -> NativeRule:
    """The entry of a rule in `TABLE`."""
    return NativeRule(validations, variables, kinds)


def must(expression: str, field_path: str = "", message: str = "", *, says: str = "") -> Validation:
    """A validation: the expression that must be true, and the field and the message of the finding if it isn't; `says` is a message in
    CEL.
    """
    return Validation(expression, message, says, field_path)


def none_of(variable: str) -> Findings:
    """A validation that a variable is an empty list: the list of all that the rule finds, each item as ``field: message``."""
    return Findings(f"variables.{variable}.size() == 0", message_expression=f"variables.{variable}[0]", variable=variable)


def finds(problems: str, *, kinds: tuple[str, ...] = (), **variables: str) -> NativeRule:
    """The entry of a rule that may find several things: `problems` is the list of them, and `variables` come before it."""
    return native(none_of("problems"), kinds=kinds, **variables, problems=problems)


def flat(lists: str) -> str:
    """A list of lists of texts as one list. Kubernetes 1.34 stores no policy with `flatten()`."""
    return f"{lists}.map(own, own.join('\\n')).join('\\n').split('\\n').filter(one, one != '')"


def raw(pattern: str) -> str:
    """A regular expression as a constant; it must have no single quotes."""
    return f"r'{pattern}'"


def whole_amount(quantity: str) -> str:
    """A quantity in CEL as a whole number, rounded away from zero as Kubernetes' `Value` rounds it."""
    rounded = "int(number) + (double(int(number)) == number ? 0 : number > 0.0 ? 1 : -1)"
    return f"({quantity}.isInteger() ? {quantity}.asInteger() : [{quantity}.asApproximateFloat()].map(number, {rounded})[0])"


#: Gives the value of a field for a configuration, or says why the API server can't fill it in.
FillIn = Callable[[Configuration], NativeFill | str]
_OTHERS: Final = "depends on other objects, or on the nodes"


def native_policies(family: Family) -> Iterator[Policy]:
    """The rules of a family that have expressions, as policies with the ids of the rules."""
    table: Mapping[str, NativeRule] = getattr(_module(family), "TABLE", {})
    for rule in family.rules():
        if rule.id in table:
            yield _policy(family, rule, table[rule.id])


def reasons_of(family: Family) -> Mapping[str, str]:
    """Why rules of a family that look at one object alone aren't in `TABLE`, by their ids."""
    left: Mapping[str, str] = getattr(_module(family), "LEFT", {})
    return left


def why_not_native(family: Family, rule: Rule) -> str:
    """Why the API server can't check a rule that isn't in `TABLE`."""
    left = reasons_of(family)
    if rule.id in left:
        return left[rule.id]
    if not rule.reads:
        return "no expression is written for it yet"
    return f"it looks up {listed(rule.reads)} in the cluster"


def fill_id(family: Family, fill: Fill) -> str:
    """The name by which a field that a family fills in is exported."""
    return f"{family.name}.{fill.kind}.{fill.field}"


def native_fill(family: Family, fill: Fill, config: Configuration) -> Policy | str:
    """A field that a family fills in as a policy, or why it can't be one."""
    table: Mapping[str, FillIn] = getattr(_module(family), "FILL_INS", {})
    entry = table.get(f"{fill.kind}.{fill.field}")
    found = entry(config) if entry is not None else _OTHERS
    if isinstance(found, str):
        return found
    return Policy(
        id=fill_id(family, fill),
        name="fill-in",
        fill_ins=[OwnFillIn(f".{fill.field}", found.expression)],
        failure_policy="Ignore",
        match=PolicyMatch(kinds=[f"{kind.gvk.kind}.{kind.gvk.group}" for kind in family.kinds if kind.gvk.kind == fill.kind]),
        match_conditions=_named(found.conditions),
        variables=_named(found.variables),
    )


def _module(family: Family) -> Any:
    """The tables of a family; `None` if it has none."""
    if _MODULE not in dict(modules_in(importlib.import_module(family.package).__path__)):
        return None
    return importlib.import_module(f"{family.package}.{_MODULE}")


def _named(expressions: Mapping[str, str]) -> list[NamedExpression]:
    return [NamedExpression(name, expression) for name, expression in expressions.items()]


def _policy(family: Family, rule: Rule, entry: NativeRule) -> Policy:
    kinds = [f"{kind.gvk.kind}.{kind.gvk.group}" for kind in family.kinds if kind.gvk.kind in rule.kinds]
    return Policy(
        id=rule.id,
        name=rule.name,
        # If the API server can't evaluate the expression of a message, or the result has line breaks, it shows this message.
        validations=[one if one.message else replace(one, message=rule.page.partition("\n")[0].rstrip(".")) for one in entry.validations],
        description=rule.page,
        severity=rule.severity,
        # If an expression fails on an object, the policy finds nothing, as the rule would.
        failure_policy="Ignore",
        match=PolicyMatch(kinds=list(entry.kinds) or list(dict.fromkeys(kinds))),
        variables=_named(entry.variables),
    )
