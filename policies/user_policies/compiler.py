"""From the text of an expression to a typed tree, or to its faults, each with its place and the nearest existing name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.check.checked import Checked, operands_with
from weighbridge.policies.cel.check.checker import check
from weighbridge.policies.cel.check.environment import Environment, environment_of
from weighbridge.policies.cel.check.validators import validate
from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Expr, Ident
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import Kind, Type, unwrapped
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import ServerRelease, release
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.policies.user_policies import image_functions
from weighbridge.policies.user_policies.lookups import Lookups
from weighbridge.policies.user_policies.vocabulary import CLUSTER, VARIABLES, PolicyTypes, variable_types

_UNDEFINED: Final = "undefined field '"
_UNDECLARED: Final = "undeclared reference to '"
_IN_CONTAINER: Final = " (in container '')"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an expression and its place in the text: line and column count from one, and are 0 if it has no place."""

    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Compiled:
    """A typed tree; `looks_up` says that it looks up objects of the cluster."""

    checked: Checked
    looks_up: bool


class Scope:
    """The names that expressions of a policy may use for objects of one kind; the policy's variables are added."""

    def __init__(self, roots: Mapping[str, DeclaredType], definitions: Definitions) -> None:
        self.roots = roots
        self.types = PolicyTypes(roots)
        self._lookups = Lookups(self.types, definitions)
        self._own: dict[str, Type] = {}

    def add(self, name: str, type_: Type) -> None:
        """Let later expressions use a variable."""
        self._own[name] = type_

    def compile(self, text: str, wanted: Type | None = None, *, is_for_object: bool = False) -> Compiled | Sequence[Fault]:
        """The typed tree of an expression that must have this type, or its faults.

        An expression whose value is written into an object (`is_for_object`) may have values of several types in one map.
        """
        source = Source(text)
        issues = Issues(source)
        root = parse(source, issues)
        looks_up = not issues and self._lookups.rewrite(root, issues)
        environment = self._environment()
        if not issues:
            check(root, environment, issues)
        if not issues:
            validate(root, issues, may_mix_types=is_for_object)
        if issues or root.type is None:
            return list(self._faults(root, issues, text))
        if wanted is not None and root.type != wanted:
            return [Fault(f"yields {_plain(root.type)}, and {_plain(wanted)} is needed", 1, 1)]
        return Compiled(Checked(text, root, root.type, environment), looks_up)

    def _environment(self) -> Environment:
        base = _base(release())
        functions = {**base.functions, **self._lookups.functions}
        known = Environment(functions, {}, None, base._type_names, base.version)  # noqa: SLF001 - the same with more functions
        return known.with_variables(variable_types(self.types, self._own), self.types)

    # --- faults ---

    def _faults(self, root: Expr, issues: Issues, text: str) -> Iterator[Fault]:
        for issue in issues.sorted():
            line, column = issue.location.line, issue.location.column + 1
            message = issue.message.removeprefix("Syntax error: ").replace(_IN_CONTAINER, "")
            name = _quoted(message)
            if message.startswith(_UNDEFINED):
                column += 1 if _char_at(text, line, column) == "." else 0
                message += _meant(name, self._fields_near(root, name))
            elif message.startswith(_UNDECLARED):
                message += _meant(name, [*self.roots, CLUSTER, "now", VARIABLES, *filter(str.isidentifier, self._environment().functions)])
            yield Fault(message, max(line, 0), max(column, 0))

    def _fields_near(self, root: Expr, name: str) -> Iterable[str]:
        """The fields of the structs in which the expression selects a field of this name."""
        for operand in operands_with(root, name):
            if operand.type is None:
                continue
            type_, _ = unwrapped(operand.type)
            if isinstance(operand, Ident) and operand.name == VARIABLES:
                yield from self._own
            elif type_.kind is Kind.STRUCT:
                yield from self.types.fields(type_.name)


@lru_cache(maxsize=8)
def _base(_server: ServerRelease) -> Environment:
    return environment_of((*LIBRARIES, image_functions.LIBRARY))


def _quoted(message: str) -> str:
    return message.partition("'")[2].partition("'")[0]


def _char_at(text: str, line: int, column: int) -> str:
    lines = text.split("\n")
    return lines[line - 1][column - 1 : column] if 1 <= line <= len(lines) else ""


def _meant(name: str, known: Iterable[str]) -> str:
    near = close_matches(name, dict.fromkeys(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _plain(type_: Type) -> str:
    return f"{type_}" if type_.kind is not Kind.STRUCT else f"an object ({type_})"
