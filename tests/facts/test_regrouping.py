"""When an inventory that has grown checks again which labels are unique to nodes."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import Inventory, Node


def numbered(number: int, **labels: str) -> Node:
    return Node.from_object({"metadata": {"name": f"n{number}", "labels": {"serial": str(number), **labels}}})


@pytest.mark.parametrize(("first", "most"), [(0, 32), (1, 34), (10, 52), (16, 64)])
def test_twice_as_many_shapes_as_at_first_and_some_are_too_many(first: int, most: int) -> None:
    inventory = Inventory(map(numbered, range(first)))
    for number in range(first, most):
        inventory = inventory.with_node(numbered(number))
    assert len(inventory.shapes) == most
    assert "serial" not in inventory.own.labels
    inventory = inventory.with_node(numbered(most))
    assert len(inventory.shapes) == 1
    assert "serial" in inventory.own.labels


def test_an_inventory_keeps_its_bound_when_nodes_are_taken_away() -> None:
    inventory = Inventory(map(numbered, range(10)))
    for number in range(10):
        inventory = inventory.without_node(f"n{number}")
    assert (len(inventory), len(inventory.shapes)) == (0, 0)
    for number in range(53):
        assert len(inventory.shapes) == number
        inventory = inventory.with_node(numbered(number))
    assert len(inventory.shapes) == 1
