"""DeviceClasses: named selections of devices, and their extended resource names.

Every class has the name `deviceclass.resource.kubernetes.io/<class>`, and may have one more. If two classes have the same name, it means
the newer class; if they are equally old, the one whose own name comes first. Source: resource.k8s.io/v1 DeviceClass;
k8s.io/dynamic-resource-allocation v0.36, deviceclass/extendedresourcecache.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.devices.claims import read_selectors
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass

IMPLICIT_PREFIX: Final = "deviceclass.resource.kubernetes.io/"


@dataclass(frozen=True, slots=True, eq=False)
class DeviceClass:
    """One class; `created` is its creation timestamp, empty if it isn't known."""

    name: str
    selectors: tuple[str | None, ...]
    resource: str
    created: str


def read_class(obj: JSONObject) -> DeviceClass:
    """Read a DeviceClass."""
    spec = part(obj, "spec")
    return DeviceClass(name_of(obj), read_selectors(spec), text(spec, "extendedResourceName"), text(metadata_of(obj), "creationTimestamp"))


def classes_by_resource(classes: Iterable[DeviceClass]) -> dict[str, DeviceClass]:
    """The class of each extended resource name."""
    found: dict[str, DeviceClass] = {}
    # Timestamps of the API are all in UTC with whole seconds, so they sort as text.
    by_age = sorted(sorted(classes, key=lambda class_: class_.name, reverse=True), key=lambda class_: class_.created)
    for class_ in by_age:
        if class_.resource:
            found[class_.resource] = class_
    for class_ in by_age:
        found[IMPLICIT_PREFIX + class_.name] = class_
    return found
