"""`weighbridge dry-run`: what would become of manifests or of recorded admission reviews."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from weighbridge.policies.ground.objects import FieldValidation
from weighbridge.policies.ground.records import replace
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.judgement import NO_ROOM
from weighbridge.webhook.cli.around.verdicts import of_manifests, of_reviews, prepared
from weighbridge.webhook.dry_run_report import FORMATS, Verdict, VerdictFormat
from weighbridge.webhook.dry_run_report.parts.record import short
from weighbridge.webhook.dry_run_report.parts.verdicts import Outcome
from weighbridge.webhook.inputs.manifest_reader import Reading, objects_of, read
from weighbridge.webhook.inputs.trees import Tree, selection_of, tree_of
from weighbridge.webhook.manifests import Standing
from weighbridge.webhook.report import ColorChoice, Style
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.settings.values import Failing

if TYPE_CHECKING:
    import click

    from weighbridge.webhook.dry_run_report.parts.shapes import VerdictRecord


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
    several, options = prepared(tree, paths, run, release, policies, Phase(stage), operation, FieldValidation(field_validation))
    verdicts = of_reviews(reviews, options) if reviews else of_manifests(several, objects_of(old_paths, "--old"), options)
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=verbose)
    shown = (replace(verdict, record=cast("VerdictRecord", short(verdict.record))) for verdict in verdicts) if is_short else verdicts
    return _report(shown, _passed_over(tree.reading), FORMATS[output](sys.stdout, style), Failing.of(run.words("fail-on")))


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
        help="By default UPDATE if --old or --cluster has the object, else CREATE.",
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
        help="What happens to unknown and duplicate fields, as with kubectl's --validate.",
    )
    @stage_option
    @click.option("-o", "--output", type=click.Choice(list(FORMATS)), help="By default text, or jsonl with --reviews.")
    @click.option(
        "--short", "is_short", is_flag=True, help="With json and jsonl: only the verdict and its reasons, without objects and predictions."
    )
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
