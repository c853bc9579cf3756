"""`make words`: writes what people read anew, in `tests/families/words` and in the expectations of the cases, and what each
rule depends on, in `tests/families/dependence`.

Only words are written: a case of which other rules speak than it expects is left as it is, and its test fails. Read the difference before
you commit it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

import yaml

from tests.doors.cases import CASES, Case
from tests.doors.expectations import shown_findings, told
from tests.programs.words import dependence
from tests.programs.words.prose import file_of, page
from weighbridge.policies.families import families
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.verdict.record import verdict_record


def main() -> int:
    """Write all; exit code 1 where a case expects other rules."""
    for family in families():
        file_of(family).write_text(page(family))
        dependence.file_of(family).write_text(dependence.page(family))
    differing = [case.id for case in CASES if not _rewrite(case)]
    for name in differing:
        print(f"{name}: other rules speak than expect.yaml says; correct it first", file=sys.stderr)
    return int(bool(differing))


def _rewrite(case: Case) -> bool:
    """Write the words of a case; False where its verdict isn't the expected one."""
    record = dict(verdict_record("case", decide(case.request(), case.facts(), case.configuration())))
    if record["allowed"] is not case.expect["allowed"]:
        return False
    said = {"findings": list(map(told, shown_findings(record))), "notes": sorted(map(told, shown_findings(record, notes=True)))}
    if any(_ids(texts) != _ids(case.expect.get(key, [])) for key, texts in said.items()):
        return False
    wanted: dict[str, Any] = {key: texts for key, texts in said.items() if texts}
    wanted |= {key: record[key] for key in ("message", "causes", "warnings") if key in case.expect}
    path = case.folder / "expect.yaml"
    text = path.read_text()
    for key, value in wanted.items():
        if case.expect.get(key) != value:
            text = _replaced(text, key, value)
    if text != path.read_text():
        path.write_text(text)
    return True


def _ids(texts: Iterable[str]) -> list[str]:
    return [text.split()[0] for text in texts]


def _replaced(text: str, key: str, value: Any) -> str:
    """The text of a YAML map with another value of one of its keys, the rest as it was written."""
    block = yaml.safe_dump({key: value}, allow_unicode=True, width=130, sort_keys=False)
    return re.sub(rf"^{key}:.*\n(?:(?:[ -].*)?\n)*?(?=^[^\s-]|\Z)", lambda _: block, text, count=1, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main())
