"""Compares the refusals of quotas in whole changes, here and on a real kube-apiserver: ``python -m tests.programs.quota_sums [changes]``.

KUBE names the server's release. Exit code 1: something differs.
"""

from __future__ import annotations

import sys

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.numbers import numbers
from tests.programs.quota_sums.comparison import compare


def main(arguments: list[str]) -> int:
    """Print the first differences and the summary."""
    count, seed = numbers(arguments, changes=1000, seed=1)
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    with ControlPlane(assets) as plane, Connections(plane) as connections:
        found = compare(connections, seed, count)
    print("\n".join([*found.differences[:10], str(found)]))
    return int(bool(found.differences))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
