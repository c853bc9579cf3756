"""Outcomes of a request for devices other than yes and no: the scheduler fails, takes no node, or waits.

Source: kubernetes v1.36, scheduler/framework/plugins/dynamicresources/dynamicresources.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.records import dataclass

#: The reasons of a node, as the scheduler words them.
CANNOT_ALLOCATE: Final = "cannot allocate all claims"
INVALID_POOLS: Final = "invalid resource pools were encountered"
NOT_AVAILABLE: Final = "resourceclaim not available on the node"
#: The reason if the search was given up. The scheduler would go on until its own time is up, and may find devices.
TOO_MANY_COMBINATIONS: Final = "too many combinations of devices to try"


class SchedulingAbortedError(Exception):
    """Scheduling stops for the whole pod; the message is that of the pod's condition, whose reason is ``SchedulerError``."""


class AllocationError(Exception):
    """A claim, class or slice is wrong; the text is the scheduler's without its beginning."""


@dataclass(frozen=True, slots=True)
class DeviceRefusal:
    """No node is checked; `text` is the message for all of them. `is_certain` is False if not all classes are known."""

    text: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class Silent:
    """The scheduler waits without a message; `why` is what it waits for.

    `is_certain` is False if the missing object may exist, since not all objects of its kind are known.
    """

    why: str
    is_certain: bool
