"""`weighbridge lint`: findings with file, line and column, for people, CI and editors."""

from __future__ import annotations

import os
import sys

import click

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.migration import is_of_older_form
from weighbridge.policies.ground.findings import Outlook
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.records import replace
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.options import (
    FailOn,
    a_namespace,
    cluster_option,
    colour_option,
    config_option,
    crds_option,
    fail_on_option,
    verbose_option,
)
from weighbridge.webhook.inputs.facts import Reading, duplicates_of, load_configuration, load_facts, read, text_issues
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.report import FORMATS, ColorChoice, Report, Result, Status, Style, Tally


@click.command("lint")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@crds_option
@cluster_option
@config_option
@click.option("-n", "--namespace", default="default", show_default=True, callback=a_namespace, help="For manifests that name none.")
@click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How findings are written.")
@fail_on_option
@verbose_option
@colour_option
def command(
    paths: tuple[str, ...],
    crds: tuple[str, ...],
    cluster: tuple[str, ...],
    config: str | None,
    namespace: str,
    output: str,
    fail_on: str,
    verbose: bool,
    colour: str,
) -> int:
    """Judge manifests: files, folders, or - for standard input.

    Exit code 0: all well, 1: something that --fail-on counts, 2: something could not be read.
    """
    reading = read(paths)
    configuration = load_configuration(config) if config else DEFAULT
    facts = load_facts(cluster, crds, (manifest.value for manifest in reading.manifests), namespace, configuration)
    # With --fail-on note, notes have to be shown.
    is_verbose = verbose or fail_on == FailOn.NOTE
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=is_verbose)
    level = FailOn(fail_on)
    return _lint(reading, facts, configured(configuration, facts), namespace, level, FORMATS[output](sys.stdout, style))


def _lint(reading: Reading, facts: Facts, config: Configuration, namespace: str, level: FailOn, report: Report) -> int:
    tally, fails = Tally(), False
    tally.files = reading.files
    for skipped in reading.passed_over:
        tally.pass_over(skipped)
    reported: set[tuple[str, int]] = set()
    for entry in reading.entries:
        result = Result.unread(entry) if isinstance(entry, InputIssue) else _judge(entry, facts, config, namespace, reported)
        tally.add(result)
        result = replace(result, fails=_fails(result, level))
        fails |= result.fails
        report.write(result)
    summary = tally.summary()
    report.finish(summary)
    return 2 if summary.errors else int(fails)


def _fails(result: Result, level: FailOn) -> bool:
    """Whether a result makes the exit code 1."""
    status = result.status
    return level.holds(refused=status is Status.FAILED, never_runs=result.never_runs, warned=status is Status.WARNED, noted=result.notes)


def _judge(manifest: Manifest, facts: Facts, config: Configuration, namespace: str, reported: set[tuple[str, int]]) -> Result:
    document = manifest.document
    first = (document.source, document.index) not in reported
    reported.add((document.source, document.index))
    # A mistake of the text itself, such as a key that occurs twice, belongs to the document: it is reported with its first object.
    issues = text_issues(manifest) if first else []
    duplicates = duplicates_of(manifest)
    old = stored_before(manifest.value, facts, namespace)
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = request_of(manifest.value, facts.definitions, uid="lint", namespace=namespace, operation=operation, old=old)
    decision = decide(request, facts, config, duplicates=duplicates, explains=False)
    return Result.judged(
        manifest,
        decision.findings,
        issues=issues,
        unchecked=list(decision.unchecked),
        never_runs=decision.never_runs,
        pods_refused=decision.placement is not None and decision.placement.outlook is Outlook.REFUSED,
        skipped=decision.skipped,
        crd=decision.crd,
        older_form=not decision.allowed and is_of_older_form(manifest.value, config),
    )
