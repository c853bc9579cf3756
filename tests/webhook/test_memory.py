"""The memory that a process may use."""

from __future__ import annotations

from pathlib import Path

import pytest

from weighbridge.webhook.server.long_reviews.memory import allowed_memory

_MACHINE = {"proc/meminfo": "MemTotal:       8388608 kB\nMemFree:  1 kB\n"}
_8_GIB = 8 * 1024**3
_V1_UNLIMITED = "9223372036854771712\n"


@pytest.mark.parametrize(
    ("files", "allowed"),
    [
        ({}, _8_GIB),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1024**3),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, _8_GIB),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "500\n"}, 500),
        ({"proc/self/cgroup": "0::/not/seen/here\n", "sys/fs/cgroup/memory.max": "700\n"}, 700),
        ({"proc/self/cgroup": "4:memory:/pod\n1:cpu:/pod\n", "sys/fs/cgroup/memory/pod/memory.limit_in_bytes": "600\n"}, 600),
        ({"proc/self/cgroup": "4:memory:/not/seen\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n"}, 600),
        ({"proc/self/cgroup": "4:memory:/\n0::/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": _V1_UNLIMITED}, _8_GIB),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/unified/memory.max": "800\n"}, 800),
    ],
)
def test_the_least_of_what_limits_the_process_counts(tmp_path: Path, files: dict[str, str], allowed: int) -> None:
    for name, text in {**_MACHINE, **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert allowed_memory(tmp_path) == allowed


def test_where_nothing_is_known_a_pod_is_assumed(tmp_path: Path) -> None:
    assert allowed_memory(tmp_path) == 1024**3
