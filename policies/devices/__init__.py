"""Devices (DRA, ``resource.k8s.io``): the devices that drivers offer, the claims of pods, and their allocation on a node.

Allocation is that of kube-scheduler 1.36 with its default features: the same devices in the same order, the same reasons, the same aborts.
"""

from __future__ import annotations

from weighbridge.policies.devices.alike import SliceShapes
from weighbridge.policies.devices.allocation import Picked, Solution
from weighbridge.policies.devices.devices import ClaimRequests, Devices, slice_shapes
from weighbridge.policies.devices.outcomes import (
    CANNOT_ALLOCATE,
    INVALID_POOLS,
    NOT_AVAILABLE,
    TOO_MANY_COMBINATIONS,
    DeviceRefusal,
    SchedulingAbortedError,
    Silent,
)

__all__ = [
    "CANNOT_ALLOCATE",
    "INVALID_POOLS",
    "NOT_AVAILABLE",
    "TOO_MANY_COMBINATIONS",
    "ClaimRequests",
    "DeviceRefusal",
    "Devices",
    "Picked",
    "SchedulingAbortedError",
    "Silent",
    "SliceShapes",
    "Solution",
    "slice_shapes",
]  # fmt: skip
