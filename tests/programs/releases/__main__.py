"""Compares the engine with real servers of several releases of Kubernetes: `python -m tests.programs.releases [RELEASE...]`.

Each part is a separate program, which takes the release from KUBE. Prints a row for each; exit code 1: something differs. By default all
releases except the usual one are compared, since that one has longer comparisons.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from tests.programs.control_plane.build import RELEASE_VARIABLE, USUAL_RELEASE, releases


def parts(*, requests: int, definitions: int, policies: int, expressions: int, pods: int, claims: int) -> dict[str, list[str]]:
    """The programs of a release with their arguments, by what they compare."""
    return {
        "requests": ["tests.programs.differential", "--requests", str(requests)],
        "CRDs": ["tests.programs.definitions", str(definitions)],
        "rules": ["tests.programs.rules", str(expressions)],
        "policies": ["tests.programs.policies", str(policies)],
        "standards": ["tests.programs.pod_security", str(pods * 10)],
        "pods": ["tests.programs.scheduler", "--pods", str(pods)],
        "claims": ["tests.programs.devices", str(claims)],
        "mutations": ["tests.programs.mutations", "100"],
        "types": ["tests.programs.type_checks", str(policies * 300)],
        "built-in": ["tests.programs.mutations", "--built-in", "100"],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts of each release; the last line of each goes into the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.releases", description="Compare the engine with servers of releases.")
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help="by default all but the usual one")
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--definitions", type=int, default=500)
    parser.add_argument("--policies", type=int, default=3, help="rounds of 640 requests")
    parser.add_argument("--expressions", type=int, default=5000)
    parser.add_argument("--pods", type=int, default=100, help="for each cluster")
    parser.add_argument("--claims", type=int, default=1000, help="cases for the allocator")
    given = parser.parse_args(arguments)
    failed = False
    for release in given.releases or [known for known in releases() if known != USUAL_RELEASE]:
        named = ("requests", "definitions", "policies", "expressions", "pods", "claims")
        sizes = {name: getattr(given, name) for name in named}
        environ = os.environ | {RELEASE_VARIABLE: release}
        subprocess.run([sys.executable, "tests/programs/control_plane/build.py"], env=environ, check=True, stdout=subprocess.DEVNULL)
        for what, (module, *options) in parts(**sizes).items():
            done = subprocess.run([sys.executable, "-m", module, *options], env=environ, capture_output=True, text=True, check=False)
            said = (done.stdout.strip() or done.stderr.strip()).splitlines() or [""]
            if done.returncode != 0:
                failed = True
                print("\n".join(said[-40:]))
            print(f"{release}  {what:<9} {'ok     ' if done.returncode == 0 else 'DIFFERS'} {said[-1]}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
