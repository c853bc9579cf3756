"""The files that a Model stages from its source: `files`, of which the first is the model, and `mmproj`.

Source: LLMKube v0.9.19, internal/controller/fileset.go. The operator doesn't list the repository, so it accepts no wildcards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, repository_problem
from weighbridge.policies.ground.fields import text, texts
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_WILDCARDS: Final = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class FileSet:
    """The files to stage, in order and each once. If they can't be staged there are none, and `problem` is upstream's message."""

    files: tuple[str, ...] = ()
    mmproj: str = ""
    problem: str = ""

    @property
    def primary(self) -> str:
        """The file that the engine gets."""
        return self.files[0] if self.files else ""


_NONE: Final = FileSet()


def declares_files(model: JSONObject) -> bool:
    """Whether a Model asks for certain files of its source instead of the source itself."""
    spec = spec_of(model)
    return bool(texts(spec, "files") or text(spec, "mmproj"))


def file_set(model: JSONObject) -> FileSet:
    """The files of a Model; empty if it declares none."""
    spec = spec_of(model)
    files, mmproj = texts(spec, "files"), text(spec, "mmproj")
    if not files and not mmproj:
        return _NONE
    problem = _problem(files, mmproj)
    if problem:
        return FileSet(problem=problem)
    return FileSet(tuple(dict.fromkeys((*files, *([mmproj] if mmproj else [])))), mmproj)


def source_problem(source: Source, operator: KnownOperator) -> str:
    """Upstream's message if files can't be staged from a source; empty if they can."""
    problem = repository_problem(source.text, operator)
    if problem:
        return problem
    buckets = operator.since(0, 9, 16)
    if source.kind is SourceKind.REPOSITORY or (buckets and source.kind is SourceKind.BUCKET):
        return ""
    wanted = "a HuggingFace repo or s3:// source" if buckets else "a HuggingFace repo source"
    return f"multi-file staging requires {wanted}, but got: {source.text}"


def entry_problem(entry: str) -> str:
    """Upstream's message on one entry of `files`; empty if it can be staged."""
    return _path_problem(entry) or (
        f"glob pattern {quote(entry)} requires repository file listing, which is unavailable in production: use explicit file paths"
        if _WILDCARDS & set(entry)
        else ""
    )


def _problem(files: tuple[str, ...], mmproj: str) -> str:
    if mmproj and not files:
        return "spec.files must include a primary model file when spec.mmproj is set"
    return next(_problems(files, mmproj), "")


def _problems(files: tuple[str, ...], mmproj: str) -> Iterator[str]:
    for index, entry in enumerate(files):
        problem = entry_problem(entry)
        if problem:
            yield f"resolve {'file' if index else 'primary file'} {quote(entry)}: {problem}"
    if mmproj and _path_problem(mmproj):
        yield f"spec.mmproj: {_path_problem(mmproj)}"
    if mmproj and _WILDCARDS & set(mmproj):
        yield f"spec.mmproj must be a concrete repo-relative path, got glob {quote(mmproj)}"


def _path_problem(path: str) -> str:
    usable = path and not path.startswith("/") and ".." not in path
    return "" if usable else f"invalid repo-relative path {quote(path)}"
