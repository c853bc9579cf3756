"""The verdicts of `dry-run`: on manifests, each among the others, and on recorded admission reviews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import (
    FieldValidation,
    GroupVersionKind,
    JSONObject,
    JSONValue,
    Operation,
    Path,
    name_of,
    namespace_of,
)
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.judgement import enforce
from weighbridge.webhook.cli.around.judged_by import Known, policies_of
from weighbridge.webhook.dry_run_report import Verdict
from weighbridge.webhook.dry_run_report.parts.record import unreadable_record, verdict_record
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.contexts import contexts_of, repeated
from weighbridge.webhook.inputs.facts import load_configuration, with_crds_of_all
from weighbridge.webhook.inputs.manifest_reader import duplicates_of, text_issues
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.manifests.yaml_words import with_word, yaml_word
from weighbridge.webhook.texts.counts import older_form
from weighbridge.webhook.texts.errors import InputError

if TYPE_CHECKING:
    from weighbridge.policies.verdict.upgrade import JudgedBy, SystemRelease
    from weighbridge.webhook.settings.values import Settings


@dataclass(frozen=True, slots=True)
class VerdictInputs:
    """The inputs of the verdicts; `earlier` are those of earlier releases to compare with, the oldest first."""

    facts: Facts
    config: Configuration
    release: SystemRelease
    earlier: list[JudgedBy]
    phase: Phase
    operation: Operation | None
    namespace: str
    field_validation: FieldValidation


_Decided: TypeAlias = tuple[Request, Decision, VerdictInputs]


@dataclass(frozen=True, slots=True)
class DryRun:
    """The manifests of a run, its objects with what each is judged by, and those that occur more than once."""

    tree: Tree
    given: Sequence[Manifest]
    namespaces: Sequence[str]
    judged_by: Sequence[Sequence[JudgedBy]]
    contexts: Sequence[int]
    repeated: Mapping[int, Sequence[Manifest]]

    def decided(self, number: int, request: Request, options: VerdictInputs) -> Decision:
        """The verdict on an object, with findings that depend on the others."""
        manifest = self.given[number]

        def judged(value: JSONObject) -> Decision:
            asked = replace(request, object=value) if value is not manifest.value else request
            return _decided(asked, options, duplicates_of(manifest))

        decision = judged(manifest.value)
        unknown = self.tree.unknown_of(manifest)
        if unknown:
            from weighbridge.webhook.rendering.variables import as_far_as_known

            decision = as_far_as_known(decision, unknown, manifest.value, judged)
        others = self.repeated.get(number)
        if not others or options.phase is not Phase.WHOLE:
            return decision
        from weighbridge.policies.verdict.repeated_objects import twice

        more = enforce([twice(manifest.label, list(map(_place, others)))], options.config, request, options.facts.objects)
        return replace(decision, findings=[*decision.findings, *more])


def prepared(
    tree: Tree,
    paths: Sequence[str],
    run: Settings,
    release: Sequence[str],
    policies: Sequence[str],
    phase: Phase,
    operation: str | None,
    validation: FieldValidation,
) -> tuple[DryRun, VerdictInputs]:
    """Prepare the run: what is judged, and by what. Raises InputError."""
    configuration = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    given = list(tree.reading.manifests)
    namespaces = [run.text_for("namespace", manifest.document.source, "default") for manifest in given]
    contexts = contexts_of(given, tree.built, namespaces)
    placed = contexts.placed(given, namespaces)
    cluster = run.texts("cluster")
    crds, version = run.texts("crds"), run.words("kubernetes-version")
    known = Known(*read_cluster(cluster), cluster, crds, configuration, version, release, policies_of(policies, version))
    first = known.judged_by(with_crds_of_all(placed))
    in_contexts = [first, *(known.among(first, others) for others in placed[1:])]
    *earlier, (newest, facts, standing) = first
    options = VerdictInputs(
        facts=facts,
        config=standing,
        release=newest,
        earlier=earlier,
        phase=phase,
        operation=Operation(operation) if operation else None,
        namespace=run.text("namespace", "default"),
        field_validation=validation,
    )
    twice = repeated(given, tree.built, tree.roots, paths, namespaces)
    return DryRun(tree, given, namespaces, [in_contexts[number] for number in contexts.numbers], contexts.numbers, twice), options


def of_reviews(source: str, options: VerdictInputs) -> Iterator[Verdict]:
    """The verdicts on recorded requests, in their order."""
    from weighbridge.webhook.cli.reviews import read_reviews

    for line in read_reviews(source):
        if line.request is None:
            yield Verdict(unreadable_record(line.identity, line.error), place=line.place)
        else:
            decision = _decided(line.request, options)
            yield _verdict(line.request, decision, options, line.request.object, line.place)


def _decided(request: Request, options: VerdictInputs, duplicates: Sequence[Path] = ()) -> Decision:
    """The verdict on a request; for several releases the newest one's, with the differences."""
    decision = decide(request, options.facts, options.config, options.phase, duplicates=duplicates)
    if not options.earlier:
        return decision
    from weighbridge.policies.verdict.upgrade import asked_of, compared

    before = [
        (release, decide(asked_of(request, facts), facts, config, options.phase, duplicates=duplicates))
        for release, facts, config in options.earlier
    ]
    return compared([*before, (options.release, decision)])


