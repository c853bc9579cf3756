"""How `lint` judges each object of a run among the others, and where findings on rendered ones are reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from weighbridge.policies.ground.findings import Outlook
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.manifest_reader import duplicates_of, text_issues
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import Manifest, PassedOver, Span
from weighbridge.webhook.report import Result, Status

if TYPE_CHECKING:
    from weighbridge.policies.config import Configuration
    from weighbridge.policies.ground.findings import Decision
    from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
    from weighbridge.policies.pods.groups import Groups
    from weighbridge.policies.verdict.upgrade import JudgedBy

#: The beginning of the product's own apiVersions.
_OWN: Final = "weighbridge.dev/"
#: The engine's text for an object that Weighbridge doesn't judge.
_BUILT_IN: Final = "built-in kind"


@dataclass(frozen=True, slots=True)
class Run:
    """The objects of a run, with what each is judged by; `first` says whether each is the first one of its document."""

    given: Sequence[Manifest]
    first: Sequence[bool]
    namespaces: Sequence[str]
    repeated: Mapping[int, Sequence[Manifest]]
    tree: Tree


def in_place(tree: Tree, results: Iterator[Result]) -> Iterator[Result]:
    """The results, followed by those of rendered objects at the places from which their values come."""
    rendered: list[tuple[Manifest, Result]] = []
    for entry in tree.reading.entries:
        result = next(results)
        if isinstance(entry, Manifest) and entry.document.source in tree.built:
            rendered.append((entry, result))
            continue
        if isinstance(entry, Manifest) and result.skipped and result.skipped != _BUILT_IN:
            reason = f"{result.object}: {result.skipped}"
            tree.reading.not_read.append(PassedOver(result.source, reason, entry.position().line))
        yield result
    if rendered:
        from weighbridge.webhook.rendering.relocation import relocated

        yield from relocated(rendered, tree.built)
    yield from results


def place_of(tree: Tree, manifest: Manifest, path: Path) -> tuple[str, Span, Sequence[str]] | None:
    """The file, the part and the lines of the file from which a field of a rendered object comes; `None` for any other object."""
    built = tree.built.get(manifest.document.source)
    if built is None:
        return None
    place = built.place(manifest, path)
    return place.source, place.span, place.lines


def judge_among(run: Run, judged_by: Sequence[Sequence[JudgedBy]], number: int) -> Result:
    """The result of an object; `judged_by` has what each is judged by, by release."""
    return judge_with(run, judged_by[number], number)


def groups_among(run: Run, judged_by: Sequence[Sequence[JudgedBy]], number: int) -> Sequence[Groups]:
    """The pods of an object that isn't judged, if it fits alone."""
    return _decided(run, judged_by[number], number, run.given[number].value).groups


def judge_with(run: Run, judged_by: Sequence[JudgedBy], number: int) -> Result:
    """The result of an object by some facts and configurations, by release."""
    manifest = run.given[number]
    # A mistake of the text itself, such as a key that occurs twice, belongs to the document: it is reported with its first object.
    issues = text_issues(manifest) if run.first[number] else []
    if _is_own(manifest.value) or (run.first[number] and _is_own(manifest.document.value)):
        from weighbridge.webhook.configuration.own_kinds import own_issues
        from weighbridge.webhook.inputs.facts import bundled_definitions

        issues = [*issues, *own_issues(manifest, bundled_definitions)]
    if _is_own(manifest.value):
        return Result.judged(manifest, issues=issues)
    unknown = run.tree.unknown_of(manifest)
    decision = _decided(run, judged_by, number, manifest.value)
    if unknown:
        from weighbridge.webhook.rendering.variables import as_far_as_known

        decision = as_far_as_known(decision, unknown, manifest.value, partial(_decided, run, judged_by, number))
    result = Result.judged(
        manifest,
        decision.findings,
        issues=issues,
        unchecked=list(decision.unchecked),
        never_runs=decision.never_runs,
        pods_refused=decision.placement is not None and decision.placement.outlook is Outlook.REFUSED,
        skipped=decision.skipped,
        crd=decision.crd,
        bundled=decision.bundled,
        groups=decision.groups,
        older_form=not decision.allowed and _is_of_older_form(manifest, judged_by[-1][2]),
    )
    return _of_delivery(result, manifest, run.tree) if result.unknown else result


def _is_own(value: JSONValue) -> bool:
    """Whether a document is one of Weighbridge's own kinds."""
    return isinstance(value, dict) and str(value.get("apiVersion", "")).startswith(_OWN)


def _decided(run: Run, judged_by: Sequence[JudgedBy], number: int, value: JSONObject) -> Decision:
    """The verdict on an object for all releases, with findings that depend on the others of the run."""
    manifest, namespace = run.given[number], run.namespaces[number]
    duplicates = duplicates_of(manifest)
    _, newest, config = judged_by[-1]
    old = stored_before(value, newest, namespace)
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = request_of(value, newest.definitions, uid="lint", namespace=namespace, operation=operation, old=old)
    if len(judged_by) == 1:
        decision = decide(request, newest, config, duplicates=duplicates, explains=False, answers=False)
    else:
        from weighbridge.policies.verdict.upgrade import asked_of, compared

        decision = compared(
            [(release, decide(asked_of(request, facts), facts, own, duplicates=duplicates)) for release, facts, own in judged_by]
        )
    others = run.repeated.get(number)
    if not others:
        return decision
    from weighbridge.policies.verdict.judgement import enforce
    from weighbridge.policies.verdict.repeated_objects import twice

    finding = twice(manifest.label, [f"{other.document.source}:{other.position().line}" for other in others])
    return replace(decision, findings=[*decision.findings, *enforce([finding], config, request, newest.objects)])


def _of_delivery(result: Result, manifest: Manifest, tree: Tree) -> Result:
    """The result of an object of an unknown kind; for one that applies others it says which ones."""
    from weighbridge.webhook.rendering.delivery import what_it_renders

    text = tree.delivery_of(manifest) or what_it_renders(manifest.value)
    return replace(result, status=Status.SKIPPED, skipped=text, unchecked=(), unknown=False) if text else result


def _is_of_older_form(manifest: Manifest, config: Configuration) -> bool:
    from weighbridge.policies.families.migration import is_of_older_form

    return is_of_older_form(manifest.value, config)
