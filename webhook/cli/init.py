"""`weighbridge init`: settings, a baseline, a hook and a CI job for a repository."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from weighbridge.certs.atomicfile import write
from weighbridge.policies.ground.spelling import amount
from weighbridge.webhook.cli.written import write_files
from weighbridge.webhook.inputs.repositories import repository_of
from weighbridge.webhook.onboarding.files import BASELINE, SETTINGS, pattern_of, settings_text
from weighbridge.webhook.onboarding.found import Found, found_in
from weighbridge.webhook.onboarding.plan import PlannedFile, settings_there, steps
from weighbridge.webhook.texts.escapes import shown

#: The most files that are named.
_MOST: Final = 5
_DOORS: Final = ("pre-commit", "github", "gitlab")


@click.command("init")
@click.argument("folder", default=".", metavar="[FOLDER]", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--with",
    "doors",
    multiple=True,
    type=click.Choice(_DOORS),
    help="Write the file for this, even if nothing in the repository shows that it is needed. Repeatable.",
)
@click.option("--print", "is_shown", is_flag=True, help="Print the files instead of writing them.")
def command(folder: Path, doors: tuple[str, ...], is_shown: bool) -> int:
    """Write settings, a baseline of today's findings, a hook for pre-commit, and a job for GitHub or GitLab.

    It writes the hook and the job that fit the repository. It never replaces an existing file.

    Exit code 0: all is written, 2: something could not be read or written.
    """
    root = repository_of(str(folder))
    with contextlib.chdir(root):
        found = found_in(".")
        there = settings_there(root)
        planned = list(steps(root, found.doors | set(doors)))
        has_baseline = not there and _fails(found)
        if not there:
            planned.insert(0, PlannedFile(SETTINGS, settings_text(found, baseline=has_baseline)))
        _say(_summary(found))
        if is_shown:
            _say(line for step in planned if step.text for line in (f"--- {step.path}", *step.text.splitlines()))
            return 0
        if there:
            _say([f"{there} exists already"])
        _write(Path(root), planned)
        if has_baseline:
            sys.stdout.flush()
            _lint("--write-baseline", BASELINE)
        _say(["now run: weighbridge lint"])
    return 0


def _write(root: Path, planned: list[PlannedFile]) -> None:
    for step in planned:
        if not step.text:
            _say(f"{step.path} {step.how}".splitlines())
            continue
        if (root / step.path).exists():
            write(root / step.path, step.text.encode())
        else:
            write_files(root, {step.path: step.text})
        _say([f"{step.how} {step.path}"])


def _fails(found: Found) -> bool:
    """Whether a run fails today without the files that the settings exclude."""
    excluded = [argument for path in found.excluded for argument in ("--exclude", pattern_of(path))]
    given = [argument for path in found.snapshots for argument in ("--cluster", path)]
    given += ["--config", found.configurations[0]] if found.configurations else []
    with contextlib.redirect_stderr(io.StringIO()):
        return _lint(*excluded, *given) == 1


def _lint(*arguments: str) -> int:
    """The exit code of a run of lint in the working folder; its report is dropped."""
    from weighbridge.webhook.cli.program import exit_code

    with open(os.devnull, "w", encoding="utf-8") as nothing, contextlib.redirect_stdout(nothing):
        return exit_code(("lint", "-o", "json", *arguments))


def _summary(found: Found) -> Iterator[str]:
    counted = ", ".join(f"{amount(number, 'object')} of {name}" for name, number in sorted(found.objects.items()))
    yield f"found {counted}" if counted else "found no object of a family that weighbridge knows"
    if found.unreadable:
        named = ", ".join(found.unreadable[:_MOST]) + (" ..." if found.unreadable[_MOST:] else "")
        yield f"{amount(len(found.unreadable), 'file')} can't be read: {named}"


def _say(lines: Iterator[str] | list[str]) -> None:
    sys.stdout.writelines(f"{shown(line)}\n" for line in lines)
