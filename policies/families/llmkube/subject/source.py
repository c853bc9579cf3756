"""The forms of a Model's `source` by version of the operator: what each form names, what fetches it, and what can be wrong with it.

A claim is mounted, a repository is left to the engine, a URL is fetched by the pod's init container, and a local path is copied by the
operator. The operator tries to download any other source itself. Source: LLMKube v0.9.19, internal/controller/source.go.
"""

from __future__ import annotations

import posixpath
import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.digests import sha256
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.records import dataclass

ADVISORY: Final = "GHSA-jw3m-8q7m-f35r"
_HUB: Final = expression(r"https?://(?:www\.)?huggingface\.co/(?P<path>.*)", re.IGNORECASE | re.DOTALL)
_REPOSITORY: Final = expression(r"[A-Za-z0-9][A-Za-z0-9_./@-]*")
_REPOSITORY_UNPINNED: Final = expression(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
_WHITE_SPACE: Final = " \t\n\r"
_KEY_LENGTH: Final = 16
#: The greatest length of a source whose parts are remembered, since many parts of a prediction ask for the same source.
_SHORT: Final = 512


class SourceKind(StrEnum):
    """The form of a source, which decides what fetches the weights."""

    CLAIM = "claim"
    REPOSITORY = "repository"
    REMOTE = "remote"
    BUCKET = "bucket"
    LOCAL = "local"
    #: None of the others: the operator's own HTTP client, which knows only http and https, has to fetch it.
    CONTROLLER = "controller"


@dataclass(frozen=True, slots=True)
class Source:
    """The parts of a source; `problem` is upstream's message if it names nothing usable, else empty.

    Claims have `claim` and `path`, local sources `path`, buckets `bucket` and `key`, and Hugging Face repositories `repository` and
    `revision`.
    """

    text: str
    kind: SourceKind
    claim: str = ""
    path: str = ""
    bucket: str = ""
    key: str = ""
    repository: str = ""
    revision: str = ""
    problem: str = ""

    @property
    def cache_key(self) -> str:
        """The folder of the cache into which this source's files go."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_LENGTH]

    @property
    def is_bare(self) -> bool:
        """Whether a repository is written as OWNER/NAME, without a scheme."""
        return self.kind is SourceKind.REPOSITORY and "://" not in self.text


def parse(text: str, operator: KnownOperator) -> Source:
    """Parse a source as this version of the operator does. It never fails."""
    return (_parse_short if len(text) <= _SHORT else _parse)(text, operator.version)


def _parse(text: str, version: Version) -> Source:
    if text.startswith("pvc://"):
        return _claim(text)
    if text.startswith("s3://") and version >= (0, 9, 6):
        return _bucket(text, version)
    if text.startswith(("file://", "/")):
        return Source(text, SourceKind.LOCAL, path=text.removeprefix("file://"))
    hub = _HUB.match(text) if version >= (0, 9, 13) else None
    if hub is not None:
        return _page(text, hub["path"])
    if text.startswith(("https://", "http://")):
        return Source(text, SourceKind.REMOTE)
    pattern = _REPOSITORY if version >= (0, 9, 7) else _REPOSITORY_UNPINNED
    name = text.removeprefix("hf://")
    if "/" in name and pattern.fullmatch(name):
        repository, _, revision = name.partition("@")
        return Source(text, SourceKind.REPOSITORY, repository=repository, revision=revision)
    return Source(text, SourceKind.CONTROLLER)


_parse_short: Final = lru_cache(maxsize=1024)(_parse)


def download_url(source: Source, operator: KnownOperator) -> str:
    """The init container's MODEL_SOURCE if it stages files: a URL for a repository with a scheme, any other source as written."""
    if not operator.since(0, 9, 7):
        return "https://huggingface.co/" + source.text.removeprefix("hf://") if source.text.startswith("hf://") else source.text
    if source.kind is not SourceKind.REPOSITORY or source.is_bare or repository_problem(source.text, operator):
        return source.text
    return f"https://huggingface.co/{source.repository}/resolve/{source.revision or 'main'}/"


def repository_problem(text: str, operator: KnownOperator) -> str:
    """Upstream's message on a source with files that looks like a repository but is none; empty if it is one, or doesn't look like one."""
    if not operator.since(0, 9, 7):
        return f"hf repo source must not contain @rev syntax: {text}" if "@" in text.removeprefix("hf://") else ""
    hub = _HUB.match(text) if operator.since(0, 9, 13) else None
    if hub is not None:
        page = _page(text, hub["path"])
        if page.kind is not SourceKind.REPOSITORY:
            return f"invalid huggingface.co URL: {text}"
        return _revision_problem(text, page.revision)
    if not text.startswith("hf://"):
        return ""
    name = text.removeprefix("hf://")
    if not name:
        return f"empty hf repo source: {text}"
    repository, pinned, revision = name.partition("@")
    if not repository:
        return f"empty repo ID in hf source: {text}"
    if pinned and not revision:
        return f"empty revision in hf source: {text}"
    return _revision_problem(text, revision)


def local_problem(source: Source, operator: KnownOperator) -> str:
    """Upstream's message if a local source isn't allowed; empty if it is, and for other sources."""
    if source.kind is not SourceKind.LOCAL or not operator.since(0, 9, 0):
        return ""
    if not source.path.startswith("/"):
        return f"local model source must be an absolute path: {quote(source.text)}"
    path = cleaned(source.path)
    roots = usable_roots(operator)
    if any(path == root or path.startswith(root + "/") for root in roots):
        return ""
    if not roots:
        return (
            "local/hostPath model sources are disabled: no allowed roots configured (set modelSource.allowedHostPathRoots); "
            f"refusing source {quote(source.text)} ({ADVISORY})"
        )
    listed = " ".join(operator.allowed_host_path_roots)
    return f"local model source {quote(source.text)} is not within any allowed root [{listed}] ({ADVISORY})"


def usable_roots(operator: KnownOperator) -> tuple[str, ...]:
    """The allowed folders that have an effect: the absolute ones, cleaned."""
    return tuple(cleaned(root) for root in operator.allowed_host_path_roots if root.startswith("/"))


def cleaned(path: str) -> str:
    """An absolute path without ``.``, ``..`` and repeated slashes, as from Go's `filepath.Clean`."""
    return "/" + posixpath.normpath(path).lstrip("/")


def _claim(text: str) -> Source:
    claim, path, problem = _two_steps(text, "PVC", "claim name", "file path", "pvc://claim-name/path/to/model.gguf")
    return Source(text, SourceKind.CLAIM, claim=claim, path=path, problem=problem)


def _bucket(text: str, version: Version) -> Source:
    # Until v0.9.15 the operator knew the scheme, but passed such a source to its HTTP client.
    kind = SourceKind.BUCKET if version >= (0, 9, 15) else SourceKind.CONTROLLER
    bucket, key, problem = _two_steps(text, "S3", "bucket", "key", "s3://bucket/key")
    return Source(text, kind, bucket=bucket, key=key, problem=problem)


def _two_steps(text: str, kind: str, first: str, second: str, expected: str) -> tuple[str, str, str]:
    """The two parts after the scheme of an address, and the operator's message if one is missing."""
    rest = text.partition("://")[2]
    head, slash, tail = rest.partition("/")
    problem = ""
    if not rest:
        problem = f"empty {kind} source: {text}"
    elif not slash:
        problem = f"{kind} source must include a {second}: {text} (expected {expected})"
    elif not head:
        problem = f"{kind} source has empty {first}: {text}"
    elif not tail:
        problem = f"{kind} source has empty {second}: {text}"
    return head, tail, problem


def _page(text: str, path: str) -> Source:
    """A page of huggingface.co: a repository, one of its files, or neither."""
    steps = [step for step in re.split("[?#]", path, maxsplit=1)[0].split("/") if step]
    if len(steps) >= 5 and steps[2] in {"resolve", "blob"}:
        return Source(text, SourceKind.REMOTE)
    if len(steps) < 2 or steps[0] in {"datasets", "spaces"}:
        return Source(text, SourceKind.CONTROLLER)
    pinned = len(steps) >= 4 and steps[2] in {"tree", "resolve", "blob"}
    return Source(text, SourceKind.REPOSITORY, repository="/".join(steps[:2]), revision=steps[3] if pinned else "")


def _revision_problem(text: str, revision: str) -> str:
    spaced = any(char in _WHITE_SPACE for char in revision)
    return f"hf revision must not contain whitespace: {text}" if spaced else ""
