"""Compares rules with their expressions on many drawn objects: `python -m tests.programs.native_rules --each 1000 OME-025`."""

from __future__ import annotations

import argparse
import sys
from random import Random

from tests.export.comparison import comparisons


def main(arguments: list[str]) -> int:
    """Compare the named rules, or all; the exit code says whether any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", help="ids of rules; all where none is named")
    parser.add_argument(
        "--each",
        type=int,
        default=200,
        help="objects for each rule with one change to its cases; half as many have several changes, and a quarter is like any case",
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    differing = 0
    for comparison in comparisons(given.rules):
        random = Random(f"{given.seed} {comparison.definition.gvk}")
        for pairs in (comparison.of_cases(random), comparison.drawn(random, given.each)):
            found = comparison.compare(pairs)
            spoken = ", ".join(f"{rule.id} {found.spoken[rule.id]}" for rule in comparison.rules)
            print(f"{comparison.definition.gvk}: {found.objects} objects; spoken of: {spoken}", flush=True)
            for rule, texts in found.differences.items():
                differing += 1
                print(f"{rule} differs:\n{texts[0]}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
