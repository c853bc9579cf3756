"""The kind of a Model's source and its faults, in the last version that reads it in one way and the first one that reads it in another."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.source import SourceKind, download_url, local_problem, parse, repository_problem
from weighbridge.policies.families.upstream_versions import Version

PAGE = "https://huggingface.co/o/n"
NEWEST = (0, 9, 19)
DISABLED = (
    "local/hostPath model sources are disabled: no allowed roots configured (set modelSource.allowedHostPathRoots); "
    'refusing source "/models/a" {0}'
)


@pytest.mark.parametrize(
    ("source", "version", "kind"),
    [
        ("s3://b/k", (0, 9, 5), SourceKind.CONTROLLER),
        ("s3://b/k", (0, 9, 6), SourceKind.CONTROLLER),
        ("s3://b/k", (0, 9, 14), SourceKind.CONTROLLER),
        ("s3://b/k", (0, 9, 15), SourceKind.BUCKET),
        (PAGE, (0, 9, 12), SourceKind.REMOTE),
        (PAGE, (0, 9, 13), SourceKind.REPOSITORY),
        ("o/n@v1", (0, 9, 6), SourceKind.CONTROLLER),
        ("o/n@v1", (0, 9, 7), SourceKind.REPOSITORY),
        ("hf://o/n", (0, 9, 6), SourceKind.REPOSITORY),
        ("hf://o", NEWEST, SourceKind.CONTROLLER),
        ("file:///a", NEWEST, SourceKind.LOCAL),
        ("pvc://c", NEWEST, SourceKind.CLAIM),
        (f"{PAGE}/blob/main/a.gguf", NEWEST, SourceKind.REMOTE),
        (f"{PAGE}/blob/main", NEWEST, SourceKind.REPOSITORY),
        ("https://huggingface.co/o", NEWEST, SourceKind.CONTROLLER),
        ("https://huggingface.co/spaces/o/n", NEWEST, SourceKind.CONTROLLER),
    ],
)
def test_kinds_by_version(source: str, version: Version, kind: SourceKind) -> None:
    assert parse(source, KnownOperator(version=version)).kind is kind


@pytest.mark.parametrize(
    ("source", "repository", "revision"),
    [
        ("o/n", "o/n", ""),
        ("hf://o/n@v1", "o/n", "v1"),
        (PAGE, "o/n", ""),
        (f"{PAGE}/tree/v1", "o/n", "v1"),
        (f"{PAGE}/tree/v1/folder?a=b", "o/n", "v1"),
        (f"{PAGE}/tree", "o/n", ""),
        (f"{PAGE}/commits/v1", "o/n", ""),
    ],
)
def test_a_repository_and_its_revision(source: str, repository: str, revision: str) -> None:
    found = parse(source, KnownOperator())
    assert (found.repository, found.revision, found.is_bare) == (repository, revision, source == "o/n")


@pytest.mark.parametrize(
    ("source", "version", "problem"),
    [
        ("hf://o/n@v1", (0, 9, 6), "hf repo source must not contain @rev syntax: hf://o/n@v1"),
        ("hf://o/n", (0, 9, 6), ""),
        ("hf://o/n@v1", (0, 9, 7), ""),
        ("hf://", NEWEST, "empty hf repo source: hf://"),
        ("hf://@v1", NEWEST, "empty repo ID in hf source: hf://@v1"),
        ("hf://o/n@", NEWEST, "empty revision in hf source: hf://o/n@"),
        ("hf://o/n@v 1", NEWEST, "hf revision must not contain whitespace: hf://o/n@v 1"),
        ("https://huggingface.co/o", (0, 9, 12), ""),
        ("https://huggingface.co/o", (0, 9, 13), "invalid huggingface.co URL: https://huggingface.co/o"),
        (f"{PAGE}/tree/v 1", NEWEST, f"hf revision must not contain whitespace: {PAGE}/tree/v 1"),
        (PAGE, NEWEST, ""),
        ("o/n", NEWEST, ""),
    ],
)
def test_what_is_wrong_with_a_repository(source: str, version: Version, problem: str) -> None:
    assert repository_problem(source, KnownOperator(version=version)) == problem


@pytest.mark.parametrize(
    ("source", "version", "url"),
    [
        ("hf://o/n", (0, 9, 6), "https://huggingface.co/o/n"),
        ("hf://o/n", (0, 9, 7), "https://huggingface.co/o/n/resolve/main/"),
        ("hf://o/n@v1", (0, 9, 7), "https://huggingface.co/o/n/resolve/v1/"),
        (f"{PAGE}/tree/v1", (0, 9, 12), f"{PAGE}/tree/v1"),
        (f"{PAGE}/tree/v1", (0, 9, 13), "https://huggingface.co/o/n/resolve/v1/"),
        ("hf://o/n@", NEWEST, "hf://o/n@"),
        ("o/n", NEWEST, "o/n"),
        ("https://example.com/a", (0, 9, 6), "https://example.com/a"),
    ],
)
def test_where_files_are_staged_from(source: str, version: Version, url: str) -> None:
    operator = KnownOperator(version=version)
    assert download_url(parse(source, operator), operator) == url


@pytest.mark.parametrize(
    ("source", "roots", "version", "problem"),
    [
        ("/models", ("/models/",), NEWEST, ""),
        ("/models/./a", ("/models",), NEWEST, ""),
        ("/models/../etc", ("/models",), NEWEST, 'local model source "/models/../etc" is not within any allowed root [/models] {0}'),
        ("/models2/a", ("/models", "/x"), NEWEST, 'local model source "/models2/a" is not within any allowed root [/models /x] {0}'),
        ("file://a", ("/models",), NEWEST, 'local model source must be an absolute path: "file://a"'),
        (
            "/models/a",
            ("models",),
            NEWEST,
            DISABLED,
        ),
        ("/etc/a", (), (0, 8, 99), ""),
        ("hf://o/n", (), NEWEST, ""),
    ],
)
def test_where_local_models_may_lie(source: str, roots: tuple[str, ...], version: Version, problem: str) -> None:
    operator = KnownOperator(version=version, allowed_host_path_roots=roots)
    assert local_problem(parse(source, operator), operator) == problem.format("(GHSA-jw3m-8q7m-f35r)")
