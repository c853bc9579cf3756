"""`python -m tests.programs.mutants.screen FAMILY`: all mutants of a family's rules that no example, case or boundary tells apart.

Each mutant of a rule's module is run in this process on the rule's examples and boundaries and on the family's cases, which takes
milliseconds where `make mutants` takes half a minute. A mutant counts as told apart where the rule finds anything else, in any field, or
fails. So this says where a case is missing; the rate is what `make mutants` prints.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Final, TypeAlias

from policies.config import Configuration
from policies.engine import decide
from policies.facts import Facts
from policies.families import families
from policies.families.configuration import parse
from policies.families.family import Family, Rule
from policies.request import Request
from tests.conftest import ROOT
from tests.doors.cases import CASES
from tests.families.examples import example_facts, example_request
from tests.families.test_boundaries import BOUNDARIES
from tests.programs.mutants.mutations import Mutant, mutants
from tests.yaml_documents import read

Input: TypeAlias = tuple[Request, Facts, Configuration]
#: A mutant may never end.
_SECONDS: Final = 5.0


class _LateError(Exception):
    pass


def main() -> int:
    """Print the mutants that are left, and how many there were."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.mutants.screen", description="mutants of rules that no case tells apart"
    )
    parser.add_argument("family", choices=[family.name for family in families()])
    family = next(found for found in families() if found.name == parser.parse_args().family)
    cases, count, alive = inputs_of_cases(family), 0, 0
    for rule in family.rules():
        module = sys.modules[rule.check.__module__]
        given = [*inputs_of_examples(family, rule), *(one for kind in rule.kinds for one in cases.get(kind, ()))]
        text = Path(module.__file__ or "").read_text(encoding="utf-8")
        for mutant in mutants(text):
            count += 1
            if not is_told_apart(mutant, module, rule, given):
                alive += 1
                print(
                    f"{Path(module.__file__ or '').relative_to(ROOT)}:{mutant.line}: {mutant.kind}\n  - {mutant.before}\n  + {mutant.after}"
                )
    print(f"{alive} of {count} mutants of the rules of {family.name} aren't told apart")
    return 0


def inputs_of_examples(family: Family, rule: Rule) -> Iterator[Input]:
    """The rule's examples and boundaries, as they are sent and as they will be stored."""
    facts, config = example_facts(rule), parse(read(rule.config) or {})
    boundaries = [text for name, *texts in BOUNDARIES if name == rule.id for text in texts]
    for text in (rule.good, rule.bad, *boundaries):
        request = example_request(family, rule, text)
        yield request, facts, config
        yield _stored(request, facts, config), facts, config


def inputs_of_cases(family: Family) -> Mapping[str, Sequence[Input]]:
    """The family's cases by kind, as they will be stored."""
    groups = {kind.gvk.group for kind in family.kinds}
    found = defaultdict(list)
    for case in CASES:
        request = case.request()
        if request.gvk.group in groups:
            facts, config = case.facts(), case.configuration()
            found[request.gvk.kind].append((_stored(request, facts, config), facts, config))
    return found


def _stored(request: Request, facts: Facts, config: Configuration) -> Request:
    decided = decide(request, facts, config).object
    return replace(request, object=decided if isinstance(decided, dict) else request.object)


def is_told_apart(mutant: Mutant, module: ModuleType, rule: Rule, given: Sequence[Input]) -> bool:
    """Whether a mutant of a rule's module finds anything else than the rule does, or fails."""
    changed = ModuleType(module.__name__)
    changed.__file__, changed.__package__ = module.__file__, module.__package__
    try:
        with _limited():
            exec(compile(mutant.text, module.__file__ or "", "exec"), changed.__dict__)
            return any(_findings(changed.RULE, one) != _findings(rule, one) for one in given)
    except Exception:
        return True


def _findings(rule: Rule, given: Input) -> list[str]:
    return list(map(repr, rule.check(*given)))


@contextmanager
def _limited() -> Iterator[None]:
    def end(*_: object) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
