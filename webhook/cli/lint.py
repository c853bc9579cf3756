"""`weighbridge lint`: findings with file, line and column, for people, CI and editors."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from weighbridge.policies.ground.records import replace
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.inputs.manifest_reader import Reading, read
from weighbridge.webhook.inputs.trees import Tree, selection_of, tree_of
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.report import FORMATS, ColorChoice, Report, Result, Status, Style, Tally
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.settings.values import CAPACITY, Failing, FailOn, Settings, words
from weighbridge.webhook.texts.streams import as_text

if TYPE_CHECKING:
    import click

    from weighbridge.policies.config import Configuration
    from weighbridge.policies.config.policies import Policy
    from weighbridge.policies.verdict.upgrade import JudgedBy
    from weighbridge.webhook.cli.around.known import Around

# The engine and click are imported where they are used, since files without manifests don't need them.


def lint(
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    is_forced: bool,
    crds: tuple[str, ...],
    cluster: tuple[str, ...],
    policies: tuple[str, ...],
    config: str | None,
    kubernetes: tuple[str, ...],
    release: tuple[str, ...],
    namespace: str | None,
    output: tuple[str, ...],
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str | None,
    write_baseline: str | None,
    jobs: int | None,
    context: tuple[str, ...],
    changed_since: str | None,
    stdin_filename: str,
    settings: str | None,
    isolated: bool,
    verbose: bool,
    colour: str,
) -> int:
    """Judge manifests: files, folders, or - for standard input; by default the current folder.

    Files that .gitignore or .weighbridgeignore names aren't read, unless they are given as PATH.

    Exit code 0: all well, 1: something that --fail-on counts, 2: something could not be read.
    """
    paths = paths or (os.curdir,)
    given: dict[str, str | tuple[str, ...] | None] = {
        "exclude": exclude,
        "config": config,
        "crds": crds,
        "cluster": cluster,
        "kubernetes-version": kubernetes,
        "namespace": namespace,
        "fail-on": fail_on,
        "select": words(select),
        "ignore": words(ignore),
        "baseline": write_baseline or baseline,
    }
    run = settled(given, paths, file=settings, isolated=isolated)
    is_written = write_baseline is not None
    tree, around = _read(paths, context, changed_since, stdin_filename, run, is_forced=is_forced, is_written=is_written)
    # Findings that --fail-on counts have to be shown, and these may be notes.
    is_verbose = verbose or not {FailOn.NOTE, CAPACITY}.isdisjoint(run.words("fail-on"))
    style = Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour), verbose=is_verbose)
    report = _report(output, style)
    is_asked = release or policies or any(run.texts(key) for key in ("crds", "cluster", "config", "baseline", *_CHOOSING))
    if not (is_asked or any(tree.reading.manifests)):
        return _lint(_unread(tree.reading), tree.reading, run, report)
    forms = {one.partition("=")[0] for one in output}
    is_shown = "markdown" in forms or ("github" in forms and bool(os.environ.get("GITHUB_STEP_SUMMARY")))
    shown: list[str] | None = [] if is_shown else None
    return _judged(tree, paths, around, run, report, release, policies, jobs, shown, is_written=is_written, is_timed="junit" in forms)


#: The settings that choose among findings.
_CHOOSING = ("select", "ignore")


def _read(
    paths: Sequence[str],
    context: Sequence[str],
    changed_since: str | None,
    stdin_filename: str,
    run: Settings,
    *,
    is_forced: bool,
    is_written: bool,
) -> tuple[Tree, Around | None]:
    """The objects that have to be judged, and those around them. Raises InputError."""
    selection = selection_of(paths, run, is_forced=is_forced)
    namespace, version = run.text("namespace", "default"), next(iter(run.words("kubernetes-version")), "")
    if not (context or stdin_filename or changed_since is not None):
        return tree_of(read(paths, selection=selection), paths, namespace, version), None
    from weighbridge.webhook.cli.around.known import around_of, check

    check(paths, changed_since, stdin_filename, is_written=is_written)
    tree = tree_of(read(paths, selection=selection, stdin_name=stdin_filename), paths, namespace, version)
    beyond = selection_of(context, run, is_forced=False)
    return tree, around_of(tree, paths, context, changed_since, lambda source: run.text_for("namespace", source, "default"), beyond)


def _report(output: Sequence[str], style: Style) -> Report:
    """The report that writes all outputs. Raises InputError."""
    if len(output) == 1 and output[0] in FORMATS and output[0] != "github":
        return FORMATS[output[0]](sys.stdout, style)
    from weighbridge.webhook.report.parts.outputs import opened

    return opened(output, style, os.environ)


def _judged(
    tree: Tree,
    paths: Sequence[str],
    around: Around | None,
    run: Settings,
    report: Report,
    release: Sequence[str],
    policies: Sequence[str],
    jobs: int | None,
    shown: list[str] | None,
    *,
    is_written: bool,
    is_timed: bool,
) -> int:
    """Judge the objects and report them; `shown` gets their picture, if one is wanted."""
    from weighbridge.policies.config import DEFAULT
    from weighbridge.webhook.cli.around.judged_by import Known, policies_of
    from weighbridge.webhook.cli.around.run import Run, groups_among, in_place, judge_among, judge_with
    from weighbridge.webhook.cli.collection import loaded_is_frozen
    from weighbridge.webhook.cli.processes.shares import judged
    from weighbridge.webhook.inputs.cluster_files import read_cluster
    from weighbridge.webhook.inputs.contexts import contexts_of, repeated
    from weighbridge.webhook.inputs.facts import load_configuration, with_crds_of_all

    reading = tree.reading
    given, kubernetes = list(reading.manifests), run.words("kubernetes-version")
    namespaces = _namespaces(given, run)
    config, crds, cluster = run.text("config"), run.texts("crds"), run.texts("cluster")
    configuration = load_configuration(config) if config else DEFAULT
    known = Known(*read_cluster(cluster), cluster, crds, configuration, kubernetes, release, policies_of(policies, kubernetes))
    together = [*given, *(around.manifests if around is not None else ())]
    places = _namespaces(together, run)
    contexts = contexts_of(together, tree.built, places)
    placed = contexts.placed(together, places)
    first = known.judged_by(with_crds_of_all(placed))
    in_contexts = [first, *(known.among(first, own) for own in placed[1:])]
    names = ", ".join(dict.fromkeys(facts.definitions.server.name for _, facts, _ in first))
    standing = first[-1][2]
    twice = repeated(together, tree.built, tree.roots, paths, places)
    several = Run(given, _first_of_documents(given), namespaces, twice, tree)
    by = [in_contexts[number] for number in contexts.numbers]
    judge: Callable[[int], Result] = partial(judge_among, several, by)
    finished = _silenced(tree, run, standing, namespaces, _of_policies(known.policies, first, tree, around), is_written=is_written)
    if around is not None and around.since is not None:
        judge, finished = around.since.judging(partial(judge_with, several), first, known.judged_by, finished)
    if is_timed:
        judge = partial(_timed, judge)
    in_change: Callable[[Iterator[Result]], Iterator[Result]] = iter
    if first[-1][1].inventory is not None and (len(together) > 1 or shown is not None):
        from weighbridge.webhook.cli.around.together import with_change

        known_pods = partial(groups_among, Run(together, [False] * len(together), places, {}, tree), by)
        since = around.since if around is not None else None
        take = shown.append if shown is not None else None
        in_change = partial(with_change, tree, together, places, contexts.numbers, first, known_pods, since, take)
    with loaded_is_frozen(), judged(given, judge, namespaces, jobs) as results:
        in_order = in_place(tree, finished(_placed(reading, in_change(results))))
        is_chosen = not (known.extent.server or kubernetes)
        return _lint(in_order, reading, run, report, names, standing.policies or (), [] if shown is None else shown, chosen=is_chosen)


def declared() -> click.Command:
    """The command with its options."""
    import click

    from weighbridge.webhook.cli.options import (
        cluster_option,
        colour_option,
        complete_files,
        config_option,
        crds_option,
        fail_on_option,
        ignore_option,
        jobs_option,
        kubernetes_releases_option,
        namespace_option,
        output_option,
        policies_option,
        release_option,
        scope_options,
        select_option,
        settings_options,
        verbose_option,
    )

    @click.command("lint", help=lint.__doc__)
    @click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
    @crds_option
    @cluster_option
    @policies_option
    @config_option
    @kubernetes_releases_option
    @release_option
    @namespace_option
    @output_option
    @fail_on_option
    @select_option
    @ignore_option
    @click.option("--baseline", metavar="FILE", help="A baseline: a file of known findings, which don't count.")
    @click.option(
        "--write-baseline",
        metavar="FILE",
        help="Write the findings into a new baseline. If FILE exists, only remove the entries whose finding is gone.",
    )
    @jobs_option
    @scope_options
    @settings_options
    @verbose_option
    @colour_option
    def command(**given: Any) -> int:
        return lint(**given)

    return command


def _unread(reading: Reading) -> Iterator[Result]:
    """The results for files that can't be read."""
    return (Result.unread(entry) for entry in reading.entries if isinstance(entry, InputIssue))


