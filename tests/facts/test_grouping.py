"""The labels that distinguish kinds of nodes: those with few values, or with many nodes for each value."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts.node_shapes import _varied


@pytest.mark.parametrize(
    ("values", "nodes", "varied"),
    [(16, 16, False), (17, 17, True), (20, 320, False), (20, 319, True)],
)
def test_a_label_with_a_value_for_few_nodes_is_a_node_s_own(values: int, nodes: int, varied: bool) -> None:
    assert _varied(("zone", number % values) for number in range(nodes)) == (frozenset({"zone"}) if varied else frozenset())
