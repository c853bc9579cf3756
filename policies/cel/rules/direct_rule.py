"""The direct form of a rule, ready to run: written now, or read from the cache if another run has written it.

A rule from the cache doesn't need the compiler, whose import takes longer than compiling a rule. The unit has all that is needed, including
whether the rule refers to the old value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import TYPE_CHECKING, Final

from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.codegen import CompiledUnit, load
from weighbridge.policies.codegen.frozen import FrozenUnit
from weighbridge.policies.codegen.unit import GeneratedUnit, compile_unit
from weighbridge.policies.codegen.writer import NAMED, Origin
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node_paths import NodePath

if TYPE_CHECKING:
    from weighbridge.policies.cel.emit.program import Program

#: Takes the cost limit, ``self`` and ``oldSelf``; returns value and cost, or raises one of `UNDECIDED`.
Direct = Callable[[int, object, object], tuple[Value, int]]

_DECLARED: Final = "declared"
#: The origins of constants that don't know their own names.
_ORIGINS: Final[dict[str, Origin]] = {
    "END": (NAMED, "weighbridge.policies.cel.values.undecided", "END"),
    "NONE": (NAMED, "weighbridge.policies.cel.values.values", "NONE"),
}


@dataclass(slots=True)
class DirectRule:
    """A rule that isn't empty, with its direct form; one that doesn't compile has an `error`.

    `direct` is `None` if the rule has no such form or its old value is an optional. `unit` keeps its source for tracebacks.
    """

    rule: CompiledRule
    error: str
    direct: Direct | None
    uses_old_self: bool
    unit: CompiledUnit | None

    @property
    def needs_old(self) -> bool:
        """Whether the rule is skipped if there is no old value."""
        return self.uses_old_self and not self.rule.rule.optional_old_self


def direct_rule(rule: CompiledRule, index: int, place: NodePath | None, kept: KeptRules | None) -> DirectRule:
    """The rule with that index at a node. Its direct form is read from `kept` if it is there, else compiled."""
    found = None if kept is None or place is None else kept.find(place, index)
    if found is None and rule.program is not None and not (rule.uses_old_self and rule.rule.optional_old_self):
        found = write(rule.program)
        if kept is not None and place is not None and found is not None:
            kept.keep(place, index, found)
    if found is None:
        return DirectRule(rule, rule.error, None, rule.uses_old_self, None)
    unit = load(found.unit, {}, found.code)
    return DirectRule(rule, "", unit.function("direct"), bool(found.facts), unit)


def write(program: Program) -> FrozenUnit | None:
    """Write the direct form of a rule with the functions that it calls; `None` if it has no such form."""
    from weighbridge.policies.cel.emit.direct_steps import DIRECT

    written = program.direct_unit()
    if written is None:
        return None
    code = compile_unit(written)
    called = {name: DIRECT[name] for name in sorted(set(_names(code)) & DIRECT.keys())}
    unit = GeneratedUnit(written.name, written.source, {**called, **written.constants}, {**_ORIGINS, **written.origins})
    return FrozenUnit(unit, code, program.checked.refers_to("oldSelf"))


def _names(code: CodeType) -> Iterator[str]:
    """The global names that code may use, including those of inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@dataclass(frozen=True, slots=True)
class KeptRules:
    """The compiled units of the rules of one schema in its cache; `is_root` says that the schema is that of a whole resource."""

    units: KeptUnits
    is_root: bool

    def find(self, place: NodePath, index: int) -> FrozenUnit | None:
        """The direct form of the rule with that index at a node."""
        return self.units.find(("rule", place, index), self)

    def keep(self, place: NodePath, index: int, unit: FrozenUnit) -> None:
        """Keep a direct form."""
        self.units.keep(("rule", place, index), unit, self)

    def origin_of(self, value: object) -> Origin | None:
        """The origin of a declared type or a node of the schema, as a kept unit has it."""
        if isinstance(value, DeclaredType):
            path = self.units.path(value.schema)
            return None if path is None else (_DECLARED, path)
        return self.units.origin_of(value)

    def restore(self, origin: Origin) -> object:
        """The constant that an origin names; raises what `node_at` raises."""
        if origin[0] == _DECLARED:
            return self.declared(origin[1])
        return self.units.restore(origin)

    def declared(self, path: NodePath) -> DeclaredType:
        """The type that the node at a path declares."""
        return DeclaredType(self.units.node(path), root=self.is_root and path == ())
