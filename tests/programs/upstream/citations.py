"""The source files of upstream that modules, rules and lists of branches cite, and which of them have changed since they were read.

A citation is the docstring's last paragraph, such as ``Source: LLMKube v0.9.19, cmd/main.go; Kubernetes v1.36, core/v1.``, or the `at` of a
branch in `tests/branches`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Final

import yaml

from tests.programs.upstream.checkout import Changed, Checkout
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.spelling import listed

ROOT: Final = Path(__file__).resolve().parents[3]
_CITED: Final = re.compile(r"\bSources?: (.*)", re.DOTALL)
_VERSION: Final = re.compile(r"v?\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?|[0-9a-f]{7,40}")
_TOKEN: Final = re.compile(r"[\w*-](?:[\w./*-]|\{[\w./,*-]+\})*")
_FILE: Final = re.compile(r".*(?:\.(?:go|ya?ml|json|md|tpl|py|proto|sh)|/[\w.*-]+|Makefile|Dockerfile)")
#: ``InftyAI/scheduler-plugins 25a11fd``, ``k8s.io/apimachinery pkg/util``.
_OTHER: Final = re.compile(r"[\w./-]+ (?:v?\d+\.\d|[0-9a-f]{7,40}$)|[a-z0-9-]+\.[a-z]+/")
_BRACES: Final = re.compile(r"\{([^}]*)\}")
#: Files of a cited folder that don't show what an operator does.
_UNREAD: Final = re.compile(r"_test\.go$|/zz_generated|/testdata/")
#: The most changed lines of a file of values that are shown.
_FEW: Final = 8
#: The most names of citing files in one line.
_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Citation:
    """A path of upstream at a version, and the file of ours that cites it; it may be relative to one of those `before` it."""

    version: str
    path: str
    before: tuple[str, ...]
    by: str


def citations(upstream: Upstream, folder: Path, root: Path = ROOT) -> Iterator[Citation]:
    """The citations of a family's project in the family's modules and in the lists of branches."""
    for module in sorted(folder.rglob("*.py")):
        found = _CITED.search(ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "")
        if found:
            for version, path, before in _paths(upstream, " ".join(found[1].split())):
                yield Citation(version, path, before, module.relative_to(root).as_posix())
    for listing in sorted((root / "tests" / "branches").glob("*.yaml")):
        read = yaml.load(listing.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        title, _, version = str(read.get("source", "")).rpartition(" ")
        if title == upstream.title:
            for at in dict.fromkeys(str(branch["at"]).partition(" ")[0] for branch in read["branches"]):
                yield Citation(version, at, (), listing.relative_to(root).as_posix())


def _paths(upstream: Upstream, text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The paths of the project in a citation, each with its version and the paths before it."""
    version = ""
    before: tuple[str, ...] = ()
    for part in re.sub(r"\([^)]*\)", "", text).split(";"):
        for piece in _by_project(part.strip()):
            rest, other = piece, ""
            if piece.startswith(f"{upstream.title} "):
                rest = piece.removeprefix(f"{upstream.title} ")
                stated = _VERSION.match(rest)
                version, before = (stated[0] if stated else ""), ()
                rest = rest[stated.end() :] if stated else rest
                rest, other, _ = rest.partition("Kubernetes ")
            elif _begins_project(piece):
                version = ""
            for path in _tokens(rest) if version else ():
                yield version, path, before
                before = (path, *before)
            version = "" if other else version


def _by_project(part: str) -> Iterator[str]:
    """The pieces of a part, in which a second project may begin after `and`: ``aim-engine v0.2.1 and kaiwo dbca1b55, metav1``."""
    yield from re.split(r" and (?=[\w-]+ (?:v\d|[0-9a-f]{8}))", part)


def _begins_project(piece: str) -> bool:
    """Whether a piece names another project: in words, with a version, or as a module of Go."""
    head = piece.partition(",")[0].strip()
    if _OTHER.match(head):
        return True
    return "/" not in head and not _FILE.fullmatch(head)


