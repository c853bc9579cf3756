"""Reads the two examples of each rule, which are cases of the tests: from the checkout's `tests/cases`, or from the file of the family into
which the wheel packs them (`.ci/pack_examples.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import weighbridge
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass

#: What separates the first document of a file from the others.
_NEXT_DOCUMENT: Final = expression(r"(?m)^---[ \t]*\n")
#: What the first word of a case's name says of its object. A rule's severity is only the usual one, and a finding may have another.
_OUTCOMES: Final = {"refuses": "Refused", "warns": "Warned of", "notes": "Noted"}
_USUAL: Final = {Severity.ERROR: "Refused", Severity.WARNING: "Warned of", Severity.NOTE: "Noted"}
#: The other parts that an example may have, each with its title.
_PARTS = {"old": "It replaces", "cluster": "The cluster has", "config": "The configuration is"}


@dataclass(frozen=True, slots=True)
class RuleExample:
    """The YAML texts of an example: the object, the one that it replaces, the objects of the cluster, the configuration.

    Each of them may be empty.
    """

    object: str = ""
    old: str = ""
    cluster: str = ""
    config: str = ""

    def texts(self) -> Iterator[tuple[str, str]]:
        """The other parts of the example, each with its title."""
        return ((title, text) for name, title in _PARTS.items() if (text := getattr(self, name)))

    def with_both(self, both: RuleExample) -> RuleExample:
        """The whole example: its own parts, and those of `both`."""
        return RuleExample(*(own or shared for own, shared in zip(astuple(self), astuple(both), strict=True)))


@dataclass(frozen=True, slots=True)
class RuleExamples:
    """An object that passes, and one that doesn't. `both` has the parts that the two share; they don't repeat them."""

    good: RuleExample = RuleExample()
    bad: RuleExample = RuleExample()
    both: RuleExample = RuleExample()


def sections(rule: Rule, examples: RuleExamples) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The examples as they are shown: a title and its texts, each with its own title, which is empty for the object."""
    outcome = _OUTCOMES.get(rule.bad.partition("-")[0], _USUAL[rule.severity])
    for title, example in ((outcome, examples.bad), ("Write instead", examples.good), ("The same in both", examples.both)):
        texts = [*([("", example.object)] if example.object else []), *example.texts()]
        if texts:
            yield title, texts


def examples_of(family: Family, rule: Rule) -> RuleExamples | None:
    """The examples of a rule; `None` if one of its cases is missing."""
    good, bad = (_parts(family.name, case) for case in (rule.good, rule.bad))
    if not good or not bad:
        return None
    both = {part: text for part, text in good.items() if bad.get(part) == text}
    own = ({part: text for part, text in side.items() if part not in both} for side in (good, bad))
    return RuleExamples(*(RuleExample(**parts) for parts in (*own, both)))


def parts_of(texts: Mapping[str, str]) -> dict[str, str]:
    """The parts of a case from its files by their names: documents of `object` after the first are the objects of the cluster."""
    own, *others = _NEXT_DOCUMENT.split(texts.get("object", ""), maxsplit=1)
    return {**texts, "object": own, "cluster": others[0]} if others else dict(texts)


def _parts(family: str, case: str) -> dict[str, str]:
    """The parts of a case, each ending with one line break; none if there is no such case."""
    packed = _shipped_examples(family)
    texts = packed.get(case, {}) if packed is not None else _written(family, case)
    return {part: f"{text.strip()}\n" for part, text in parts_of(texts).items() if text.strip()}


def _written(family: str, case: str) -> dict[str, str]:
    """The files of a case in the checkout, in which the package is `.ci/package/weighbridge`."""
    folder = Path(weighbridge.__file__).resolve().parents[3] / "tests" / "cases" / family / case
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml")) if path.stem != "expect"}


@cache
def _shipped_examples(family: str) -> dict[str, dict[str, str]] | None:
    """The files of a family's cases as the wheel has them; `None` in a checkout."""
    file = files(weighbridge) / "examples" / f"{family}.json"
    if not file.is_file():
        return None
    packed: dict[str, dict[str, str]] = json.loads(file.read_bytes())
    return packed
