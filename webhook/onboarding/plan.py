"""Plans the files of a repository: new ones, one that is extended, and steps that are left to its owner."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Standing, documents, standing
from weighbridge.webhook.onboarding.files import GITHUB, GITLAB, HOOK
from weighbridge.webhook.settings.search import NAMES
from weighbridge.webhook.texts.errors import InputError

PRE_COMMIT: Final = ".pre-commit-config.yaml"
WORKFLOW: Final = ".github/workflows/weighbridge.yaml"
PIPELINE: Final = ".gitlab-ci.yml"
JOB: Final = ".gitlab/weighbridge.yml"
_LARGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file with its text, and `how` it is written; without a text nothing is written, and `how` says why and what to do."""

    path: str
    text: str
    how: str = "wrote"


def steps(folder: str, doors: frozenset[str]) -> Iterator[PlannedFile]:
    """The files for a repository. Raises InputError for a file that can't be read."""
    if "pre-commit" in doors:
        yield _hook(folder)
    if "github" in doors:
        yield PlannedFile(WORKFLOW, "", "exists already") if _is_there(folder, WORKFLOW) else PlannedFile(WORKFLOW, GITHUB)
    if "gitlab" in doors:
        yield from _pipeline(folder)


def settings_there(folder: str) -> str:
    """The name of the settings that a repository has; empty if it has none."""
    return next((name for name in NAMES if _is_there(folder, name)), "")


def _hook(folder: str) -> PlannedFile:
    text = _text(folder, PRE_COMMIT)
    if text is None:
        return PlannedFile(PRE_COMMIT, f"repos:\n{HOOK}")
    if "weighbridge" in text:
        return PlannedFile(PRE_COMMIT, "", "names weighbridge already")
    extended = _with_hook(text)
    if extended is None:
        return PlannedFile(PRE_COMMIT, "", f"is left as it is; add this to its repos:\n{HOOK}".rstrip("\n"))
    return PlannedFile(PRE_COMMIT, extended, "added a hook to")


def _with_hook(text: str) -> str | None:
    """A pre-commit file with the hook as its last one, if the rest keeps its meaning; else `None`."""
    before = _value(text)
    repos = before.get("repos") if before is not None else None
    if before is None or not isinstance(repos, list):
        return None
    base = text.rstrip() + "\n"
    for indent in ("", "  "):
        made = base + "".join(f"{indent}{line}\n" for line in HOOK.splitlines())
        after = _value(made)
        found = after.get("repos") if after is not None else None
        if after is not None and isinstance(found, list) and found[:-1] == repos and {**after, "repos": repos} == before:
            return made
    return None


def _value(text: str) -> dict[str, object] | None:
    """The value of a file with one YAML document; `None` for anything else."""
    found = [one for one in documents(PRE_COMMIT, text.encode()) if standing(one) is not Standing.EMPTY]
    if len(found) != 1 or standing(found[0]) is Standing.UNREADABLE or not isinstance(found[0].value, dict):
        return None
    return found[0].value


def _pipeline(folder: str) -> Iterator[PlannedFile]:
    if _is_there(folder, JOB):
        yield PlannedFile(JOB, "", "exists already")
        return
    yield PlannedFile(JOB, GITLAB)
    if _is_there(folder, PIPELINE):
        yield PlannedFile(PIPELINE, "", f"is left as it is; add to it:\ninclude:\n- local: {JOB}")
    else:
        yield PlannedFile(PIPELINE, f"include:\n- local: {JOB}\n")


def _is_there(folder: str, name: str) -> bool:
    return os.path.lexists(os.path.join(folder, name))


def _text(folder: str, name: str) -> str | None:
    """The text of a file; `None` if it isn't there. Raises InputError."""
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise InputError(f"{name}: this file has more than 1 MiB; it can't be a file of pre-commit")
        return data.decode()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{name}: this file can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: this file isn't UTF-8; write it as UTF-8") from None
