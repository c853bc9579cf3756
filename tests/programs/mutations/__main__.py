"""Compares the effects of mutating policies on a real kube-apiserver and here: ``python -m tests.programs.mutations [set-ups] [seed]``.

Each set-up has one or two policies with their bindings and parameters, and up to ten objects. KUBE names the release of the server. With
``--built-in`` the objects are of built-in kinds.
"""

from __future__ import annotations

import os
import sys

from tests.programs.control_plane.build import RELEASE_VARIABLE, USUAL_RELEASE, find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.mutations.built_in_compare import run_built_in
from tests.programs.mutations.compare import report, run
from tests.programs.mutations.stage import EARLY_FLAGS, FIRST_STABLE
from weighbridge.policies.ground.server_release import judging


def main(arguments: list[str]) -> int:
    """Print the differences; returns 1 if there are any."""
    compare = run_built_in if "--built-in" in arguments else run
    numbers = [text for text in arguments if text != "--built-in"]
    count, seed = (int(text) for text in (*numbers, *("200", "1")[len(numbers) :]))
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    early = tuple(map(int, (os.environ.get(RELEASE_VARIABLE) or USUAL_RELEASE).split("."))) < FIRST_STABLE
    with (
        ControlPlane(assets, apiserver_flags=EARLY_FLAGS if early else ()) as plane,
        Connections(plane) as connections,
        judging(connections.release()),
    ):
        result = compare(connections, count, seed)
    for line in report(result):
        print(line)
    return 1 if result.differences or result.misjudged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
