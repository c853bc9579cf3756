"""`weighbridge migrate`: manifests of removed kinds and moved fields, rewritten in place or shown as a diff."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator

import click

from certs.atomicfile import write
from policies.config import DEFAULT
from policies.families.migration import Told
from policies.objects import field
from webhook.cli.options import config_option
from webhook.escapes import shown
from webhook.inputs.facts import load_configuration
from webhook.manifests import STDIN, InputIssue, sources
from webhook.migration.files import Migrated, migrated
from webhook.streams import complain


@click.command("migrate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--write", "is_write", is_flag=True, help="Write the files anew; otherwise the changes are shown as a diff.")
@config_option
def command(paths: tuple[str, ...], is_write: bool, config: str | None) -> int:
    """Rewrite manifests whose kind or fields have a successor: files, folders, or - for standard input.

    Comments and order stay. What has no successor is told on standard error.

    Exit code 0: nothing to do, 1: something to migrate, or left as it is, 2: something could not be read. With --write 1 means that
    something was left.
    """
    configuration = load_configuration(config) if config else DEFAULT
    files: list[Migrated] = []
    issues: list[InputIssue] = []
    for source in sources(paths, stdin=sys.stdin.buffer):
        if isinstance(source, InputIssue):
            issues.append(source)
            continue
        file = migrated(source, configuration)
        files.append(file)
        issues += file.issues
        _show(file, is_write)
    for issue in issues:
        complain(f"Error: {issue}")
    left = sum(placed.remark.told is Told.LEFT for file in files for placed in file.told)
    complain(_summary(files, left, is_write))
    if issues:
        return 2
    return int(left > 0 or (not is_write and any(file.before != file.after for file in files)))


def _show(file: Migrated, is_write: bool) -> None:
    """Write or show what a file becomes, and tell what its author has to know."""
    if is_write and file.source == STDIN:
        click.echo(file.after, nl=False)
    elif file.before != file.after and is_write:
        write(file.source, file.after.encode())
    else:
        for line in _diff(file):
            click.echo(line)
    for placed in file.told:
        remark = placed.remark
        what = f"{placed.kind} {placed.name}".strip() + (f" {field(remark.path)}" if remark.path else "")
        complain(f"{file.source}:{placed.line}:{placed.column}: {remark.told}: {what}: {remark.reason}")


def _diff(file: Migrated) -> Iterator[str]:
    lines = difflib.unified_diff(
        file.before.splitlines(), file.after.splitlines(), f"a/{file.source.lstrip('/')}", f"b/{file.source.lstrip('/')}", lineterm=""
    )
    return map(shown, lines)


def _summary(files: list[Migrated], left: int, is_write: bool) -> str:
    objects = sum(file.objects for file in files)
    changed = sum(file.before != file.after for file in files)
    verb = "migrated" if is_write else "would migrate"
    return f"{verb} {_count(objects, 'object')} in {_count(changed, 'file')} of {len(files)}; left {left}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
