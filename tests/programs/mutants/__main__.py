"""`make mutants`: applies a sample of small changes to the code, and prints the share of them that tests notice.

It takes an hour on two cores the first time, then half an hour. Exit code 1: too few are noticed. 2: the sample couldn't be judged.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.programs.mutants.checkout import CODE, Checkout
from tests.programs.mutants.equivalents import known_equivalents
from tests.programs.mutants.quick import Quickly, judged_quickly, servers
from tests.programs.mutants.sample import Drawn, SampleError, check_tests, draw, judge
from tests.programs.mutants.table import place, table

#: The seconds that the tests which reach a mutant may take in a process that has collected them.
_QUICK_SECONDS: Final = 30.0


def main() -> int:
    """Draw, judge, and print what survived."""
    options = _options()
    try:
        sample, jobs = draw(options.seed, options.count, options.below or CODE), max(1, options.jobs)
        print(f"{len(sample)} mutants; first in processes that have collected all tests", flush=True)
        with servers(jobs) as started:
            found = list(zip(sample, judged_quickly(sample, started, _QUICK_SECONDS), strict=True))
        left = [drawn for drawn, outcome in found if outcome is not Quickly.KILLED]
        print(f"{len(sample) - len(left)} of them killed, {len(left)} left for new processes", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            checkouts = [Checkout(Path(folder, str(number))) for number in range(jobs)]
            check_tests(left, checkouts, options.seconds)
            tally = judge(left, checkouts, known_equivalents(), options.seconds, _tell)
        tally.killed += len(sample) - len(left)
    except SampleError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    print(table(tally, options.seed), flush=True)
    return int(not tally.is_enough)


def _tell(drawn: Drawn, outcome: str) -> None:
    print(f"{outcome:10} {place(drawn)}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.split("\n")[0])
    parser.add_argument("below", nargs="*", help="folders or modules to change; all unless given")
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn")
    parser.add_argument("--count", type=int, default=120, help="how many mutants")
    parser.add_argument("--seconds", type=float, default=600, help="how long the tests of one may take in a new process")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are judged at once; one for each core unless given")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
