"""Checks whether the server would evaluate the expressions of a policy as Weighbridge does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.native.differences import differences, names_namespace, words_of_ours
from weighbridge.policies.user_policies.native.texts import Untranslatable

#: An expression with its place in the policy.
Placed = tuple[Path, Expression]


def check(compiled: CompiledPolicy, placed: Sequence[Placed], *, is_namespaced: bool) -> None:
    """Raise Untranslatable if the server would evaluate an expression differently."""
    if compiled.faults:
        path, fault = compiled.faults[0]
        raise Untranslatable(f"{field(path)}: {fault.message}")
    words = list(dict.fromkeys(word for _, expression in placed for word in words_of_ours(expression)))
    if words:
        raise Untranslatable(f"it uses {_joined(words)}, which the API server doesn't have")
    for path, expression in placed:
        for why in differences(expression, compiled.types, is_namespaced=is_namespaced):
            raise Untranslatable(f"{field(path)} {why}")
    for index, (_, condition) in enumerate(compiled.conditions):
        if names_namespace(condition):
            raise Untranslatable(f"matchConditions[{index}] reads namespaceObject, which is null there to the API server; use a validation")


def of_validations(compiled: CompiledPolicy) -> Iterator[Placed]:
    """The expressions that decide whether an object is right."""
    yield from ((("matchConditions", index), condition) for index, (_, condition) in enumerate(compiled.conditions))
    yield from (((name,), variable) for name, variable in compiled.variables.items())
    for entry in compiled.validations:
        yield ("validations", entry.index, "expression"), entry.expression
        if entry.message is not None:
            yield ("validations", entry.index, "messageExpression"), entry.message


def _joined(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
