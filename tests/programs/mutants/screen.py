"""`python -m tests.programs.mutants.screen PATH...`: mutants that no test notices, a second or two each (`quick`).

Code that runs during the import, and values that are kept from before, aren't changed. So `make mutants` may still notice a survivor in a
new process.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter

from tests.programs.mutants.checkout import CODE
from tests.programs.mutants.equivalents import is_equivalent, known_equivalents
from tests.programs.mutants.quick import Quickly, judged_quickly, servers
from tests.programs.mutants.sample import SampleError, draw
from tests.programs.mutants.table import change, place

_ALL = 10**9


def main() -> int:
    """Print each mutant that isn't killed, and how many there are of each outcome."""
    options = _options()
    try:
        drawn = draw(options.seed, options.count, options.below or CODE, options.kind)
    except SampleError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    known = known_equivalents()
    sample = [each for each in drawn if not is_equivalent(each.module, each.mutant, known)]
    counts: Counter[Quickly] = Counter()
    with servers(options.jobs, options.tests) as started:
        for each, outcome in zip(sample, judged_quickly(sample, started, options.seconds), strict=True):
            counts[outcome] += 1
            if outcome is not Quickly.KILLED:
                print(f"{place(each)}: {outcome}\n{change(each)}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.mutants.screen", description=__doc__.split("\n")[0])
    parser.add_argument("below", nargs="*", help="folders or modules to change; all unless given")
    parser.add_argument("--kind", help="changes of this kind alone, such as arithmetic")
    parser.add_argument("--tests", nargs="*", default=["tests"], help="files or folders of tests; all unless given")
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn")
    parser.add_argument("--count", type=int, default=_ALL, help="how many mutants; all unless given")
    parser.add_argument("--seconds", type=float, default=20, help="how long the tests of one may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are judged at once; one for each core unless given")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
