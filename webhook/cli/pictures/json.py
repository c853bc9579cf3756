"""The picture as JSON, for other tools."""

from __future__ import annotations

from json import dumps
from typing import TextIO

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.packing.picture import Picture, Row


def write(picture: Picture, stream: TextIO) -> None:
    """Write the picture as one object."""
    stream.write(f"{dumps(as_json(picture), indent=2, ensure_ascii=False)}\n")


def as_json(picture: Picture) -> JSONObject:
    """The picture: totals, nodes, workloads by number, and objects without room."""
    totals = {}
    for resource in picture.resources:
        has, runs, taken, free = picture.total(resource)
        totals[resource] = {"allocatable": has, "running": runs, "change": taken, "free": free}
    return {
        "known": picture.is_whole,
        "runningKnown": picture.knows_running,
        "totals": totals,
        "nodes": [_row(row) for row in picture.rows],
        "idleNodes": picture.idle,
        "workloads": [
            {"object": one.label, "role": one.role, "asks": one.asks, "pods": one.wanted, "placed": one.placed} for one in picture.shown
        ],
        "outside": [{"object": one.label, "reason": one.why} for one in picture.outside],
    }


def _row(row: Row) -> JSONObject:
    devices = {
        device.resource: {
            "allocatable": device.has,
            "running": device.runs,
            "change": [{"workload": number, "count": count} for number, count in device.taken],
            "free": device.free,
        }
        for device in row.devices
    }
    pods = [{"workload": number, "count": count} for number, count in sorted(row.pods.items())]
    return {"names": list(row.names), "schedulable": not row.is_closed, "devices": devices, "pods": pods}
