"""`python -m tests.programs.mutants.screen PATH...`: mutants that no test notices, found in forks of a process that has collected all tests.

A mutant costs as much as the tests that reach its line. What is judged this way is put into functions that are imported already, so a
survivor may still be noticed by a new process: `make mutants` asks that one, too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from tests.programs.mutants.checkout import CODE, Checkout, Outcome
from tests.programs.mutants.equivalents import is_equivalent, known_equivalents
from tests.programs.mutants.fork_server import by_file
from tests.programs.mutants.reached import Reached, in_order
from tests.programs.mutants.responsible import responsible_tests
from tests.programs.mutants.sample import Drawn, draw
from tests.programs.mutants.server import Server


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("below", nargs="*")
    parser.add_argument("--tests", nargs="*", default=["tests"])
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        with ThreadPoolExecutor(options.jobs) as pool:
            servers = list(pool.map(lambda n: Server(Checkout(Path(folder, str(n))), options.tests), range(options.jobs)))
        for server in servers:
            stack.callback(server.close)
        free: SimpleQueue[Server] = SimpleQueue()
        for server in servers:
            free.put(server)
        reached = Reached()
        tests = servers[0].tests
        unknown = by_file([test for test in tests if test not in reached.seconds])

        def measure(file: str) -> None:
            server = free.get()
            try:
                server.reach(unknown[file], reached.new_file())
            finally:
                free.put(server)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(measure, unknown))
        reached = Reached()
        known = known_equivalents()
        sample = [d for d in draw(options.seed, options.count, options.below or CODE) if not is_equivalent(d.module, d.mutant, known)]
        lines: dict[str, object] = {}

        def judge(drawn: Drawn) -> tuple[str, int]:
            server = free.get()
            try:
                by_line = lines[drawn.module]
                asked = set().union(*(by_line.get(line, ()) for line in drawn.mutant.lines))
                if not asked:
                    return "unreached", 0
                outcome = server.judge(drawn.module, drawn.mutant, in_order(asked, reached.seconds, responsible_tests(drawn.module)), options.seconds)
                return {Outcome.BROKEN: "not in place", Outcome.PASSED: "survived"}.get(outcome, "killed"), len(asked)
            finally:
                free.put(server)

        counts: Counter[str] = Counter()
        for module in dict.fromkeys(drawn.module for drawn in sample):
            lines[module] = reached.by_line(module, tests)
        with ThreadPoolExecutor(options.jobs) as pool:
            for drawn, (outcome, asked) in zip(sample, pool.map(judge, sample)):
                counts[outcome] += 1
                if outcome != "killed":
                    print(f"{drawn.module}:{drawn.mutant.line}: {drawn.mutant.kind}: {outcome} ({asked})\n  - {drawn.mutant.before}\n  + {drawn.mutant.after}", flush=True)
        print(dict(counts), f"{counts['killed'] / max(1, counts.total()):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
