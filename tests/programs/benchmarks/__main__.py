"""`make bench`: prints all tables, or the named ones, as ratios to a reference in the same run.

``python -m tests.programs.benchmarks [TABLE ...]``, with `engine`, `service`, `load`, `rules`, `ready`, `start`, `cluster`, `live`, `pods`,
`aim`, `ome`, `growth`, `commands`, `files`, `storm`, `policies`, `gatekeeper`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from tests.programs.benchmarks import (
    aim_table,
    cluster_table,
    commands_table,
    engine_table,
    files_table,
    gatekeeper_table,
    growth_table,
    live_table,
    load_table,
    ome_table,
    pods_table,
    policies_table,
    ready_table,
    rule_table,
    service_table,
    start_table,
    storm_table,
)

_TABLES: Final[dict[str, Callable[[], None]]] = {
    "engine": engine_table.main,
    "service": service_table.main,
    "load": load_table.main,
    "rules": rule_table.main,
    "ready": ready_table.main,
    "start": start_table.main,
    "cluster": cluster_table.main,
    "live": live_table.main,
    "pods": pods_table.main,
    "aim": aim_table.main,
    "ome": ome_table.main,
    "growth": growth_table.main,
    "commands": commands_table.main,
    "files": files_table.main,
    "storm": storm_table.main,
    "policies": policies_table.main,
    "gatekeeper": gatekeeper_table.main,
}


def main() -> None:
    """Print the tables."""
    named = sys.argv[1:] or list(_TABLES)
    unknown = [name for name in named if name not in _TABLES]
    if unknown:
        sys.exit(f"{', '.join(unknown)}: no such table; there are {', '.join(_TABLES)}")
    for position, name in enumerate(named):
        if position:
            print()
        _TABLES[name]()


if __name__ == "__main__":
    main()
