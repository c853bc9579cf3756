"""The devices that HAMi's device plugins register on nodes, in annotations.

Only these say how many GPUs a node has and how large they are, since its resources count each GPU several times. Source: Project-HAMi/HAMi
v2.10 (`pkg/device/devices.go`, `DecodeNodeDevices` and `UnMarshalNodeDevices`; `pkg/device/*/device.go` for the keys); in its early
releases the annotations began with `4pd.io/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_STARTS: Final = ("hami.io/node-", "4pd.io/node-")
_OF_NVIDIA: Final = "/node-nvidia-register"


def registers(annotations: object) -> dict[str, str]:
    """The annotations of a node that register its devices, reduced to what is read: the memory of NVIDIA's GPUs."""
    found = {}
    for key, value in annotations.items() if isinstance(annotations, Mapping) else ():
        if isinstance(key, str) and key.startswith(_STARTS) and "register" in key:
            found[key] = _written(registered(str(value))) if key.endswith(_OF_NVIDIA) else ""
    return found


def registered_gpus(annotations: Mapping[str, str]) -> tuple[int, ...]:
    """The memory in MiB of each of NVIDIA's GPUs that are registered."""
    return next((registered(value) for key, value in annotations.items() if key.endswith(_OF_NVIDIA)), ())


@lru_cache(maxsize=1024)
def registered(value: str) -> tuple[int, ...]:
    """The memory in MiB of each device that an annotation registers, in both forms of HAMi; empty if it can't be read."""
    if not value.startswith("["):
        # id,count,devmem,devcore,type,numa,health and, later, index and mode; each ends with a colon.
        parts = [device.split(",") for device in value.split(":") if device]
        sizes = [device[2] for device in parts if len(device) in (7, 9) and device[6].lower() in ("true", "t", "1")]
        return tuple(int(size) for size in sizes if size.isdecimal() and len(size) < 10)
    from json import loads

    try:
        devices = loads(value)
    except (ValueError, RecursionError):
        return ()
    entries = (device for device in devices if isinstance(device, dict) and device.get("health"))
    return tuple(size for entry in entries if isinstance(size := entry.get("devmem", 0), int) and not isinstance(size, bool))


def _written(sizes: tuple[int, ...]) -> str:
    """The newer form, reduced to what is read."""
    return "[" + ",".join(f'{{"devmem":{size},"health":true}}' for size in sizes) + "]"
