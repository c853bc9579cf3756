"""`weighbridge dry-run`: what would become of manifests or of recorded admission reviews."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

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
from weighbridge.policies.verdict.judgement import NO_ROOM, enforce
from weighbridge.webhook.cli.around.judged_by import Known, policies_of
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.contexts import contexts_of, repeated
from weighbridge.webhook.inputs.facts import load_configuration, with_crds_of_all
from weighbridge.webhook.inputs.manifest_reader import Reading, duplicates_of, objects_of, read, text_issues
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.inputs.trees import Tree, selection_of, tree_of
from weighbridge.webhook.manifests import InputIssue, Manifest, Standing
from weighbridge.webhook.manifests.yaml_words import with_word, yaml_word
from weighbridge.webhook.report import ColorChoice, Style
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.settings.values import Failing
from weighbridge.webhook.texts.counts import older_form
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.verdict import FORMATS, Verdict, VerdictFormat
from weighbridge.webhook.verdict.record import short, unreadable_record, verdict_record
from weighbridge.webhook.verdict.verdicts import Outcome

if TYPE_CHECKING:
    import click

    from weighbridge.policies.verdict.upgrade import JudgedBy, SystemRelease
    from weighbridge.webhook.settings.values import Settings
    from weighbridge.webhook.verdict.shapes import VerdictRecord


@dataclass(frozen=True, slots=True)
class _Options:
    """The inputs of the verdicts; `earlier` are those of earlier releases to compare with, the oldest first."""

    facts: Facts
    config: Configuration
    release: SystemRelease
    earlier: list[JudgedBy]
    phase: Phase
    operation: Operation | None
    namespace: str
    field_validation: FieldValidation


_Decided: TypeAlias = tuple[Request, Decision, _Options]


@dataclass(frozen=True, slots=True)
class _Run:
    """The manifests of a run, its objects with what each is judged by, and those that are there more than once."""

    tree: Tree
    given: Sequence[Manifest]
    namespaces: Sequence[str]
    judged_by: Sequence[Sequence[JudgedBy]]
    contexts: Sequence[int]
    repeated: Mapping[int, Sequence[Manifest]]

    def decided(self, number: int, request: Request, options: _Options) -> Decision:
        """The verdict on an object, with what is wrong with it among the others."""
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


def dry_run(
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    is_forced: bool,
    reviews: str | None,
    operation: str | None,
    old_paths: tuple[str, ...],
    crds: tuple[str, ...],
    cluster: tuple[str, ...],
    policies: tuple[str, ...],
    config: str | None,
    kubernetes: str | None,
    release: tuple[str, ...],
    namespace: str | None,
    field_validation: str,
    stage: str,
    output: str | None,
    is_short: bool,
    fail_on: str | None,
    settings: str | None,
    isolated: bool,
    verbose: bool,
    colour: str,
) -> int:
    """Show what would be stored, what would be filled in and from where, and the verdict.

    PATH is a file, a folder, or - for standard input. Exit code 0: all well, 1: something that --fail-on counts, 2: something could not be
    read.
    """
    output = output or ("jsonl" if reviews else "text")
    if is_short or bool(paths) == bool(reviews) or (reviews and (operation or old_paths)):
        from weighbridge.webhook.cli.around.usage import check_usage

        check_usage(paths, reviews, output, is_short=is_short, names_stored=bool(operation or old_paths))
    named: dict[str, str | tuple[str, ...] | None] = {
        "exclude": exclude,
        "config": config,
        "crds": crds,
        "cluster": cluster,
        "kubernetes-version": kubernetes,
        "namespace": namespace,
        "fail-on": fail_on,
    }
    run = settled(named, paths or [reviews or ""], file=settings, isolated=isolated)
    where, version = run.text("namespace", "default"), next(iter(run.words("kubernetes-version")), "")
    reading = read(paths, selection=selection_of(paths, run, is_forced=is_forced)) if paths else Reading()
    tree = tree_of(reading, paths, where, version) if paths else Tree(reading)
    several, options = _prepared(tree, paths, run, release, policies, Phase(stage), operation, FieldValidation(field_validation))
    verdicts = _of_reviews(reviews, options) if reviews else _of_manifests(several, objects_of(old_paths, "--old"), options)
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=verbose)
    shown = (replace(verdict, record=cast("VerdictRecord", short(verdict.record))) for verdict in verdicts) if is_short else verdicts
    return _report(shown, _passed_over(tree.reading), FORMATS[output](sys.stdout, style), Failing.of(run.words("fail-on")))


def _prepared(
    tree: Tree,
    paths: Sequence[str],
    run: Settings,
    release: Sequence[str],
    policies: Sequence[str],
    phase: Phase,
    operation: str | None,
    validation: FieldValidation,
) -> tuple[_Run, _Options]:
    """What is judged, and by what. Raises InputError."""
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
    options = _Options(
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
    return _Run(tree, given, namespaces, [in_contexts[number] for number in contexts.numbers], contexts.numbers, twice), options


def declared() -> click.Command:
    """The command with its options."""
    import click

    from weighbridge.webhook.cli.options import (
        cluster_option,
        colour_option,
        complete_files,
        config_option,
        crds_option,
        exclude_options,
        fail_on_option,
        kubernetes_option,
        namespace_option,
        policies_option,
        release_option,
        settings_options,
        stage_option,
        verbose_option,
    )

    @click.command("dry-run", help=dry_run.__doc__)
    @click.argument("paths", nargs=-1, metavar="PATH...", shell_complete=complete_files)
    @exclude_options
    @click.option("--reviews", metavar="FILE|-", help="AdmissionReview requests as JSON lines, answered in order, one line each.")
    @click.option(
        "--operation",
        type=click.Choice(["CREATE", "UPDATE", "DELETE"]),
        help="Unless given: UPDATE of what --old or --cluster holds, else CREATE.",
    )
    @click.option("--old", "old_paths", multiple=True, metavar="FILE", help="The stored objects that the manifests update.")
    @crds_option
    @cluster_option
    @policies_option
    @config_option
    @kubernetes_option
    @release_option
    @namespace_option
    @click.option(
        "--field-validation",
        type=click.Choice([str(value) for value in FieldValidation]),
        default="Strict",
        show_default=True,
        help="What becomes of unknown and duplicate fields, as kubectl's --validate.",
    )
    @stage_option
    @click.option("-o", "--output", type=click.Choice(list(FORMATS)), help="text, or jsonl with --reviews, unless given.")
    @click.option("--short", "is_short", is_flag=True, help="With json and jsonl: verdict and reasons alone, no objects and predictions.")
    @fail_on_option
    @settings_options
    @verbose_option
    @colour_option
    def command(**given: Any) -> int:
        return dry_run(**given)

    return command


def _passed_over(reading: Reading) -> Mapping[str, int]:
    """The number of documents that aren't judged, by their form."""
    standings = Counter(reading.passed_over)
    return {"template": standings[Standing.TEMPLATE], "other document": standings[Standing.OTHER]}


