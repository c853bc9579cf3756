"""`weighbridge dry-run`: what would become of manifests or of recorded admission reviews."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONValue, Operation, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.fail_on import FailOn
from weighbridge.webhook.inputs.facts import load_configuration, load_facts
from weighbridge.webhook.inputs.reading import Reading, duplicates_of, read, text_issues
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.manifests import InputIssue, Manifest, Standing
from weighbridge.webhook.manifests.yaml_words import with_word, yaml_word
from weighbridge.webhook.report import ColorChoice, Style
from weighbridge.webhook.texts.counts import older_form
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.verdict import FORMATS, Format, Verdict
from weighbridge.webhook.verdict.record import short, unreadable_record, verdict_record

if TYPE_CHECKING:
    import click

    from weighbridge.webhook.verdict.shapes import VerdictRecord


@dataclass(frozen=True, slots=True)
class _Options:
    """The inputs of the verdicts."""

    facts: Facts
    config: Configuration
    phase: Phase
    operation: Operation | None
    namespace: str
    field_validation: FieldValidation


def dry_run(
    paths: tuple[str, ...],
    reviews: str | None,
    operation: str | None,
    old_paths: tuple[str, ...],
    crds: tuple[str, ...],
    cluster: tuple[str, ...],
    config: str | None,
    kubernetes: str,
    namespace: str,
    field_validation: str,
    stage: str,
    output: str | None,
    is_short: bool,
    fail_on: str,
    verbose: bool,
    colour: str,
) -> int:
    """Show what would be stored, what would be filled in and from where, and the verdict.

    PATH is a file, a folder, or - for standard input. Exit code 0: all well, 1: something that --fail-on counts, 2: something could not be
    read.
    """
    if bool(paths) == bool(reviews):
        raise _usage("give PATH... or --reviews FILE, one of the two")
    output = output or ("jsonl" if reviews else "text")
    if is_short and output not in {"json", "jsonl"}:
        raise _usage(f"--short goes with -o json or jsonl, not {output}")
    if reviews and (operation or old_paths):
        raise _usage("--operation and --old go with PATH...; a review brings its own")
    reading = read(paths) if paths else Reading()
    configuration = load_configuration(config) if config else DEFAULT
    facts = load_facts(cluster, crds, (manifest.value for manifest in reading.manifests), namespace, configuration, kubernetes)
    options = _Options(
        facts=facts,
        config=configured(configuration, facts),
        phase=Phase(stage),
        operation=Operation(operation) if operation else None,
        namespace=namespace,
        field_validation=FieldValidation(field_validation),
    )
    verdicts = _of_reviews(reviews, options) if reviews else _of_manifests(reading.entries, read(old_paths).entries, options)
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=verbose)
    shown = (replace(verdict, record=cast("VerdictRecord", short(verdict.record))) for verdict in verdicts) if is_short else verdicts
    return _report(shown, _passed_over(reading), FORMATS[output](sys.stdout, style), FailOn(fail_on))


def _usage(text: str) -> Exception:
    from click import UsageError

    return UsageError(text)


def declared() -> click.Command:
    """The command with its options."""
    import click

    from weighbridge.webhook.cli.options import (
        a_namespace,
        cluster_option,
        colour_option,
        config_option,
        crds_option,
        fail_on_option,
        kubernetes_option,
        verbose_option,
    )

    @click.command("dry-run", help=dry_run.__doc__)
    @click.argument("paths", nargs=-1, metavar="PATH...")
    @click.option("--reviews", metavar="FILE|-", help="AdmissionReview requests as JSON lines, answered in order, one line each.")
    @click.option(
        "--operation",
        type=click.Choice(["CREATE", "UPDATE", "DELETE"]),
        help="Unless given: UPDATE of what --old or --cluster holds, else CREATE.",
    )
    @click.option("--old", "old_paths", multiple=True, metavar="FILE", help="The stored objects that the manifests update.")
    @crds_option
    @cluster_option
    @config_option
    @kubernetes_option
    @click.option("-n", "--namespace", default="default", show_default=True, callback=a_namespace, help="For manifests that name none.")
    @click.option(
        "--field-validation",
        type=click.Choice([str(value) for value in FieldValidation]),
        default="Strict",
        show_default=True,
        help="What becomes of unknown and duplicate fields, as kubectl's --validate.",
    )
    @click.option(
        "--stage",
        type=click.Choice(["whole", "apiserver"]),
        default="whole",
        show_default=True,
        help="apiserver: stop after what kube-apiserver does itself, no rules of ours.",
    )
    @click.option("-o", "--output", type=click.Choice(list(FORMATS)), help="text, or jsonl with --reviews, unless given.")
    @click.option("--short", "is_short", is_flag=True, help="With json and jsonl: verdict and reasons alone, no objects and predictions.")
    @fail_on_option
    @verbose_option
    @colour_option
    def command(**given: Any) -> int:
        return dry_run(**given)

    return command


def _passed_over(reading: Reading) -> Mapping[str, int]:
    """The number of documents that aren't judged, by their form."""
    standings = Counter(reading.passed_over)
    return {
        "template": standings[Standing.TEMPLATE],
        "other document": standings[Standing.OTHER],
    }


def _report(verdicts: Iterator[Verdict], passed_over: Mapping[str, int], report: Format, fail_on: FailOn) -> int:
    code = 0
    for verdict in verdicts:
        report.write(verdict)
        code = max(code, 2 if "error" in verdict.record else int(_fails(verdict.record, fail_on)))
    report.finish(passed_over)
    return code


def _fails(record: VerdictRecord, fail_on: FailOn) -> bool:
    weights = [finding["severity"] for finding in record["findings"] if "exempted" not in finding]
    return fail_on.holds(
        refused=not record["allowed"],
        never_runs=record.get("neverRuns", False),
        warned="warning" in weights,
        noted="note" in weights,
    )


def _of_reviews(source: str, options: _Options) -> Iterator[Verdict]:
    from weighbridge.webhook.cli.reviews import read_reviews

    for line in read_reviews(source):
        if line.request is None:
            yield Verdict(unreadable_record(line.identity, line.error), place=line.place)
        else:
            yield _judge(line.request, options, line.request.object, line.place)


def _of_manifests(entries: list[Manifest | InputIssue], old: list[Manifest | InputIssue], options: _Options) -> Iterator[Verdict]:
    stored = {}
    for entry in old:
        if isinstance(entry, InputIssue):
            raise InputError(f"{entry} (--old)")
        stored[_key(entry.value, options.namespace)] = entry.value
    told: set[tuple[str, int]] = set()
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, InputIssue):
            place = f"{entry.source}:{entry.line}" if entry.line else entry.source
            yield Verdict(unreadable_record(f"manifest-{number}", str(entry)), place=place)
        else:
            verdict = _judge(_request(entry, f"manifest-{number}", stored, options), options, entry.value, _place(entry), entry)
            document = entry.document.source, entry.document.index
            if document not in told:
                told.add(document)
                verdict.record["warnings"] += map(str, text_issues(entry))
            yield verdict


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


def _judge(request: Request, options: _Options, given: JSONValue, place: str, manifest: Manifest | None = None) -> Verdict:
    duplicates = duplicates_of(manifest) if manifest is not None else ()
    decision = decide(request, options.facts, options.config, options.phase, duplicates=duplicates)
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
