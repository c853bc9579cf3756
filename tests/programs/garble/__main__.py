"""`make garble`: changes each part of all rules' findings in turn, and counts the rules whose tests fail.

Only tests that name the rule count: those whose id has the rule's id in it. Exit code 1: for less than 98 % of the rules with a part a test
fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from tests.families.examples import decided, examples
from tests.programs.garble.plugin import PARTS
from weighbridge.policies.families import families

_LEAST: Final = 0.98
_PLUGIN: Final = ("-p", "tests.programs.garble.plugin", "-W", "ignore::pytest.PytestAssertRewriteWarning")
_COMMAND: Final = ("-m", "pytest", "-q", "--tb=no", "-p", "no:randomly", *_PLUGIN, "tests/families/test_words.py")
_FAILED: Final = re.compile(r"^FAILED .*?\[([A-Z0-9]+-\d+)\]", re.MULTILINE)


def main() -> int:
    """Print a line for each part."""
    is_held = True
    for part in PARTS:
        giving = _giving(part)
        answer = subprocess.run([sys.executable, *_COMMAND, "--garble", part], capture_output=True, text=True, check=False)
        if answer.returncode not in (0, 1):
            print(f"garble: pytest ended with {answer.returncode}: {answer.stdout}{answer.stderr}", file=sys.stderr)
            return 2
        held = giving & set(_FAILED.findall(answer.stdout))
        is_held &= len(held) >= _LEAST * len(giving)
        missed = f"; not {', '.join(sorted(giving - held))}" if giving - held else ""
        print(f"{part:9} {len(held)} of {len(giving)} rules held{missed}", flush=True)
    return int(not is_held)


def _giving(part: str) -> set[str]:
    """The ids of the rules whose findings on the bad example have this part; all of them have a message and a path."""
    return {
        rule.id
        for family in families()
        for rule in family.rules()
        for finding in decided(family, rule, examples(rule).bad).findings
        if finding.rule == rule.id and getattr(finding, part)
    }


if __name__ == "__main__":
    sys.exit(main())
