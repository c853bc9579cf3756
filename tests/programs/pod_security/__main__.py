"""Compares the API server's answers under Pod Security Standards, here and on a real one: ``python -m tests.programs.pod_security [pods]``.

The server runs with its default configuration, then with other defaults and exemptions. KUBE names its release. Exit code 1: something
differs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.numbers import numbers
from tests.programs.pod_security.comparison import SETTINGS, admission_configuration, compare, lines
from weighbridge.policies.pods.security.standard import USUAL

PODS, SPACES = 3000, 60


def main(arguments: list[str]) -> int:
    """Run both comparisons."""
    count, seed = numbers(arguments, pods=PODS, seed=1)
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "admission.json"
        file.write_text(json.dumps(admission_configuration()), encoding="utf-8")
        for settings, flags in ((USUAL, ()), (SETTINGS, (f"--admission-control-config-file={file}",))):
            with ControlPlane(assets, apiserver_flags=flags) as plane, Connections(plane) as connections:
                found = compare(connections, seed, spaces=SPACES, pods=count, workloads=count // 2, settings=settings)
            failed |= bool(found.differences)
            print("\n".join(lines(found)), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
