"""The findings that belong to no family: the API server's refusals, placement, effects on other objects, and failures of the engine.

Each has an id, a name and a page, as the rules of families have; `general_rules.md` has them all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class GeneralRule:
    """A kind of finding: its id, its name, its usual severity, its page, and the module that makes it.

    The page begins with a sentence that says what is wrong. `place` is empty for a policy of a configuration.
    """

    id: str
    name: str
    severity: Severity
    page: str
    place: str = ""


def _read() -> Iterator[GeneralRule]:
    # Importing the standard library's module that reads files of packages takes longer than all of this.
    with open(f"{os.path.dirname(__file__)}/general_rules.md", encoding="utf-8") as file:
        for part in file.read().removeprefix("# ").split("\n\n# "):
            head, _, page = part.partition("\n\n")
            id_, name, severity, _, place = head.replace(":", "").split()
            yield GeneralRule(id_, name, Severity(severity), page.rstrip(), place)


#: All of them, in the order of the page.
GENERAL_RULES: Final = tuple(_read())
