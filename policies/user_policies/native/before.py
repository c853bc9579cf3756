"""Expressions about the object, changed so that they are about the one that an update replaces.

On an update Weighbridge only warns of an error that the stored object has too. The server doesn't do that, so an exported policy evaluates
its expressions for `oldObject` as well. If a rule finds several things, only those are errors that the stored object doesn't have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.cel.syntax.nodes import Ident, walk
from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import Findings
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.native.texts import enclosed
from weighbridge.policies.user_policies.vocabulary import OBJECT, OLD, VARIABLES

_PREFIX: Final = f"{VARIABLES}."
_VARIABLE: Final = expression(r"variables(\s*\.\s*)([A-Za-z_][A-Za-z0-9_]*)")


class Before:
    """The expressions of a policy for the stored object.

    `variables` are the additional variables, each with its name and expression, by the variable of which it is a copy.
    """

    def __init__(self, compiled: CompiledPolicy) -> None:
        self._names = {name.removeprefix(_PREFIX) for name in compiled.variables}
        self._copies: dict[str, str] = {}
        found: dict[str, tuple[str, str]] = {}
        for entry in compiled.policy.variables:
            own = compiled.variables[f"{_PREFIX}{entry.name}"]
            if self._depends(own):
                copy = self._copies[entry.name] = self._free(f"old_{entry.name}")
                found[entry.name] = copy, self.of(own, entry.expression)
        self.variables: Mapping[str, tuple[str, str]] = found

    def _free(self, name: str) -> str:
        while name in self._names:
            name += "_"
        self._names.add(name)
        return name

    def _depends(self, own: Expression) -> bool:
        return any(name == OBJECT or name.removeprefix(_PREFIX) in self._copies for name in own.uses)

    def findings(self, entry: Validation) -> tuple[str, str] | None:
        """The lists of what a rule finds, of the object and of the stored one; `None` if the validation has no list."""
        if not isinstance(entry, Findings) or entry.variable not in self._copies:
            return None
        return f"{_PREFIX}{entry.variable}", f"{_PREFIX}{self._copies[entry.variable]}"

    def of(self, own: Expression, text: str) -> str:
        """The text of an expression about the stored object."""
        roots = {node.offset: node.name for node in walk(own.compiled.checked.root) if isinstance(node, Ident)}
        for offset in sorted(roots, reverse=True):
            name = roots[offset]
            if name == OBJECT and text.startswith(OBJECT, offset):
                text = f"{text[:offset]}{OLD}{text[offset + len(OBJECT) :]}"
            elif name == VARIABLES and (found := _VARIABLE.match(text, offset)) is not None and found[2] in self._copies:
                text = f"{text[:offset]}{VARIABLES}{found[1]}{self._copies[found[2]]}{text[found.end() :]}"
        return text


def holds_or_held_not(expression_: str, before: str, conditions: list[str], same: str) -> str:
    """An expression that is also true if an update keeps what was wrong before."""
    terms = [f"{OLD} != null", *conditions, f"!{enclosed(before)}", *([same] if same else [])]
    return f"{enclosed(expression_)} ? true\n: {' && '.join(terms)}"
