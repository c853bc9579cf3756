"""The short-circuit form of a rule, ready to run: written now, or taken over from a run that wrote it before.

Taking it over needs nothing of the compiler, which takes longer to import than a rule to compile. Source and constants say all there is to
know of it, but whether it looks at the old value; that is kept beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING, Final

from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.codegen import CompiledUnit, SourceWriter, load
from weighbridge.policies.codegen.frozen import FrozenUnit
from weighbridge.policies.codegen.unit import GeneratedUnit, compile_unit
from weighbridge.policies.codegen.writer import NAMED, Origin, comment_text
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node_paths import NodePath

if TYPE_CHECKING:
    from weighbridge.policies.cel.check.checked import Checked
    from weighbridge.policies.cel.emit.operand import Operand

#: Takes ``self``, ``oldSelf`` and the cost limit. The cost where the rule holds, -1 - cost where it doesn't; None where the tracked form
#: has to decide. A cost may be over the limit, and then decides nothing.
Holds = Callable[[object, object, int], int | None]

_DECLARED: Final = "declared"
#: What has no name of its own.
_ORIGINS: Final[dict[str, Origin]] = {
    "UNDECIDED": (NAMED, "weighbridge.policies.cel.values.undecided", "UNDECIDED"),
    "END": (NAMED, "weighbridge.policies.cel.values.undecided", "END"),
    "NONE": (NAMED, "weighbridge.policies.cel.values.values", "NONE"),
}


def undecided(_value: object, _old: object, _limit: int) -> None:
    """The short-circuit form of a rule that has none."""
    return


@dataclass(slots=True)
class ShortCircuitRule:
    """A rule that isn't empty, with its short-circuit form; one that doesn't compile has an `error`.

    `unit` keeps the source of the form for tracebacks.
    """

    rule: CompiledRule
    error: str
    holds: Holds
    uses_old_self: bool
    unit: CompiledUnit | None

    @property
    def needs_old(self) -> bool:
        """Whether the rule isn't asked where there is no old value."""
        return self.uses_old_self and not self.rule.rule.optional_old_self


def short_circuit_rule(rule: CompiledRule, name: str, index: int, place: NodePath | None, kept: KeptRules | None) -> ShortCircuitRule:
    """The rule of that index at a node, its short-circuit form taken over from `kept` where it is there, else compiled."""
    found = None if kept is None or place is None else kept.find(place, index)
    if found is None and rule.program is not None:
        found = write(rule.program.checked, rule.declared, name)
        if kept is not None and place is not None and found is not None:
            kept.keep(place, index, found)
    if found is None:
        return ShortCircuitRule(rule, rule.error, undecided, rule.uses_old_self, None)
    unit = load(found.unit, {}, found.code)
    return ShortCircuitRule(rule, "", unit.function("holds"), bool(found.facts), unit)


def write(checked: Checked, declared: DeclaredType, name: str) -> FrozenUnit | None:
    """Write the short-circuit form of a rule; `None` where it has none."""
    from weighbridge.policies.cel.emit.constants import Constants
    from weighbridge.policies.cel.emit.operand import UnsupportedError
    from weighbridge.policies.cel.emit.short_circuit import SHORT_CIRCUIT, ShortCircuitEmitter

    uses_old_self = checked.refers_to("oldSelf")
    writer = SourceWriter()
    try:
        ShortCircuitEmitter(checked, Constants(checked.root, checked.environment), writer).holds(_variables(checked, declared))
    except UnsupportedError:
        return None
    written = writer.unit(comment_text(f"cel {name}"))
    code = compile_unit(written)
    called = {name: SHORT_CIRCUIT[name] for name in sorted(set(_names(code)) & SHORT_CIRCUIT.keys())}
    unit = GeneratedUnit(written.name, written.source, {**called, **written.constants}, {**_ORIGINS, **written.origins})
    return FrozenUnit(unit, code, uses_old_self)


def _variables(checked: Checked, declared: DeclaredType) -> dict[str, Operand]:
    """The variables and how the function holds them; raises UnsupportedError for an optional old value."""
    from weighbridge.policies.cel.emit.operand import Operand, UnsupportedError
    from weighbridge.policies.cel.values.types import DYN

    found = {}
    for name, code in (("self", "x1"), ("oldSelf", "x2")):
        type_ = checked.environment.variable(name) or DYN
        if type_.is_optional and checked.refers_to(name):
            raise UnsupportedError("an optional old value")
        found[name] = Operand(code, type_, sure=False, declared=None if type_.is_optional else declared)
    return found


def _names(code: CodeType) -> Iterator[str]:
    """The global names that code may use, functions inside included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@dataclass(frozen=True, slots=True)
class KeptRules:
    """The compiled units of the rules of one schema in its cache; `is_root` is whether that schema is of a whole resource."""

    units: KeptUnits
    is_root: bool

    def find(self, place: NodePath, index: int) -> FrozenUnit | None:
        """The short-circuit form of the rule of that index at a node."""
        return self.units.find(("rule", place, index), self)

    def keep(self, place: NodePath, index: int, unit: FrozenUnit) -> None:
        """Keep a short-circuit form."""
        self.units.keep(("rule", place, index), unit, self)

    def origin_of(self, value: object) -> Origin | None:
        """How a declared type or a node of the schema is named in a kept unit."""
        if isinstance(value, DeclaredType):
            path = self.units.path(value.schema)
            return None if path is None else (_DECLARED, path)
        return self.units.origin_of(value)

    def restore(self, origin: Origin) -> object:
        """What an origin names; raises what `node_at` raises."""
        if origin[0] == _DECLARED:
            return self.declared(origin[1])
        return self.units.restore(origin)

    def declared(self, path: NodePath) -> DeclaredType:
        """The type that the node at a path declares."""
        return DeclaredType(self.units.node(path), root=self.is_root and path == ())
