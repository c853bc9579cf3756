"""Writes the pages of ``docs/rules``: an index, and for each family a page with the reason, source and examples of each rule."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.verdict.general_rules import GENERAL_RULES, GeneralRule
from weighbridge.webhook.inputs.rule_examples import examples_of, sections
from weighbridge.webhook.texts.rule_addresses import GENERAL, anchor, file_name

_WRITTEN = "Written by `make schemas` from the rules themselves."
#: A text with fewer lines is shown for each rule.
_SHORT = 10


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    general = {GENERAL: _text(_general_page())}
    return {"README.md": _text(_index()), **general, **{file_of(family): _text(_page(family)) for family in families()}}


def file_of(family: Family) -> str:
    """The name of a family's page."""
    return file_name(family.name)


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _index() -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield f"{_WRITTEN} An error refuses, a warning is shown, a note is counted and"
    yield "shown with `-v`: it does no harm, and often can't be mended at once. The configuration's `rules` and `enforcement` change that."
    yield "`weighbridge rules ID` shows one in the terminal."
    yield f"\n## [Of every kind]({GENERAL})\n"
    yield "| rule | | what it reports |"
    yield "|---|---|---|"
    for general in GENERAL_RULES:
        yield f"| [{general.id}]({GENERAL}#{anchor_of(general)}) | {general.severity} | {summary_of(general)} |"
    for family in families():
        yield f"\n## [{family.title}]({file_of(family)})"
        for topic, rules in by_topic(family):
            yield f"\n### {topic}\n" if topic else ""
            yield from _table(family, rules)


def _table(family: Family, rules: Iterable[Rule]) -> Iterator[str]:
    yield "| rule | | of | what it reports |"
    yield "|---|---|---|---|"
    for rule in rules:
        link = f"[{rule.id}]({file_of(family)}#{anchor_of(rule)})"
        yield f"| {link} | {rule.severity} | {', '.join(rule.kinds)} | {summary_of(rule)} |"


def by_topic(family: Family) -> list[tuple[str, list[Rule]]]:
    """The rules by their topics, in the order of the rulebook's `TOPICS`, then all others. Without topics there is one group without a
    heading.
    """
    topics: tuple[str, ...] = getattr(importlib.import_module(f"{family.package}.rulebook"), "TOPICS", ())
    found = [(topic, [rule for rule in family.rules() if rule.topic == topic]) for topic in topics]
    rest = [rule for rule in family.rules() if rule.topic not in topics]
    return [*found, *([("Others" if topics else "", rest)] if rest else [])]


def _general_page() -> Iterator[str]:
    yield "# Findings of every kind"
    yield ""
    yield f"{_WRITTEN} [All rules](README.md)."
    for rule in GENERAL_RULES:
        _, _, rest = rule.page.partition("\n\n")
        yield f"\n## {rule.id} {rule.name}\n\n**{summary_of(rule)}** ({rule.severity})\n\n{rest}"


def _page(family: Family) -> Iterator[str]:
    yield f"# Rules of {family.title}"
    yield ""
    yield f"{_WRITTEN} [All rules](README.md)."
    yield from _contents(family)
    shown: dict[str, Rule] = {}
    for rule in family.rules():
        yield from _section(family, rule, shown)


def _contents(family: Family) -> Iterator[str]:
    """The page's rules by topic; empty if the family has no topics."""
    topics = [(topic, rules) for topic, rules in by_topic(family) if topic]
    yield from [""] if topics else []
    for topic, rules in topics:
        links = ", ".join(f"[{rule.id[-3:]}](#{anchor_of(rule)})" for rule in rules)
        yield f"- {topic}: {links}"


def _section(family: Family, rule: Rule, shown: dict[str, Rule]) -> Iterator[str]:
    *why, source = rule.page.strip().split("\n\n")[1:]
    yield f"\n## {rule.id} {rule.name}\n"
    yield f"**{summary_of(rule)}** ({rule.severity}; {', '.join(rule.kinds)}; since {rule.since})"
    yield "\n#### Why\n"
    yield "\n\n".join(why)
    if rule.mirrors:
        yield f"\nUpstream makes this check too, later: {rule.mirrors}."
    if rule.reads:
        yield f"\nReads of the cluster: {', '.join(rule.reads)}."
    yield from _examples(family, rule, shown)
    yield f"\n#### Source\n\n{source.removeprefix('Source: ')}"


def _examples(family: Family, rule: Rule, shown: dict[str, Rule]) -> Iterator[str]:
    found = examples_of(family, rule)
    for title, texts in sections(rule, found) if found is not None else ():
        yield f"\n#### {title}\n"
        yield "\n\n".join(_example(said, text, rule, shown) for said, text in texts)


def _example(said: str, text: str, rule: Rule, shown: dict[str, Rule]) -> str:
    """A part of an example; a longer one, such as a cluster, is `shown` once on the page."""
    first = shown.setdefault(text, rule) if said and text.count("\n") >= _SHORT else rule
    if first is not rule:
        return f"{said} the same as for [{first.id}](#{anchor_of(first)})."
    return (f"{said}\n\n" if said else "") + f"```yaml\n{text.rstrip()}\n```"


def summary_of(rule: Rule | GeneralRule) -> str:
    """The first paragraph of a rule's page."""
    return " ".join(rule.page.strip().partition("\n\n")[0].split())


def anchor_of(rule: Rule | GeneralRule) -> str:
    """The anchor of a rule on its page."""
    return anchor(rule.id, rule.name)
