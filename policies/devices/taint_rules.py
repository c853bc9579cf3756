"""DeviceTaintRules: taints that an administrator adds to devices, as drivers do in their slices.

A rule selects devices by driver, pool and name. Without a selector it selects none, with an empty one all. Source:
k8s.io/dynamic-resource-allocation v0.37, resourceslice/tracker (applyPatches).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from weighbridge.policies.devices.slices import Device, DeviceId, Slice
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.facts.tolerations import Taint, read_taints
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.server_release import release

_GROUP, _KIND = "resource.k8s.io", "DeviceTaintRule"


@dataclass(frozen=True, slots=True)
class TaintRule:
    """A taint of all devices with these properties; one that is `None` doesn't count."""

    driver: JSONValue
    pool: JSONValue
    device: JSONValue
    taint: Taint

    def selects(self, device: DeviceId) -> bool:
        """Whether a device gets the taint."""
        pairs = (self.driver, device.driver), (self.pool, device.pool), (self.device, device.device)
        return all(wanted is None or wanted == has for wanted, has in pairs)


def taint_rules(store: ObjectStore) -> list[TaintRule]:
    """The rules of a cluster; before 1.37 the scheduler has none."""
    if not release().applies_taint_rules:
        return []
    return [rule for found in store.read(_GROUP, _KIND, _read) for rule in found]


def _read(obj: JSONObject) -> tuple[TaintRule, ...]:
    selector = part(obj, "spec").get("deviceSelector")
    if not isinstance(selector, dict):
        return ()
    taints = read_taints([part(obj, "spec", "taint")])
    return tuple(TaintRule(selector.get("driver"), selector.get("pool"), selector.get("device"), taint) for taint in taints)


def tainted(slices: Iterable[Slice], rules: Sequence[TaintRule]) -> Iterable[Slice]:
    """The slices with the taints of rules."""
    return [_tainted_slice(found, rules) for found in slices] if rules else slices


def _tainted_slice(found: Slice, rules: Sequence[TaintRule]) -> Slice:
    devices = tuple(_tainted_device(device, rules) for device in found.devices)
    return found if devices == found.devices else replace(found, devices=devices)


def _tainted_device(device: Device, rules: Sequence[TaintRule]) -> Device:
    taints = tuple(rule.taint for rule in rules if rule.selects(device.id))
    if not taints:
        return device
    return replace(device, taints=(*device.taints, *taints), build=sys.intern(f"{device.build} {taints!r}"))
