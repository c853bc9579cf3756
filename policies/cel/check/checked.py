"""From text to a typed tree: parsing, type check, validation of constants.

`compile_text` never raises for a bad expression; it returns either a `Checked` or a `Refused`, which has the server's message.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.cel.check.checker import check
from weighbridge.policies.cel.check.environment import Environment
from weighbridge.policies.cel.check.validators import validate
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Literal, Select, walk
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Checked:
    """An expression that compiles: its text, its tree with types, its own type."""

    text: str
    root: Expr
    type: Type
    environment: Environment

    def refers_to(self, name: str) -> bool:
        """Whether the expression mentions a variable."""
        return any(node.reference == name for node in walk(self.root))


@dataclass(frozen=True, slots=True)
class Refused:
    """An expression that doesn't compile: its tree, typed as far as it goes, and what is wrong with it."""

    text: str
    root: Expr
    issues: Issues

    @property
    def message(self) -> str:
        """The server's message."""
        return self.issues.display()


def operands_with(root: Expr, name: str) -> Iterator[Expr]:
    """The operands of all selections of a field with this name."""
    for node in walk(root):
        if isinstance(node, Select) and node.field == name:
            yield node.operand
        elif isinstance(node, Call) and node.function == "_?._" and isinstance(node.args[1], Literal) and node.args[1].value == name:
            yield node.args[0]


def compile_text(text: str, environment: Environment) -> Checked | Refused:
    """Parse, check and validate an expression."""
    source = Source(text)
    issues = Issues(source)
    root = parse(source, issues, environment.version)
    if not issues:
        check(root, environment, issues)
    if not issues:
        validate(root, issues, environment.version)
    if issues or root.type is None:
        return Refused(text, root, issues)
    return Checked(text, root, root.type, environment)
