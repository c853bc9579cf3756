"""Rules that the API server can check without Weighbridge: their checks as CEL, in the form of a policy.

A family brings its table in a module `native` of its folder: `TABLE`, from the id of a rule to a `NativeRule`. Only a rule that looks at
one object alone, and compares fields, can be in it. Each entry must say what the rule says, word by word: tests compare the two on the
cases of the rule, here and on a real server.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from weighbridge.policies.config.policies import NamedExpression, Policy, PolicyMatch, Validation
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.records import dataclass, field

_MODULE = "native"


@dataclass(frozen=True, slots=True)
class NativeRule:
    """The check of a rule: `validations` say what must be true, with the field and the message of the finding.

    `variables` come before them, by their names. `kinds` are those of the rule unless given, each as ``Kind.group``.
    """

    validations: tuple[Validation, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()


def native_policies(family: Family) -> Iterator[Policy]:
    """The rules of a family that have expressions, as policies with the ids of the rules."""
    if (_MODULE, False) not in modules_in(importlib.import_module(family.package).__path__):
        return
    table: Mapping[str, NativeRule] = importlib.import_module(f"{family.package}.{_MODULE}").TABLE
    for rule in family.rules():
        if rule.id in table:
            yield _policy(family, rule, table[rule.id])


def _policy(family: Family, rule: Rule, entry: NativeRule) -> Policy:
    kinds = [f"{kind.gvk.kind}.{kind.gvk.group}" for kind in family.kinds if kind.gvk.kind in rule.kinds]
    return Policy(
        id=rule.id,
        name=rule.name,
        validations=list(entry.validations),
        description=rule.page,
        severity=rule.severity,
        # An expression that fails on an object says nothing of it, as a rule does.
        failure_policy="Ignore",
        match=PolicyMatch(kinds=list(entry.kinds) or list(dict.fromkeys(kinds))),
        variables=[NamedExpression(name, expression) for name, expression in entry.variables.items()],
    )