def of_manifests(run: DryRun, old: Sequence[Manifest], options: VerdictInputs) -> Iterator[Verdict]:
    """The verdicts on the manifests of a run, in their order; `old` are the stored objects that they update."""
    stored = {_key(entry.value, options.namespace): entry.value for entry in old}
    told: set[tuple[str, int]] = set()
    decided = _decisions(run, stored, options)
    if options.facts.inventory is not None and options.phase is Phase.WHOLE and len(run.given) > 1:
        from weighbridge.webhook.cli.around.together import decided_with_change

        decided = decided_with_change(run.tree, run.given, run.namespaces, run.contexts, run.judged_by[0], decided)
    for number, entry in enumerate(run.tree.reading.entries, start=1):
        if isinstance(entry, InputIssue):
            place = f"{entry.source}:{entry.line}" if entry.line else entry.source
            yield Verdict(unreadable_record(f"manifest-{number}", str(entry)), place=place)
        else:
            request, decision, own = next(decided)
            verdict = _verdict(request, decision, own, entry.value, _place_of(entry, run.tree), entry)
            document = entry.document.source, entry.document.index
            if document not in told:
                told.add(document)
                verdict.record["warnings"] += map(str, text_issues(entry))
            yield verdict


def _decisions(run: DryRun, stored: dict[tuple[str, str, str, str], JSONValue], options: VerdictInputs) -> Iterator[_Decided]:
    """The verdict on each object, with the request and what it was judged by."""
    entries = (one for one in enumerate(run.tree.reading.entries, start=1) if isinstance(one[1], Manifest))
    for index, (number, entry) in enumerate(entries):
        *earlier, (_, facts, _) = run.judged_by[index]
        own = replace(options, facts=facts, earlier=earlier, namespace=run.namespaces[index])
        request = _request(cast("Manifest", entry), f"manifest-{number}", stored, own)
        yield request, run.decided(index, request, own), own


def _place_of(manifest: Manifest, tree: Tree) -> str:
    """The file and line of an object; for a rendered object those of its source."""
    built = tree.built.get(manifest.document.source)
    if built is None:
        return _place(manifest)
    place = built.place(manifest, ())
    return f"{place.source}:{place.span.start.line}, in {built.title}"


def _place(manifest: Manifest) -> str:
    return f"{manifest.document.source}:{manifest.position().line}"


def _key(value: JSONValue, namespace: str) -> tuple[str, str, str, str]:
    gvk = GroupVersionKind.from_object(value)
    return (gvk.group if gvk else "", gvk.kind if gvk else "", namespace_of(value) or namespace, name_of(value))


def _request(manifest: Manifest, uid: str, stored: dict[tuple[str, str, str, str], JSONValue], options: VerdictInputs) -> Request:
    """The request of applying this manifest."""
    old = stored.get(_key(manifest.value, options.namespace))
    if old is None and options.operation is not Operation.CREATE:
        old = stored_before(manifest.value, options.facts, options.namespace)
    operation = options.operation or (Operation.CREATE if old is None else Operation.UPDATE)
    if operation is Operation.UPDATE and old is None:
        raise InputError(f"{_place(manifest)}: an UPDATE of {manifest.label} needs its stored object: give it with --old or --cluster")
    return request_of(
        manifest.value,
        options.facts.definitions,
        uid=uid,
        namespace=options.namespace,
        operation=operation,
        old=old,
        field_validation=options.field_validation,
    )


def _verdict(
    request: Request, decision: Decision, options: VerdictInputs, given: JSONValue, place: str, manifest: Manifest | None = None
) -> Verdict:
    if manifest is not None:
        decision = replace(decision, findings=tuple(with_word(finding, yaml_word(finding, manifest)) for finding in decision.findings))
    record = verdict_record(request.uid, decision)
    if manifest is not None:
        record["source"], record["document"] = manifest.document.source, manifest.document.index
    return Verdict(record, request, decision, given, place, _advice(decision, options, manifest))


def _advice(decision: Decision, options: VerdictInputs, manifest: Manifest | None) -> str:
    """The advice for a refused object of an older form."""
    if manifest is None or decision.allowed:
        return ""
    from weighbridge.policies.families.migration import is_of_older_form

    return older_form(manifest.document.source, "it") if is_of_older_form(manifest.value, options.config) else ""