def _report(verdicts: Iterator[Verdict], passed_over: Mapping[str, int], report: VerdictFormat, fail_on: Failing) -> int:
    code = 0
    for verdict in verdicts:
        report.write(verdict)
        code = max(code, 2 if "error" in verdict.record else int(_fails(verdict, fail_on)))
    report.finish(passed_over)
    return code


def _fails(verdict: Verdict, fail_on: Failing) -> bool:
    record, outcome = verdict.record, verdict.outcome
    weights = [finding["severity"] for finding in record["findings"] if "exempted" not in finding]
    return fail_on.holds(
        refused=not record["allowed"],
        never_runs=record.get("neverRuns", False),
        warned="warning" in weights,
        noted="note" in weights,
        unknown=outcome is Outcome.NOT_CHECKED,
        unchecked=bool(record["unchecked"]),
        waits=any(finding["rule"] == NO_ROOM and "exempted" not in finding for finding in record["findings"]),
    )


def _of_reviews(source: str, options: _Options) -> Iterator[Verdict]:
    from weighbridge.webhook.cli.reviews import read_reviews

    for line in read_reviews(source):
        if line.request is None:
            yield Verdict(unreadable_record(line.identity, line.error), place=line.place)
        else:
            decision = _decided(line.request, options)
            yield _verdict(line.request, decision, options, line.request.object, line.place)


def _decided(request: Request, options: _Options, duplicates: Sequence[Path] = ()) -> Decision:
    """The verdict on a request; of several releases the newest one's, with what differs."""
    decision = decide(request, options.facts, options.config, options.phase, duplicates=duplicates)
    if not options.earlier:
        return decision
    from weighbridge.policies.verdict.upgrade import asked_of, compared

    before = [
        (release, decide(asked_of(request, facts), facts, config, options.phase, duplicates=duplicates))
        for release, facts, config in options.earlier
    ]
    return compared([*before, (options.release, decision)])


def _of_manifests(run: _Run, old: Sequence[Manifest], options: _Options) -> Iterator[Verdict]:
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


def _decisions(run: _Run, stored: dict[tuple[str, str, str, str], JSONValue], options: _Options) -> Iterator[_Decided]:
    """The verdict on each object, with the request and by what it was judged."""
    entries = (one for one in enumerate(run.tree.reading.entries, start=1) if isinstance(one[1], Manifest))
    for index, (number, entry) in enumerate(entries):
        *earlier, (_, facts, _) = run.judged_by[index]
        own = replace(options, facts=facts, earlier=earlier, namespace=run.namespaces[index])
        request = _request(cast("Manifest", entry), f"manifest-{number}", stored, own)
        yield request, run.decided(index, request, own), own


def _place_of(manifest: Manifest, tree: Tree) -> str:
    """The file and line of an object; of a rendered one those of what it comes from."""
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


def _request(manifest: Manifest, uid: str, stored: dict[tuple[str, str, str, str], JSONValue], options: _Options) -> Request:
    """The request that applying this manifest would lead to."""
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
    request: Request, decision: Decision, options: _Options, given: JSONValue, place: str, manifest: Manifest | None = None
) -> Verdict:
    if manifest is not None:
        decision = replace(decision, findings=tuple(with_word(finding, yaml_word(finding, manifest)) for finding in decision.findings))
    record = verdict_record(request.uid, decision)
    if manifest is not None:
        record["source"], record["document"] = manifest.document.source, manifest.document.index
    return Verdict(record, request, decision, given, place, _advice(decision, options, manifest))


def _advice(decision: Decision, options: _Options, manifest: Manifest | None) -> str:
    """Advice that a refused object is of an older form, if it is."""
    if manifest is None or decision.allowed:
        return ""
    from weighbridge.policies.families.migration import is_of_older_form

    return older_form(manifest.document.source, "it") if is_of_older_form(manifest.value, options.config) else ""
