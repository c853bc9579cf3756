"""The findings on the objects of a run together: which of them stay Pending although each fits the cluster alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.objects import Operation, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.placement.packing.change import Left, PackedChange, Part, left_out
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.verdict.judgement import enforce, with_findings
from weighbridge.policies.verdict.pods.groups import left_finding
from weighbridge.policies.verdict.upgrade import JudgedBy
from weighbridge.webhook.inputs.companies import applied, companies
from weighbridge.webhook.inputs.requests import request_of
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.report import Located, Result
from weighbridge.webhook.texts.style import Style

if TYPE_CHECKING:
    from weighbridge.webhook.cli.around.changed import Since

_By = TypeVar("_By")


def findings_of_change(
    tree: Tree,
    given: Sequence[Manifest],
    namespaces: Sequence[str],
    contexts: Sequence[int],
    judged_by: Sequence[JudgedBy],
    groups: Mapping[int, Sequence[Groups]],
) -> dict[int, list[Finding]]:
    """The findings on objects that don't fit together with the others of their run, by number.

    `groups` has the pods of each object that fits alone; the newest of `judged_by` counts.
    """
    _, facts, config = judged_by[-1]
    found: dict[int, list[Finding]] = {}
    with judging(facts.definitions.server):
        for company in companies(given, contexts, tree.built, tree.roots):
            # If an object occurs twice, the later one is applied last.
            last = {
                (given[number].label, _namespace(given[number], namespaces[number])): number for number in company if groups.get(number)
            }
            numbers = sorted(last.values())
            if len(numbers) < 2:
                continue
            for number, one in _left(given, namespaces, numbers, groups, facts, config).items():
                if number not in found:
                    manifest, where = given[number], namespaces[number]
                    definitions = facts.definitions
                    request = request_of(manifest.value, definitions, uid="run", namespace=where, operation=Operation.CREATE, old=None)
                    found[number] = enforce([left_finding(one)], config, request, facts.objects)
    return found


def _left(
    given: Sequence[Manifest],
    namespaces: Sequence[str],
    numbers: Sequence[int],
    groups: Mapping[int, Sequence[Groups]],
    facts: Facts,
    config: Configuration,
) -> dict[int, Left]:
    """The objects that have no room together: on the nodes, or by the limits of the pools that they wait for."""
    found: dict[int, Left] = {}
    for awaits, ask in ((False, _on_nodes), (True, _in_pools)):
        own = [number for number in numbers if any(one.awaits for one in groups[number]) is awaits]
        if len(own) > 1:
            parts = [Part(given[number].label, _namespace(given[number], namespaces[number]), groups[number]) for number in own]
            found |= {own[index]: one for index, one in ask(parts, facts, config).items()}
    return found


def _on_nodes(parts: Sequence[Part], facts: Facts, config: Configuration) -> dict[int, Left]:
    return left_out(PackedChange.of(parts, facts), config)[0]


def _in_pools(parts: Sequence[Part], facts: Facts, config: Configuration) -> dict[int, Left]:
    from weighbridge.policies.placement.packing.pools_together import beyond_limits

    return beyond_limits(parts, facts, config)


def with_change(
    tree: Tree,
    given: Sequence[Manifest],
    namespaces: Sequence[str],
    contexts: Sequence[int],
    judged_by: Sequence[JudgedBy],
    known: Callable[[int], Sequence[Groups]],
    since: Since | None,
    shown: Callable[[str], None] | None,
    results: Iterator[Result],
) -> Iterator[Result]:
    """The results of the judged objects, with the findings on all together.

    The first objects of `given` are judged. The others are only known: `known` gives their pods by number. With `since` only objects that
    have changed, and those that would fit without them, get findings. `shown` gets the picture, if there is one.
    """
    held = list(results)
    groups: dict[int, Sequence[Groups]] = {number: result.groups for number, result in enumerate(held) if result.groups}
    if groups:
        groups |= {number: known(number) for number in range(len(held), len(given))}
    if shown is not None:
        shown(_picture(tree, given, namespaces, contexts, judged_by, groups, held))
    ask = partial(findings_of_change, tree, given, namespaces, contexts, judged_by)
    found = ask(groups) if len(groups) > 1 else {}
    if since is not None and found:
        unchanged = {number for number in groups if not since.has_changed(number)}
        if not unchanged.isdisjoint(found):
            before = ask({number: groups[number] for number in unchanged})
            found = {number: own for number, own in found.items() if number not in unchanged or number not in before}
    for number, result in enumerate(held):
        own = found.get(number)
        if own:
            located = [*result.findings, *(Located.of(finding, given[number]) for finding in own)]
            lines = given[number].document.text_lines
            yield result.with_findings(located, result.unchecked, lines, never_runs=result.never_runs)
        else:
            yield result


def _picture(
    tree: Tree,
    given: Sequence[Manifest],
    namespaces: Sequence[str],
    contexts: Sequence[int],
    judged_by: Sequence[JudgedBy],
    groups: Mapping[int, Sequence[Groups]],
    held: Sequence[Result],
) -> str:
    """The picture of what is applied together, as `weighbridge fit` writes it; empty if nothing has pods, or for several clusters."""
    found = applied(given, companies(given, contexts, tree.built, tree.roots), tree.built)
    numbers = found[0] if len(found) == 1 else ()
    fitting = [one for one in numbers if groups.get(one) and not any(each.awaits for each in groups[one])]
    parts = [Part(given[one].label, _namespace(given[one], namespaces[one]), groups[one]) for one in fitting]
    alone = [(one, why) for one in numbers if one < len(held) and (why := _why_outside(held[one]))]
    if not (parts or alone):
        return ""
    from io import StringIO

    from weighbridge.policies.placement.packing.picture import Outside, picture_of
    from weighbridge.webhook.cli.pictures.text import write

    _, facts, config = judged_by[-1]
    stream = StringIO()
    with judging(facts.definitions.server):
        write(picture_of(parts, facts, config, [Outside(given[one].label, why) for one, why in alone]), stream, Style())
    return stream.getvalue()


def _why_outside(result: Result) -> str:
    """Why no pod of an object ever runs; empty if one may."""
    said = (located.finding for located in result.findings if located.finding.severity is not Severity.NOTE)
    is_outside = result.never_runs or any(one.awaits for one in result.groups)
    return next((finding.message for finding in said if finding.rule.startswith("PLACE-")), "") if is_outside else ""


def decided_with_change(
    tree: Tree,
    given: Sequence[Manifest],
    namespaces: Sequence[str],
    contexts: Sequence[int],
    judged_by: Sequence[JudgedBy],
    decided: Iterator[tuple[Request, Decision, _By]],
) -> Iterator[tuple[Request, Decision, _By]]:
    """The decisions with the findings on all together. Each comes with its request and what it was judged by."""
    held = list(decided)
    groups = {number: decision.groups for number, (_, decision, _) in enumerate(held) if decision.groups}
    found = findings_of_change(tree, given, namespaces, contexts, judged_by, groups) if len(groups) > 1 else {}
    for number, (request, decision, by) in enumerate(held):
        yield request, with_findings(decision, found[number]) if number in found else decision, by


def _namespace(manifest: Manifest, namespace: str) -> str:
    return namespace_of(manifest.value) or namespace
