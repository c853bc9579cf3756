"""Lists that are merged item by item."""

from __future__ import annotations

from typing import Any

import pytest

from policies.families.ome.resolve.merge.strategic import merged


def test_an_item_is_merged_with_that_of_its_key_and_a_new_one_follows() -> None:
    base = {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]}
    patch = {"env": [{"name": "C", "value": "3"}, {"name": "A", "value": "4"}]}
    assert merged(base, patch)["env"] == [{"name": "A", "value": "4"}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}]


@pytest.mark.parametrize("key", [{}, [], {"a": 1}, 1.5])
def test_a_key_that_can_be_none_fails_nothing(key: Any) -> None:
    odd = {"name": key, "value": "1"}
    assert merged({"env": [{"name": "A"}]}, {"env": [odd]})["env"] == [{"name": "A"}, odd]
    assert merged({"env": [odd]}, {"env": [{"name": "A"}]})["env"] == [odd, {"name": "A"}]
