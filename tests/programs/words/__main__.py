"""`make words`: writes the texts that people read again, for the tests that compare them; `ARGS="llmkube aim"` for some families.

These are `tests/families/words`, the expectations of the cases, and for LLMKube `tests/llmkube/rule_boundaries`. A change of a verdict
isn't written but reported, with the case and the rules. Read the difference before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from tests.doors.cases import CASES, Case
from tests.programs import rule_kinds
from tests.programs.words import boundaries, cases, pages
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family


def main(arguments: Sequence[str]) -> int:
    """Write the words of all families, or of the named ones. Returns 1 if a verdict differs, 2 if there is no family of a name."""
    known = {family.name: family for family in families()}
    if unknown := sorted(set(arguments) - set(known)):
        print(f"{', '.join(unknown)}: no such family; the families are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in arguments] or list(known.values())
    for family in chosen:
        # Rules are found by the kinds that this writes.
        rule_kinds.write(family)
    judged = [case for case in CASES if not arguments or case.folder.parent.name in arguments]
    differing = list(write(chosen, judged))
    for line in differing:
        print(line, file=sys.stderr)
    if differing:
        print(
            "Correct the rule, the objects or these files, and run `make words` again; what is listed here wasn't written.", file=sys.stderr
        )
    return int(bool(differing))


def write(chosen: Iterable[Family], judged: Iterable[Case]) -> Iterator[str]:
    """Write the words of families and cases; yield the verdicts that differ from the expected ones."""
    for case in judged:
        path = f"tests/cases/{case.id}/expect.yaml"
        differing = cases.rewrite(case)
        yield from (f"{path}: {line}" for line in differing)
        if not case.expect and not differing:
            print(f"{path}: new; read what it expects")
    for family in chosen:
        pages.file_of(family).write_text(pages.page(family), encoding="utf-8")
        if family.name == boundaries.FAMILY:
            yield from (f"tests/llmkube/rule_boundaries/{line}" for line in boundaries.write())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
