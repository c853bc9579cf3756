"""`weighbridge lint`: findings with file, line and column, for people, CI and editors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from weighbridge.policies.ground.records import replace
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.cli.fail_on import FailOn
from weighbridge.webhook.inputs.reading import Reading, duplicates_of, read, text_issues
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.report import FORMATS, ColorChoice, Report, Result, Status, Style, Tally

if TYPE_CHECKING:
    import click

    from weighbridge.policies.config import Configuration
    from weighbridge.policies.facts import Facts

# The engine and click are imported where they are used: files without manifests need none of it.


def lint(
    paths: tuple[str, ...],
    crds: tuple[str, ...],
    cluster: tuple[str, ...],
    config: str | None,
    kubernetes: tuple[str, ...],
    namespace: str,
    output: str,
    fail_on: str,
    jobs: int | None,
    verbose: bool,
    colour: str,
) -> int:
    """Judge manifests: files, folders, or - for standard input.

    Exit code 0: all well, 1: something that --fail-on counts, 2: something could not be read.
    """
    reading = read(paths)
    # With --fail-on note, notes have to be shown.
    is_verbose = verbose or fail_on == FailOn.NOTE
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=is_verbose)
    report = FORMATS[output](sys.stdout, style)
    given = list(reading.manifests)
    if not (given or crds or cluster or config):
        return _lint(reading, iter(()), FailOn(fail_on), report)
    from weighbridge.policies.config import DEFAULT
    from weighbridge.webhook.cli.collection import loaded_is_frozen
    from weighbridge.webhook.cli.configured import configured
    from weighbridge.webhook.cli.shares import judged
    from weighbridge.webhook.inputs.facts import load_configuration, load_facts

    configuration = load_configuration(config) if config else DEFAULT
    facts = load_facts(cluster, crds, (manifest.value for manifest in given), namespace, configuration, kubernetes[0])
    by_release = _by_release(facts, kubernetes)
    names = ", ".join(known.definitions.server.name for known in by_release)
    judge = partial(_judge, given, _first_of_documents(given), by_release, configured(configuration, facts), namespace)
    with loaded_is_frozen(), judged(given, judge, namespace, jobs) as results:
        return _lint(reading, results, FailOn(fail_on), report, names)


def declared() -> click.Command:
    """The command with its options."""
    import click

    from weighbridge.policies.ground.server_release import USUAL
    from weighbridge.webhook.cli.options import (
        a_namespace,
        cluster_option,
        colour_option,
        config_option,
        crds_option,
        fail_on_option,
        verbose_option,
        versions,
    )

    @click.command("lint", help=lint.__doc__)
    @click.argument("paths", nargs=-1, required=True, metavar="PATH...")
    @crds_option
    @cluster_option
    @config_option
    @click.option(
        "--kubernetes-version",
        "kubernetes",
        default="",
        metavar="VERSION[,VERSION]",
        callback=versions,
        help=f"The Kubernetes to judge by, by default that of the snapshot, else {USUAL.name}; of several, findings say which have them.",
    )
    @click.option("-n", "--namespace", default="default", show_default=True, callback=a_namespace, help="For manifests that name none.")
    @click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How findings are written.")
    @fail_on_option
    @click.option(
        "-j", "--jobs", type=click.IntRange(min=1), help="How many processes judge at the same time; by default as many as make it faster."
    )
    @verbose_option
    @colour_option
    def command(**given: Any) -> int:
        return lint(**given)

    return command


def _by_release(facts: Facts, versions: Sequence[str]) -> Sequence[Facts]:
    """The facts as servers of all releases have them, the oldest release first."""
    if len(versions) < 2:
        return (facts,)
    from weighbridge.webhook.inputs.facts import release_for

    servers = {facts.definitions.server, *map(release_for, versions[1:])}
    ordered = sorted(servers, key=lambda server: server.version)
    return [replace(facts, definitions=facts.definitions.served_by(server)) for server in ordered]


def _lint(reading: Reading, results: Iterator[Result], level: FailOn, report: Report, kubernetes: str = "") -> int:
    tally, fails = Tally(), False
    tally.files = reading.files
    tally.kubernetes = kubernetes
    for skipped in reading.passed_over:
        tally.pass_over(skipped)
    for entry in reading.entries:
        result = Result.unread(entry) if isinstance(entry, InputIssue) else next(results)
        if result.findings and _has_failed_inside(result):
            # The process that judged it may be another, so what it reported is lost.
            not_repeatable()
        tally.add(result)
        result = replace(result, fails=_fails(result, level))
        fails |= result.fails
        report.write(result)
    summary = tally.summary()
    report.finish(summary)
    return 2 if summary.errors else int(fails)


def _has_failed_inside(result: Result) -> bool:
    from weighbridge.policies.verdict.judgement import INTERNAL_RULE

    return any(located.finding.rule == INTERNAL_RULE for located in result.findings)


def _first_of_documents(given: Sequence[Manifest]) -> Sequence[bool]:
    """Of each object whether it is the first one of its document."""
    seen: set[tuple[str, int]] = set()
    first = []
    for one in given:
        place = one.document.source, one.document.index
        first.append(place not in seen)
        seen.add(place)
    return first


def _fails(result: Result, level: FailOn) -> bool:
    """Whether a result makes the exit code 1."""
    status = result.status
    return level.holds(refused=status is Status.FAILED, never_runs=result.never_runs, warned=status is Status.WARNED, noted=result.notes)


def _judge(
    given: Sequence[Manifest], first: Sequence[bool], facts: Sequence[Facts], config: Configuration, namespace: str, number: int
) -> Result:
    from weighbridge.policies.ground.findings import Outlook
    from weighbridge.policies.ground.objects import Operation
    from weighbridge.policies.verdict.engine import decide
    from weighbridge.policies.verdict.upgrade import compared
    from weighbridge.webhook.inputs.requests import request_of, stored_before

    manifest = given[number]
    # A mistake of the text itself, such as a key that occurs twice, belongs to the document: it is reported with its first object.
    issues = text_issues(manifest) if first[number] else []
    duplicates = duplicates_of(manifest)
    newest = facts[-1]
    old = stored_before(manifest.value, newest, namespace)
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = request_of(manifest.value, newest.definitions, uid="lint", namespace=namespace, operation=operation, old=old)
    decision = compared(
        [(known.definitions.server, decide(request, known, config, duplicates=duplicates, explains=False)) for known in facts]
    )
    return Result.judged(
        manifest,
        decision.findings,
        issues=issues,
        unchecked=list(decision.unchecked),
        never_runs=decision.never_runs,
        pods_refused=decision.placement is not None and decision.placement.outlook is Outlook.REFUSED,
        skipped=decision.skipped,
        crd=decision.crd,
        older_form=not decision.allowed and _is_of_older_form(manifest, config),
    )


def _is_of_older_form(manifest: Manifest, config: Configuration) -> bool:
    from weighbridge.policies.families.migration import is_of_older_form

    return is_of_older_form(manifest.value, config)
