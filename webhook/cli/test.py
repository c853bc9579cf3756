"""`weighbridge test`: judges cases and compares each verdict with the expected one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import click

from weighbridge.webhook.cli.cases.coverage import coverage_of
from weighbridge.webhook.cli.cases.reader import case_folders
from weighbridge.webhook.cli.cases.reports import FORMATS
from weighbridge.webhook.cli.cases.verdicts import Judge
from weighbridge.webhook.cli.options import (
    cluster_option,
    complete_files,
    config_option,
    crds_option,
    kubernetes_option,
    namespace_option,
    settings_options,
    verbose_option,
)
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.settings.values import Settings
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

_PAUSE_SECONDS = 0.5


@click.command("test")
@click.argument("paths", metavar="[DIR]...", nargs=-1, shell_complete=complete_files)
@config_option
@crds_option
@kubernetes_option
@namespace_option
@click.option("--init", "first", metavar="OBJECT", help="Write a case into DIR, from this manifest and its present verdict.")
@cluster_option
@click.option("--coverage", "is_covered", is_flag=True, help="Show which policies, exceptions and rules the cases cover.")
@click.option("--require-coverage", is_flag=True, help="Exit code 1 if a policy or an exception isn't covered.")
@click.option("--watch", "is_watched", is_flag=True, help="Judge the cases again whenever a file changes.")
@click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How the results are written.")
@settings_options
@verbose_option
def command(
    paths: tuple[str, ...],
    config: str | None,
    crds: tuple[str, ...],
    kubernetes: str | None,
    namespace: str | None,
    first: str | None,
    cluster: tuple[str, ...],
    is_covered: bool,
    require_coverage: bool,
    is_watched: bool,
    output: str,
    settings: str | None,
    isolated: bool,
    verbose: bool,
) -> int:
    """Run the tests of your policies: judge cases, and compare each verdict with what the case expects.

    A case is a folder with object.yaml and expect.yaml, and perhaps old.yaml, config.yaml and cluster.yaml. DIR is a folder of cases, or
    one case. A case without a config.yaml is judged by --config.

    Exit code 0: every verdict is as expected, 1: some aren't, 2: something could not be read.
    """
    named = {"config": config, "crds": crds, "kubernetes-version": kubernetes, "namespace": namespace}
    run = settled(named, paths, file=settings, isolated=isolated)
    if first is not None:
        return _init(first, paths, cluster, run)
    if cluster:
        raise click.UsageError("--cluster needs --init; a case has its own cluster.yaml")
    if not paths:
        raise click.UsageError("name a folder of cases; weighbridge test --init OBJECT DIR writes a first one")
    if not is_watched:
        return _judged(paths, run, output, is_covered=is_covered, requires=require_coverage, verbose=verbose)
    watched = [*paths, *filter(None, (run.text("config"),)), *run.texts("crds")]
    for _ in _changes(watched):
        try:
            _judged(paths, run, output, is_covered=is_covered, requires=require_coverage, verbose=verbose)
        except InputError as error:
            click.echo(str(error), err=True)
    return 0


def _judge(run: Settings) -> Judge:
    version = next(iter(run.words("kubernetes-version")), "")
    return Judge(run.text("config"), run.texts("crds"), version, run.text("namespace", "default"))


def _judged(paths: tuple[str, ...], run: Settings, output: str, *, is_covered: bool, requires: bool, verbose: bool) -> int:
    judge = _judge(run)
    found = [judge.judge(folder, as_text(folder)) for folder in case_folders(paths)]
    coverage = coverage_of(found) if is_covered or requires else None
    for line in FORMATS[output](found, coverage if is_covered or requires else None, verbose=verbose):
        click.echo(line)
    if any(one.error for one in found):
        return 2
    lacks = requires and coverage is not None and not coverage.is_whole
    return int(lacks or not all(one.is_well for one in found))


def _init(first: str, paths: tuple[str, ...], cluster: tuple[str, ...], run: Settings) -> int:
    from weighbridge.webhook.cli.cases.first_case import write_first_case

    if len(paths) > 1:
        raise click.UsageError("--init writes one case; name one DIR")
    written = write_first_case(first, paths[0] if paths else os.curdir, _judge(run), cluster)
    click.echo(f"{as_text(written)}: written; say in the first line of expect.yaml what the case shows, and read what it expects")
    return 0


def _changes(paths: list[str]) -> Iterator[None]:
    """Yields at once, and then whenever a file at or below one of the paths has changed."""
    before: dict[str, tuple[int, int]] | None = None
    while True:
        now = dict(_stamps(paths))
        if now != before:
            before = now
            yield
        time.sleep(_PAUSE_SECONDS)


def _stamps(paths: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    for path in paths:
        below = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names] if os.path.isdir(path) else [path]
        for file in below:
            try:
                status = os.stat(file)
            except OSError:
                continue
            yield file, (status.st_mtime_ns, status.st_size)
