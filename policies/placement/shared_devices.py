"""Containers that request several shares of a GPU: the scheduler counts shares, but an engine finds fewer devices than it requested.

`policies.facts.accelerators.units` says what shares are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators.memory import memory_of
from weighbridge.policies.facts.accelerators.units import HAMI_SHARES, MIG_SLICES, MPS_SHARES, Units, known_units, shares_devices
from weighbridge.policies.ground.cautions import SLICES, Caution
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.requests import containers, read_amounts

_GIB: Final = 2**30


def asks_for_shares(spec: JSONObject, inventory: Inventory) -> bool:
    """Whether a container of a pod requests several units of a resource that are shares of devices on some node."""
    return any(shares_devices(inventory, resource) for _, resource, _ in _asked(spec))


def shares_asked_for(spec: JSONObject, nodes: Sequence[Node], inventory: Inventory) -> Iterator[Caution]:
    """The cautions about containers that get fewer devices than units on nodes that fit; notes if that is so only on some of them."""
    for container, resource, count in _asked(spec):
        if not shares_devices(inventory, resource):
            continue
        found = [(node, known_units(inventory, node, resource)) for node in nodes]
        short = [(node, units) for node, units in found if units is not None and (units.one_only or units.devices_of(count) < count)]
        if not short:
            continue
        # The node on which an engine finds the most devices.
        node, units = max(short, key=lambda each: each[1].devices_of(count))
        is_all = len(short) == len(nodes)
        yield Caution(
            SLICES,
            f"container {container} requests {count} {resource}, which on {node.name} are {_described(node, resource, units, count)}",
            hint=_hint(units, count, is_all=is_all),
            is_note=not is_all,
        )


def _asked(spec: JSONObject) -> Iterator[tuple[str, str, int]]:
    """The containers that request several units of an extended resource, with the resource."""
    for _, _, container in containers(spec):
        resources = container.get("resources")
        if not isinstance(resources, dict):
            continue
        for resource, amount in (read_amounts(resources.get("requests")) | read_amounts(resources.get("limits"))).items():
            if "/" in resource and amount.value() > 1:
                yield text(container, "name"), resource, amount.value()


def _described(node: Node, resource: str, units: Units, count: int) -> str:
    size = memory_of(node, resource)
    held = f" with {size / _GIB:.1f} GiB" if size else ""
    devices = units.devices_of(count)
    gpus = f"{units.devices} GPU{'s' if units.devices > 1 else ''}"
    product = node.product_note(resource)
    if units.kind == MIG_SLICES:
        return f"MIG slices{product}: CUDA gives a process only one of them{held}, and there is no P2P between them"
    if units.kind == HAMI_SHARES:
        return f"shares of {gpus}{product}{held}: each has to be on another GPU, so HAMi's scheduler finds no room for them"
    start = f"{units.kind} of {gpus}{product}{held}"
    if units.one_only:
        return f"{start}: the device plugin refuses more than one for a container"
    adds_memory = units.kind == MPS_SHARES
    return f"{start}: {'' if adds_memory else 'they add neither memory nor devices, and '}an engine finds {devices}"


def _hint(units: Units, count: int, *, is_all: bool) -> str:
    fewer = 1 if units.one_only else units.devices_of(count)
    whole = "GPUs that aren't shared" if is_all else "select nodes whose GPUs aren't shared"
    return f"request {fewer}{f', and split the engine over {fewer}' if fewer > 1 else ''}, or {whole}"
