"""Equality of two pieces of data of one declared type. Generated code calls it if Python's own equality differs."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.equality import equal
from weighbridge.policies.cel.values.values import DataList, DataMap


def same_data(left: Any, right: Any, declared: DeclaredType) -> bool:
    """Whether both are equal; raises CelError."""
    label = DataList if declared.shape is Shape.LIST else DataMap
    return equal(label(left, declared), label(right, declared))
