"""Compares many generated cases with the scheduler's allocator: ``python -m tests.programs.devices [cases] [first seed]``."""

from __future__ import annotations

import sys

from tests.programs.control_plane.build import kubernetes_version
from tests.programs.devices.comparison import compare
from tests.programs.devices.judge import build_judge
from tests.programs.numbers import numbers
from weighbridge.policies.ground.server_release import judging, nearest


def main(arguments: list[str]) -> int:
    """Print the result; returns 1 if anything differs."""
    cases, first = numbers(arguments, cases=5000, first_seed=0)
    release = nearest(kubernetes_version())
    assert release is not None
    with judging(release):
        found = compare(build_judge(), range(first, first + cases))
    for kind, count in found.verdicts.most_common():
        print(f"{count:8} {kind}")
    for difference in found.differences[:5]:
        print(difference)
    total = sum(found.verdicts.values())
    print(f"{cases} cases, {total} verdicts on nodes: {found.given_up} given up by either side, {len(found.differences)} differ")
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