def _tokens(text: str) -> Iterator[str]:
    """The paths in a text, with the alternatives in braces each by itself."""
    for found in _TOKEN.findall(text):
        token = found.rstrip(".,:-")
        if _FILE.fullmatch(token) and not token.startswith("http"):
            parts = _BRACES.split(token)
            choices = [part.split(",") if at % 2 else [part] for at, part in enumerate(parts)]
            yield from ("".join(chosen) for chosen in product(*choices))


def changes(upstream: Upstream, folder: Path, checkout: Checkout) -> Iterator[str]:
    """One line for each cited path that has changed since it was read, or that didn't exist."""
    by_version: defaultdict[str, list[Citation]] = defaultdict(list)
    for citation in citations(upstream, folder):
        by_version[citation.version].append(citation)
    for version, cited in by_version.items():
        revision = checkout.revision(version)
        if not revision:
            yield f"{len(cited)} citations of {version} can't be compared: the checkout's history doesn't have it"
            continue
        yield from _of_version(version, revision, cited, checkout)


def _of_version(version: str, revision: str, cited: list[Citation], checkout: Checkout) -> Iterator[str]:
    there, changed = checkout.files_at(revision), checkout.changed_since(revision)
    roots = {name.partition("/")[0] for name in there}
    citing: defaultdict[str, list[str]] = defaultdict(list)
    for citation in cited:
        citing[_resolved(citation, there)].append(citation.by)
    for path, by in sorted(citing.items()):
        ours = ", ".join(list(dict.fromkeys(by))[:_MOST]) + (f" and {len(set(by)) - _MOST} more" if len(set(by)) > _MOST else "")
        if path in changed:
            yield f"{_told(path, version, changed[path], revision, checkout)} (cited by {ours})"
        elif path not in there:
            yield from (
                f"{line} (cited by {ours})" for line in _of_folder(path, version, there, changed) if path.partition("/")[0] in roots
            )


def _of_folder(path: str, version: str, there: frozenset[str], changed: Mapping[str, Changed]) -> Iterator[str]:
    """The text on a cited folder or pattern, or on a path that doesn't exist."""
    if not any(_is_at(name, path) for name in there):
        yield f"{path} isn't there in {version}"
        return
    found = sorted(name for name in changed if _is_at(name, path) and not _UNREAD.search(name))
    if found:
        names = ", ".join(name.removeprefix(f"{path}/") for name in found)
        yield f"{path}: since {version} {len(found)} of its files {'has' if len(found) == 1 else 'have'} changed: {names}"


def _is_at(name: str, path: str) -> bool:
    """Whether a file is the cited one, in the cited folder, or one that the cited pattern names."""
    return name == path or name.startswith(f"{path}/") or ("*" in path and PurePosixPath(name).match(path))


def _resolved(citation: Citation, there: frozenset[str]) -> str:
    """The cited path from the root: as it is written, else relative to the folder of a path before it."""
    folders = [parent for path in ("", *citation.before) for parent in (PurePosixPath(path), *PurePosixPath(path).parents)]
    candidates = ((folder / citation.path).as_posix() for folder in folders)
    return next((path for path in candidates if any(_is_at(name, path) for name in there)), citation.path)


def _told(name: str, version: str, change: Changed, revision: str, checkout: Checkout) -> str:
    if change.status == "D":
        return f"{name} is gone since {version}"
    moved = f" and is now {change.now}" if change.now else ""
    functions = checkout.functions_changed(revision, name) if name.endswith(".go") and not change.now else ()
    where = f" in or after {listed(functions, most=6)}" if functions else ""
    count = "1 commit" if len(change.commits) == 1 else f"{len(change.commits)} commits"
    commits = f"; {count}, the last {change.commits[0]}" if change.commits else ""
    lines = checkout.lines_changed(revision, name) if not name.endswith(".go") and not change.now else ()
    values = f" ({' '.join(lines)})" if 0 < len(lines) <= _FEW else ""
    return f"{name} has changed since {version}{moved}{where}{values}{commits}"


def counted(found: Mapping[str, list[str]]) -> str:
    """The last line: the number of entries to work through."""
    return ", ".join(f"{len(lines)} of {name}" for name, lines in found.items())
