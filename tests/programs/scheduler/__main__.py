"""Compares our placement with the real kube-scheduler, at length: `python -m tests.programs.scheduler`.

Prints agreement by cluster and by topic and the smallest example of each disagreement; exit code 1: there is one, 2: there is no
kube-scheduler.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from tests.programs.control_plane.build import find_assets, kubernetes_version
from tests.programs.scheduler import report
from tests.programs.scheduler.compare import Comparison, compare
from tests.programs.scheduler.judge import Judge
from tests.programs.scheduler.suite import MAKERS, creatable, scenario
from weighbridge.policies.ground.server_release import judging, nearest

LONG, SHORT = 200, 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the comparison that the arguments ask for."""
    options = _parser().parse_args(arguments)
    assets = find_assets()
    if assets is None or not assets.has_scheduler:
        print("there is no kube-scheduler; build it with: make control-plane", file=sys.stderr)
        return 2
    count = options.pods or (SHORT if options.ours else LONG)
    comparisons: list[Comparison] = []
    release = nearest(kubernetes_version())
    assert release is not None
    with Judge(assets) as judge:
        for name in options.cluster or MAKERS:
            start = time.monotonic()
            made = creatable(scenario(name, count, options.seed), release)
            with judging(release):
                comparisons += compare(made, judge.truths(made.objects, made.pods))
            print(f"asked about {len(made.cases)} pods in {name}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    if options.topic:
        comparisons = [comparison for comparison in comparisons if comparison.case.topic in options.topic]
    for line in report.lines(comparisons):
        print(line)
    return int(any(comparison.differences for comparison in comparisons))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.scheduler", description="Compare placement with the real kube-scheduler."
    )
    parser.add_argument("--ours", action="store_true", help=f"a short run to check one's work: {SHORT} pods a cluster instead of {LONG}")
    parser.add_argument("--pods", type=int, help="pods a cluster")
    parser.add_argument("--seed", type=int, default=1, help="what the pods are drawn from (default: 1)")
    parser.add_argument("--cluster", action="append", choices=list(MAKERS), help="only this cluster; can be repeated")
    parser.add_argument("--topic", action="append", help="only report on this topic; can be repeated")
    return parser


if __name__ == "__main__":
    sys.exit(main())
