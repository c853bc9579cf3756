"""`weighbridge migrate`: manifests of removed kinds and moved fields, rewritten in place or shown as a diff."""

from __future__ import annotations

import os
import sys

import click

from weighbridge.certs.atomicfile import WriteError, write
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.migration import Told
from weighbridge.policies.ground.objects import field
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.webhook.cli.options import config_option, exclude_options, isolated_option, settings_option
from weighbridge.webhook.inputs.facts import load_configuration
from weighbridge.webhook.inputs.manifest_reader import without_empty_pipe
from weighbridge.webhook.inputs.trees import selection_of
from weighbridge.webhook.manifests import InputIssue, Source, sources
from weighbridge.webhook.manifests.commented_json import is_other_json
from weighbridge.webhook.migration.diff import unified
from weighbridge.webhook.migration.files import Migrated, migrated
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.streams import as_text, complain, in_utf_8


@click.command("migrate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@exclude_options
@click.option("--write", "is_write", is_flag=True, help="Write the files, instead of showing the changes as a diff.")
@config_option
@settings_option
@isolated_option
def command(
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    is_forced: bool,
    is_write: bool,
    config: str | None,
    settings: str | None,
    isolated: bool,
) -> int:
    """Rewrite manifests with removed kinds and moved fields: files, folders, or - for standard input.

    Comments and the order of fields stay. Standard error lists what has no successor, and each written file. Links that lead out of a
    folder aren't followed, and files that .gitignore or .weighbridgeignore names aren't read, unless they are given as PATH.

    Exit code 0: nothing to migrate, 1: something to migrate, or an object that is left as it is, 2: something could not be read. With
    --write, 1 only means that an object was left as it is.
    """
    run = settled({"config": config, "exclude": exclude}, paths, file=settings, isolated=isolated)
    configuration = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    files: list[Migrated] = []
    issues: list[str] = []
    selection = selection_of(paths, run, is_forced=is_forced)
    for source in without_empty_pipe(sources(paths, stdin=sys.stdin.buffer, tell=_pass_over, selection=selection)):
        if isinstance(source, InputIssue):
            issues.append(str(source))
            continue
        if source.leads_out_of:
            _pass_over(f"{source.name}: a link out of {as_text(source.leads_out_of)}; name it to migrate what it leads to")
            continue
        file = migrated(source, configuration)
        if file.issues and source.path not in paths and is_other_json(source.name, source.data):
            continue
        issues += map(str, file.issues)
        try:
            _show(file, source, is_write)
        except WriteError as error:
            # The other files can still be written.
            issues.append(str(error))
            continue
        files.append(file)
        _tell(file)
    for issue in issues:
        complain(f"Error: {issue}")
    left = sum(placed.remark.told is Told.LEFT for file in files for placed in file.told)
    complain(_summary(files, left, is_write))
    if issues:
        return 2
    return int(left > 0 or (not is_write and any(file.before != file.after for file in files)))


def _show(file: Migrated, source: Source, is_write: bool) -> None:
    """Write or show the changed file."""
    is_same = file.before == file.after
    if is_write and not source.path:
        output = in_utf_8(sys.stdout)
        output.flush()
        # Unchanged parts stay as they are, byte by byte.
        output.buffer.write(source.data if is_same else file.after.encode())
        output.flush()
    elif is_write and not is_same:
        write(source.path, file.after.encode())
        link = f", to which {source.name} leads" if os.path.islink(source.path) else ""
        complain(f"wrote {as_text(os.path.realpath(source.path)) if link else source.name}{link}")
    else:
        output = in_utf_8(sys.stdout)
        written = for_a_person if output.isatty() else str
        output.writelines(map(written, unified(file.before, file.after, source.path or file.source, file.changed_lines)))


def for_a_person(line: str) -> str:
    """A line of a diff without characters that control a terminal."""
    return "".join(f"{shown(part)}\n" for part in line.removesuffix("\n").split("\n"))


def _pass_over(what: str) -> None:
    complain(f"passed over: {what}")


def _tell(file: Migrated) -> None:
    """Print what a file's author has to know."""
    for placed in file.told:
        remark = placed.remark
        what = f"{placed.kind} {placed.name}".strip() + (f" {field(remark.path)}" if remark.path else "")
        complain(HiddenCredentials().words(f"{file.source}:{placed.line}:{placed.column}: {remark.told}: {what}: {remark.reason}"))


def _summary(files: list[Migrated], left: int, is_write: bool) -> str:
    objects = sum(file.objects for file in files)
    changed = sum(file.before != file.after for file in files)
    verb = "migrated" if is_write else "would migrate"
    return f"{verb} {_count(objects, 'object')} in {_count(changed, 'file')} of {len(files)}; left {left}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
