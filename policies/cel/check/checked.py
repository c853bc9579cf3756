"""From text to a typed tree: parsing, type check, validation of constants.

`compile_text` never raises for a bad expression; it yields either a `Checked` or the server's text on what is wrong.
"""

from __future__ import annotations

from weighbridge.policies.cel.check.checker import check
from weighbridge.policies.cel.check.environment import Environment
from weighbridge.policies.cel.check.validators import validate
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Expr, walk
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
    """An expression that doesn't compile, and the server's text on it."""

    text: str
    message: str


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
        return Refused(text, issues.display())
    return Checked(text, root, root.type, environment)
