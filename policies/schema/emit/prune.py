"""Writes the pruning of a schema node: fields that the schema doesn't know are removed, and their paths reported.

A node with ``x-kubernetes-preserve-unknown-fields`` keeps what it doesn't know, and so do the items of such a list until a declared field
is reached ("skip" mode). The root counts as an embedded resource, whose apiVersion, kind and metadata stay untouched ("root" mode).
Source: k8s.io/apiextensions-apiserver 1.36 ``pkg/apiserver/schema/pruning/algorithm.go``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.emit.called import META_FIELDS, drop_unknown, empty
from weighbridge.policies.schema.structure import ROOT, Place, holds_structure

#: Another mode than the node's own.
_SKIP: Final = "skip"
#: From this number of children on their functions are looked up by key.
_WIDE: Final = 8


class PruneEmitter:
    """Functions of a map or list, the trail that leads to it, and the list of dropped paths."""

    environment: Final[Mapping[str, object]] = {"drop_unknown": drop_unknown, "empty": empty}

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the pruning of `place`."""
        with unit.writer.block(f"def {name}(value, at, dropped):", place.label):
            with unit.writer.block("if type(value) is dict:"):
                _emit_fields(unit, place)
            with unit.writer.block("else:"):
                _emit_items(unit, place)


def _keeps_unknown(place: Place) -> bool:
    return place.mode == _SKIP or place.schema.preserve_unknown_fields


def _needs_function(place: Place) -> bool:
    schema = place.schema
    return holds_structure(schema) or schema.additional_properties_bool is not None or schema.embedded_resource


def _disposal(unit: Unit, place: Place | None, step: str) -> str:
    """The statement that prunes `item`, a map or list at `place`; empty if nothing can be removed. A `place` of `None` means no schema."""
    if place is not None and _needs_function(place):
        return f"{unit.callee(place)}(item, (at, {step}), dropped)"
    return "" if place is not None and _keeps_unknown(place) else f"empty(item, (at, {step}), dropped)"


def _emit_fields(unit: Unit, place: Place) -> None:
    schema, writer = place.schema, unit.writer
    ignored = META_FIELDS if schema.embedded_resource or place.mode == ROOT else frozenset()
    children = {name: place.field(name) for name in schema.properties if name not in ignored}
    others: str | None = "" if _keeps_unknown(place) else None
    if schema.raw.get("additionalProperties") is not None:
        others = _disposal(unit, place.value(), "key")
    if others is None:
        known = writer.constant(frozenset(schema.properties) | ignored)
        with writer.block(f"if not value.keys() <= {known}:"):
            writer.line(f"drop_unknown(value, {known}, at, dropped)")
    branches = _branches(unit, children, ignored, others)
    if branches:
        with writer.block("for key, item in value.items():"), writer.block("if type(item) is dict or type(item) is list:"):
            _emit_chain(unit, branches)


def _branches(unit: Unit, children: Mapping[str, Place], ignored: frozenset[str], others: str | None) -> list[tuple[str, str]]:
    """Conditions on the key with the statement for each; the last condition may be empty.

    `others` is `None` if there can be no other key.
    """
    writer, emptied = unit.writer, _disposal(unit, None, "key")
    structured = {name: child for name, child in children.items() if _needs_function(child)}
    plain = [name for name in children if name not in structured]
    kept = frozenset(name for name in plain if _keeps_unknown(children[name]))
    lost = frozenset(plain) - kept
    if len(structured) > _WIDE:
        table = unit.cells(structured)
        branches = [(f"key in {table}", f"{table}[key][0](item, (at, key), dropped)")]
    else:
        branches = [(f"key == {writer.literal(name)}", _disposal(unit, child, "key")) for name, child in structured.items()]
    rest = emptied if others is None else others
    if lost and rest != emptied:
        branches.append((f"key in {writer.constant(lost)}", emptied))
    if lost if others is None else rest:
        branches.append((f"key not in {writer.constant(ignored | kept)}" if ignored | kept else "", rest))
    return branches


def _emit_chain(unit: Unit, branches: list[tuple[str, str]]) -> None:
    keyword = "if"
    for condition, statement in branches:
        if not condition and keyword == "if":
            unit.writer.line(statement)
            return
        with unit.writer.block(f"{keyword} {condition}:" if condition else "else:"):
            unit.writer.line(statement)
        keyword = "elif"


def _emit_items(unit: Unit, place: Place) -> None:
    writer = unit.writer
    skipping = _keeps_unknown(place)
    items = place.item(_SKIP if skipping else "")
    if items is None:
        writer.line("pass" if skipping else "empty(value, at, dropped)")
        return
    statement = _disposal(unit, items, "index")
    if statement:
        with writer.block("for index, item in enumerate(value):"), writer.block("if type(item) is dict or type(item) is list:"):
            writer.line(statement)