def _of_policies(
    policies: Sequence[Manifest], judged_by: Sequence[JudgedBy], tree: Tree, around: Around | None
) -> list[tuple[Manifest, Result]]:
    """The results of the type check of the policies in `--policies`. With `--changed-since` there are none."""
    if not policies or (around is not None and around.since is not None):
        return []
    from weighbridge.webhook.cli.around.given_policies import type_checked

    return list(type_checked(policies, judged_by, tree))


def _silenced(
    tree: Tree,
    run: Settings,
    config: Configuration,
    namespaces: Sequence[str],
    last: Sequence[tuple[Manifest, Result]],
    *,
    is_written: bool,
) -> Callable[[Iterator[tuple[Manifest | None, Result]]], Iterator[Result]]:
    """The results, and the `last` ones after them, as comments, annotations, settings and a baseline change them.

    The modules for that are imported only if there are any.
    """
    baseline, given = run.text("baseline"), [*tree.reading.manifests, *(manifest for manifest, _ in last)]
    is_marked = bool(tree.built) or any(
        b"weighbridge" in data for data in {id(manifest.document.text): manifest.document.text.data for manifest in given}.values()
    )
    if not (baseline or run.overrides or any(run.texts(key) for key in _CHOOSING) or is_marked):
        return lambda results: map(itemgetter(1), chain(results, last))
    from weighbridge.webhook.cli.around.run import place_of
    from weighbridge.webhook.silence.run import Silencer
    from weighbridge.webhook.silence.selection import check_rules

    check_rules(run)
    places = [*namespaces, *("default" for _ in last)]
    silencer = Silencer(given, tree.reading.names, run, config, places, partial(place_of, tree))

    def finished(results: Iterator[tuple[Manifest | None, Result]]) -> Iterator[Result]:
        return silencer.as_set(map(itemgetter(1), silencer.as_written(chain(results, last))), baseline, is_written=is_written)

    return finished


