"""Writes the dropping of nulls: a map loses a null that the schema neither allows nor has a default for; lists keep nulls.

A null that has a default stays for defaulting to replace. Source: k8s.io/apiextensions-apiserver 1.36
``pkg/apiserver/schema/defaulting/prunenulls.go``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.emit.called import drop_nulls, drop_nulls_except
from weighbridge.policies.schema.emit.visits import emit_item_visits, emit_kinds, emit_visits
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import Place, holds_structure


class NullsEmitter:
    """Functions of one argument, a map or list that is changed in place."""

    environment: Final[Mapping[str, object]] = {"drop_nulls": drop_nulls, "drop_nulls_except": drop_nulls_except}

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the dropping of nulls of `place`."""
        with unit.writer.block(f"def {name}(value):", place.label):
            emit_kinds(unit, place, partial(_emit_fields, unit, place), partial(emit_item_visits, unit, place, holds_structure, _call))


def _call(callee: str, argument: str) -> str:
    return f"{callee}({argument})"


def _refuses_null(schema: Schema) -> bool:
    return not schema.nullable and not schema.has_default


def _emit_fields(unit: Unit, place: Place) -> None:
    schema, writer = place.schema, unit.writer
    dropped = frozenset(name for name, child in schema.properties.items() if _refuses_null(child))
    call = f"drop_nulls(value, {writer.constant(dropped)})" if dropped else ""
    values = schema.additional_properties
    if values is not None and _refuses_null(values):
        call = f"drop_nulls_except(value, {writer.constant(frozenset(schema.properties) - dropped)})"
    if call:
        with writer.block("if None in value.values():"):
            writer.line(call)
    emit_visits(unit, place, holds_structure, _call)
