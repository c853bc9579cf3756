"""The two examples of each rule, as the family's `examples.yaml` has them: cases of the tests, written there by `make schemas`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files

import yaml

from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule

#: What an example may have besides its object, with what is said of it.
_PARTS = {"old": "It replaces", "cluster": "The cluster has", "config": "The configuration is"}


@dataclass(frozen=True, slots=True)
class RuleExample:
    """YAML texts: the object, the one that it replaces, the objects of the cluster, the configuration; empty where there is none."""

    object: str = ""
    old: str = ""
    cluster: str = ""
    config: str = ""

    def texts(self) -> Iterator[tuple[str, str]]:
        """What there is besides the object, each with what is said of it."""
        return ((title, text) for name, title in _PARTS.items() if (text := getattr(self, name)))

    def with_both(self, both: RuleExample) -> RuleExample:
        """The whole of an example."""
        return RuleExample(*(own or shared for own, shared in zip(astuple(self), astuple(both), strict=True)))


@dataclass(frozen=True, slots=True)
class RuleExamples:
    """An object that passes, and one that doesn't; `both` is what the two have in common, and neither has of its own."""

    good: RuleExample = RuleExample()
    bad: RuleExample = RuleExample()
    both: RuleExample = RuleExample()


def examples_of(family: Family, rule: Rule) -> RuleExamples | None:
    """The examples of a rule; `None` where `make schemas` hasn't written them yet."""
    return _shipped_examples(family.package).get(rule.id)


@cache
def _shipped_examples(package: str) -> dict[str, RuleExamples]:
    file = files(package) / "examples.yaml"
    if not file.is_file():
        return {}
    read = yaml.load(file.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders
    return {id_: RuleExamples(**{side: RuleExample(**parts) for side, parts in sides.items()}) for id_, sides in read.items()}