def _namespaces(given: Sequence[Manifest], run: Settings) -> Sequence[str]:
    """The namespace of each object that names none."""
    if not run.overrides:
        return [run.text("namespace", "default")] * len(given)
    sources = {manifest.document.source for manifest in given}
    known = {source: run.text_for("namespace", source, "default") for source in sources}
    return [known[manifest.document.source] for manifest in given]


def _placed(reading: Reading, results: Iterator[Result]) -> Iterator[tuple[Manifest | None, Result]]:
    """The results of all entries in order, each with its object."""
    for entry in reading.entries:
        yield (None, Result.unread(entry)) if isinstance(entry, InputIssue) else (entry, next(results))


def _levels(run: Settings) -> Callable[[str], Failing]:
    """The levels that make the exit code 1, by file."""
    if run.overrides:
        from weighbridge.webhook.silence.selection import FileSettings

        return FileSettings(run).failing
    level = Failing.of(run.words("fail-on"))
    return lambda _: level


def _lint(
    results: Iterator[Result],
    reading: Reading,
    run: Settings,
    report: Report,
    kubernetes: str = "",
    policies: Iterable[Policy] = (),
    shown: Sequence[str] = (),
    *,
    chosen: bool = False,
) -> int:
    tally, fails = Tally(), False
    tally.policies = tuple(policies)
    tally.files = reading.files
    tally.kubernetes, tally.settings = kubernetes, as_text(run.file)
    tally.chosen = chosen
    for skipped in reading.passed_over:
        tally.pass_over(skipped)
    level_of = _levels(run)
    for judged in results:
        result = _counted(judged, level_of(judged.source))
        if result.findings and _has_failed_inside(result):
            # Another process may have judged the object, and then its report of the failure is lost.
            not_repeatable()
        tally.add(result)
        fails |= bool(result.fails)
        report.write(result)
    tally.passed_over = reading.left_out
    tally.picture = "".join(shown)
    summary = tally.summary()
    report.finish(summary)
    return 2 if summary.errors else int(fails)


def _has_failed_inside(result: Result) -> bool:
    from weighbridge.policies.verdict.judgement import INTERNAL_RULE

    return any(located.finding.rule == INTERNAL_RULE for located in result.findings)


def _first_of_documents(given: Sequence[Manifest]) -> Sequence[bool]:
    """For each object whether it is the first one of its document."""
    seen: set[tuple[str, int]] = set()
    first = []
    for one in given:
        place = one.document.source, one.document.index
        first.append(place not in seen)
        seen.add(place)
    return first


def _counted(result: Result, level: Failing) -> Result:
    """A result with what of it makes the exit code 1."""
    status = result.status
    if not level.holds(
        refused=status is Status.FAILED,
        never_runs=result.never_runs,
        warned=status is Status.WARNED,
        noted=result.notes,
        unknown=result.unknown,
        unchecked=result.is_partly_checked,
        waits=result.waits,
    ):
        return result
    from weighbridge.webhook.cli.around.failing import failures_of

    return replace(result, fails=failures_of(result, level))


def _timed(judge: Callable[[int], Result], number: int) -> Result:
    """A result with the time that judging took."""
    start = time.perf_counter()
    result = judge(number)
    return replace(result, seconds=time.perf_counter() - start)
