"""Reads the two examples of each rule from the family's `examples.yaml`. They are cases of the tests; `make schemas` writes the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from functools import cache
from importlib.resources import files

import yaml

from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass

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
    outcome = "Noted" if rule.severity is Severity.NOTE else "Refused or warned of"
    for title, example in ((outcome, examples.bad), ("Write instead", examples.good), ("The same in both", examples.both)):
        texts = [*([("", example.object)] if example.object else []), *example.texts()]
        if texts:
            yield title, texts


def examples_of(family: Family, rule: Rule) -> RuleExamples | None:
    """The examples of a rule; `None` if `make schemas` hasn't written them yet."""
    return _shipped_examples(family.package).get(rule.id)


@cache
def _shipped_examples(package: str) -> dict[str, RuleExamples]:
    file = files(package) / "examples.yaml"
    if not file.is_file():
        return {}
    read = yaml.load(file.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders
    return {id_: RuleExamples(**{side: RuleExample(**parts) for side, parts in sides.items()}) for id_, sides in read.items()}
