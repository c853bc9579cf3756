"""What each rule depends on: the fields that make it speak or keep silent, where each of them alone is changed.

The fields are those of its examples, and those of the objects of the cluster that the examples are judged on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, Final

from policies.config import Configuration
from policies.facts import Facts, from_objects
from policies.families.configuration import parse
from policies.families.family import Family, Rule
from policies.findings import Finding
from policies.objects import JSONObject, Path, field, lookup, walk
from policies.request import Request
from tests.families.examples import CLUSTER, example_request
from tests.yaml_documents import read, read_all
from webhook.inputs.facts import bundled_definitions

FOLDER: Final = FilePath(__file__).resolve().parents[2] / "families" / "dependence"
#: How a field is changed, in the order in which it is written.
_CHANGES: Final = ("without", "with another value", "with an empty value", "with one more", "with one less")


def file_of(family: Family) -> FilePath:
    """The file with what the rules of a family depend on."""
    return FOLDER / f"{family.name}.md"


def page(family: Family) -> str:
    """What all rules of a family depend on."""
    rules = "\n".join(section(family, rule) for rule in family.rules())
    return f"# What the rules of {family.title} depend on\n\nWritten by `make words`. Each field alone was changed.\n\n{rules}"


def section(family: Family, rule: Rule) -> str:
    """What a rule depends on: when it no longer speaks of its bad example, and when it speaks of its good one."""
    lines = [*_lines(family, rule, rule.bad, "silent"), *_lines(family, rule, rule.good, "speaks")]
    return f"## {rule.id} {rule.name}\n\n" + "".join(f"- {line}\n" for line in lines)


def _lines(family: Family, rule: Rule, text: str, outcome: str) -> Iterator[str]:
    config = parse(read(rule.config) or {})
    request, beside = example_request(family, rule, text), list(filter(None, read_all(rule.beside)))
    facts = _facts(beside, config)
    before = _speaks(rule, request, facts, config)
    turning: dict[str, list[str]] = {change: [] for change in _CHANGES}

    def note(place: str, value: Any, judge: Callable[[Any], bool]) -> None:
        for change in _CHANGES:
            paths = [path for path, changed in _changed(value, change) if judge(changed) != before]
            if innermost := [f"`{field(path)}`" for path in paths if not any(_leads_into(other, path) for other in paths)]:
                turning[change].append(place + ", ".join(innermost))

    note("", request.object, lambda changed: _speaks(rule, replace(request, object=changed), facts, config))
    if request.old_object is not None:
        note("the old object: ", request.old_object, lambda changed: _speaks(rule, replace(request, old_object=changed), facts, config))
    for number, obj in enumerate(beside):

        def judge(changed: Any, number: int = number) -> bool:
            return _speaks(rule, request, _facts([*beside[:number], changed, *beside[number + 1 :]], config), config)

        note(f"{obj['kind']} {obj['metadata']['name']}: ", obj, judge)
    yield from (f"{outcome} {change}: {'; '.join(places)}" for change, places in turning.items() if places)


def _facts(beside: Sequence[JSONObject], config: Configuration) -> Facts:
    return from_objects([*CLUSTER, *beside], bundled_definitions(config))


def _speaks(rule: Rule, request: Request, facts: Facts, config: Configuration) -> bool:
    # What a request's rules share is kept with it: a copy has nothing of other facts.
    return any(isinstance(said, Finding) for said in rule.check(replace(request), facts, config))


def _changed(value: Any, change: str) -> Iterator[tuple[Path, Any]]:
    """The value once for each of its fields that can be changed so."""
    for path, old in walk(value):
        if path and path[0] not in ("apiVersion", "kind") and path != ("metadata", "name") and (new := _new(old, change)) != [old]:
            changed = copy.deepcopy(value)
            inside = lookup(changed, path[:-1])
            if new:
                inside[path[-1]] = new[0]
            else:
                del inside[path[-1]]
            yield path, changed


def _new(value: Any, change: str) -> list[Any]:
    """The changed value as a list of one: an empty list where it is removed, and the same value where it can't be changed so."""
    is_number, is_text = isinstance(value, int) and not isinstance(value, bool), isinstance(value, str)
    match change:
        case "without":
            return []
        case "with another value" if is_text:
            return ["other"]
        case "with another value" if isinstance(value, bool):
            return [not value]
        case "with an empty value" if is_text:
            return [""]
        case "with one more" if is_number:
            return [value + 1]
        case "with one less" if is_number:
            return [value - 1]
    return [value]


def _leads_into(inner: Path, outer: Path) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer
