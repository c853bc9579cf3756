"""Compares many expressions with the API server's own code: ``python -m tests.programs.rules [expressions] [seed]``.

KUBE names the release of both.
"""

from __future__ import annotations

import sys

from tests.programs.control_plane.build import kubernetes_version
from tests.programs.numbers import numbers
from tests.programs.rules.comparison import can_be_asked, compare, expressions
from tests.programs.rules.judge import build_judge
from weighbridge.policies.ground.server_release import judging, nearest


def main(arguments: list[str]) -> int:
    """Print the result; returns 1 if anything differs."""
    count, seed = numbers(arguments, expressions=5000, seed=1)
    release = nearest(kubernetes_version())
    assert release is not None
    with judging(release):
        found = compare(build_judge(), filter(can_be_asked, expressions(seed, count)))
    for difference in found.differences[:10]:
        print(difference)
    print(f"{count} expressions, {found.evaluated} evaluations with their costs: {len(found.differences)} differ")
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
