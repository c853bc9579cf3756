"""Finds how much memory this process may use, by its container's cgroup or by the machine."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

#: The mounts of the two versions of cgroups, below the root, with the file that has a group's memory limit.
_HIERARCHIES: Final = {
    "": (("sys/fs/cgroup", "memory.max"), ("sys/fs/cgroup/unified", "memory.max")),
    "memory": (("sys/fs/cgroup/memory", "memory.limit_in_bytes"),),
}
#: Assumed if the limit isn't known: the default of our pods.
_UNKNOWN: Final = 1024**3


def allowed_memory(root: Path = Path("/")) -> int:
    """The bytes that this process and its children may use together."""
    return min(filter(None, (_machine(root), *_groups(root))), default=_UNKNOWN)


def bound_growth(size: int) -> None:
    """Allow this process to grow by at most this number of bytes from now on; beyond that, it gets a MemoryError."""
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        bound = pages * os.sysconf("SC_PAGE_SIZE") + size
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _machine(root: Path) -> int:
    with suppress(OSError, ValueError, IndexError):
        for line in (root / "proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemTotal:"):
                return int(line.split()[1]) * 1024
    return 0


def _groups(root: Path) -> Iterator[int]:
    """The memory limits of the process's cgroup and of all those above it; all of them apply."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            mounts = [mount for name in controllers.split(",") for mount in _HIERARCHIES.get(name, ())]
            for mount, name in mounts:
                yield from _limits(root / mount, path.strip("/"), name)


def _limits(mount: Path, path: str, name: str) -> Iterator[int]:
    group = mount / path
    # In a container, the mount itself may be the container's group, and then the path doesn't exist.
    for folder in (group, *(parent for parent in group.parents if parent.is_relative_to(mount)), mount):
        with suppress(OSError, ValueError):
            yield int((folder / name).read_text(encoding="ascii"))
