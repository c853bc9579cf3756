"""What the API server can do without Weighbridge: rules and fill-ins as CEL, in the form of a policy.

A family brings its tables in a module `native` of its folder. `TABLE` is from the id of a rule to a `NativeRule`. Only a rule that looks at
one object alone, and compares fields, can be in it. Each entry must say what the rule says, word by word: tests compare the two on the
cases of the rule, here and on a real server. `FILL_INS` is from a field that is filled in, ``Kind.spec.field``, to what gives the
configuration's `NativeFill`, or why there is none: only a field that goes by the object and the configuration alone can be in it.
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
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import listed

_MODULE = "native"


@dataclass(frozen=True)
class Findings(Validation):
    """The validation of a rule that may find several things: a variable has them."""

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
    """What must be true, and the field and the message of the finding if it isn't; `says` is a message in CEL."""
    return Validation(expression, message, says, field_path)


def none_of(variable: str) -> Findings:
    """What holds if a variable is an empty list. It is the list of all that the rule finds, each as ``field: message``."""
    return Findings(f"variables.{variable}.size() == 0", message_expression=f"variables.{variable}[0]", variable=variable)
