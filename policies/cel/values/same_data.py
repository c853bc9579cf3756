"""Equality of two pieces of data that have one declared type, as generated code asks for it where Python's own isn't the same."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.equality import equal
from weighbridge.policies.cel.values.values import DataList, DataMap


def same_data(left: Any, right: Any, declared: DeclaredType) -> bool:
    """Whether both are equal; raises CelError."""
    label = DataList if declared.shape is Shape.LIST else DataMap
    return equal(label(left, declared), label(right, declared))
