"""``python -m tests.programs.type_checks [policies] [seed]``: compares the type checks of policies by kube-controller-manager's code and by
the engine.

KUBE names the release of both.
"""

from __future__ import annotations

import sys

from tests.programs.control_plane.build import kubernetes_version
from tests.programs.numbers import numbers
from tests.programs.type_checks.comparison import Comparison
from tests.programs.type_checks.judge import build_judge
from weighbridge.policies.ground.server_release import judging, nearest

_SHOWN = 20


def main(arguments: list[str]) -> int:
    """Print the result; returns 1 if anything differs."""
    count, seed = numbers(arguments, policies=1000, seed=1)
    release = nearest(kubernetes_version())
    assert release is not None
    with judging(release):
        comparison = Comparison(build_judge())
        comparison.compare_drawn(seed, count)
    tally = comparison.tally
    for difference in tally.differences[:_SHOWN]:
        print(difference)
    for words, number in tally.words.most_common():
        print(f"{number:6} {words}")
    print(f"{release.name}: {tally}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
