"""The ids of the findings about pods that fit a node alone but not together."""

from __future__ import annotations

from typing import Final

#: The pods of an object don't fit together.
TOGETHER: Final = "PLACE-002"
#: The objects of a run don't fit together.
CHANGE: Final = "PLACE-003"
#: A rolling update never ends.
UPDATE: Final = "PLACE-004"
#: An autoscaler may want more pods than there is room for.
SCALED: Final = "PLACE-005"
