"""Every form of `source`, parsed as the versions of the operator do it."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.controller_download import download_problem
from weighbridge.policies.families.llmkube.predictions.model.file import file_name, slug
from weighbridge.policies.families.llmkube.subject.source import SourceKind, cleaned, download_url, local_problem, parse, repository_problem
from weighbridge.policies.families.upstream_versions import Version

NEWEST: Version = (0, 9, 19)


def _operator(version: Version = NEWEST, roots: tuple[str, ...] = ()) -> KnownOperator:
    return KnownOperator(version=version, allowed_host_path_roots=roots)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://example.com/a.gguf", SourceKind.REMOTE),
        ("http://x", SourceKind.REMOTE),
        ("pvc://claim/a", SourceKind.CLAIM),
        ("s3://b/k", SourceKind.BUCKET),
        ("/data/a", SourceKind.LOCAL),
        ("file://relative", SourceKind.LOCAL),
        ("org/name", SourceKind.REPOSITORY),
        ("a//b", SourceKind.REPOSITORY),
        ("hf://org/name@v1", SourceKind.REPOSITORY),
        ("hf://org", SourceKind.CONTROLLER),
        ("hf://org/na me", SourceKind.CONTROLLER),
        ("hf://-org/name", SourceKind.CONTROLLER),
        ("model.gguf", SourceKind.CONTROLLER),
        ("", SourceKind.CONTROLLER),
        ("https://huggingface.co/org/name", SourceKind.REPOSITORY),
        ("https://www.huggingface.co/org/name?library=vllm", SourceKind.REPOSITORY),
        ("https://huggingface.co/org/name/tree/main/sub", SourceKind.REPOSITORY),
        ("https://huggingface.co/org/name/resolve/v1", SourceKind.REPOSITORY),
        ("https://huggingface.co/org/name/resolve/main/a.gguf", SourceKind.REMOTE),
        ("https://huggingface.co/org/name/blob/main/d/a.gguf?download=true", SourceKind.REMOTE),
        ("https://huggingface.co/org", SourceKind.CONTROLLER),
        ("https://huggingface.co/spaces/org/name", SourceKind.CONTROLLER),
        ("https://huggingface.company/org", SourceKind.REMOTE),
    ],
)
def test_each_form_has_its_kind(text: str, kind: SourceKind) -> None:
    assert parse(text, _operator()).kind is kind


@pytest.mark.parametrize(
    ("text", "before", "since", "was", "became"),
    [
        ("s3://b/k", (0, 9, 5), (0, 9, 15), SourceKind.CONTROLLER, SourceKind.BUCKET),
        ("s3://b/k", (0, 9, 14), (0, 9, 15), SourceKind.CONTROLLER, SourceKind.BUCKET),
        ("hf://org/name@v1", (0, 9, 6), (0, 9, 7), SourceKind.CONTROLLER, SourceKind.REPOSITORY),
        ("https://huggingface.co/org/name", (0, 9, 12), (0, 9, 13), SourceKind.REMOTE, SourceKind.REPOSITORY),
    ],
)
def test_kinds_follow_the_version(text: str, before: Version, since: Version, was: SourceKind, became: SourceKind) -> None:
    assert parse(text, _operator(before)).kind is was
    assert parse(text, _operator(since)).kind is became


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("pvc://", "empty PVC source: pvc://"),
        ("pvc://c", "PVC source must include a file path: pvc://c (expected pvc://claim-name/path/to/model.gguf)"),
        ("pvc:///a", "PVC source has empty claim name: pvc:///a"),
        ("pvc://c/", "PVC source has empty file path: pvc://c/"),
        ("pvc://c/a", ""),
        ("s3://", "empty S3 source: s3://"),
        ("s3://b", "S3 source must include a key: s3://b (expected s3://bucket/key)"),
        ("s3:///k", "S3 source has empty bucket: s3:///k"),
        ("s3://b/", "S3 source has empty key: s3://b/"),
        ("s3://b/k", ""),
    ],
)
def test_what_claims_and_buckets_lack_is_said(text: str, problem: str) -> None:
    assert parse(text, _operator()).problem == problem


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("hf://org/name", "https://huggingface.co/org/name/resolve/main/"),
        ("hf://org/name@v1", "https://huggingface.co/org/name/resolve/v1/"),
        ("https://huggingface.co/org/name/tree/dev", "https://huggingface.co/org/name/resolve/dev/"),
        ("https://huggingface.co/org/name", "https://huggingface.co/org/name/resolve/main/"),
        ("org/name", "org/name"),
        ("s3://b/dir", "s3://b/dir"),
        ("hf://org/name@", "hf://org/name@"),
    ],
)
def test_files_are_staged_from_the_address_of_a_repository(text: str, url: str) -> None:
    assert download_url(parse(text, _operator()), _operator()) == url


def test_an_older_operator_leaves_the_revision_out_of_the_address() -> None:
    old = _operator((0, 9, 5))
    assert download_url(parse("hf://org/name", old), old) == "https://huggingface.co/org/name"
    assert download_url(parse("org/name", old), old) == "org/name"


@pytest.mark.parametrize(
    ("text", "version", "problem"),
    [
        ("hf://", NEWEST, "empty hf repo source: hf://"),
        ("hf://@v1", NEWEST, "empty repo ID in hf source: hf://@v1"),
        ("hf://org/name@", NEWEST, "empty revision in hf source: hf://org/name@"),
        ("hf://org/name@v 1", NEWEST, "hf revision must not contain whitespace: hf://org/name@v 1"),
        ("https://huggingface.co/datasets/o/n", NEWEST, "invalid huggingface.co URL: https://huggingface.co/datasets/o/n"),
        ("https://huggingface.co/o/n/resolve/main/a", NEWEST, "invalid huggingface.co URL: https://huggingface.co/o/n/resolve/main/a"),
        ("hf://org/name@v1", NEWEST, ""),
        ("org/name", NEWEST, ""),
        ("hf://org/name@v1", (0, 9, 6), "hf repo source must not contain @rev syntax: hf://org/name@v1"),
        ("https://huggingface.co/datasets/o/n", (0, 9, 12), ""),
    ],
)
def test_what_is_no_repository_is_said_where_files_are_staged(text: str, version: Version, problem: str) -> None:
    assert repository_problem(text, _operator(version)) == problem


@pytest.mark.parametrize(
    ("text", "roots", "allowed"),
    [
        ("/data/models/a", ("/data/models",), True),
        ("/data/models", ("/data/models",), True),
        ("file:///data/models/a", ("/data/models/",), True),
        ("/data/models/x/../a", ("/data/models",), True),
        ("//data/models/a", ("/data/models",), True),
        ("/data/modelsX/a", ("/data/models",), False),
        ("/data/models/../a", ("/data/models",), False),
        ("/data/a", ("data", ""), False),
        ("/..", (), False),
        ("file://data/models/a", ("/data/models",), False),
    ],
)
def test_local_paths_must_lie_in_an_allowed_folder(text: str, roots: tuple[str, ...], allowed: bool) -> None:
    operator = _operator(roots=roots)
    assert (local_problem(parse(text, operator), operator) == "") is allowed


def test_before_folders_had_to_be_allowed_all_were() -> None:
    old = _operator((0, 8, 28))
    assert local_problem(parse("/etc/passwd", old), old) == ""


@pytest.mark.parametrize(("path", "clean"), [("/a/./b//c/..", "/a/b"), ("//a", "/a"), ("/..", "/"), ("/", "/")])
def test_paths_are_cleaned_as_go_does(path: str, clean: str) -> None:
    assert cleaned(path) == clean


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("model.gguf", 'Get "model.gguf": unsupported protocol scheme ""'),
        ("hf://org", 'Get "hf://org": unsupported protocol scheme "hf"'),
        ("hf://", 'Get "hf:": unsupported protocol scheme "hf"'),
        ("hf://org/na me?a b", 'Get "hf://org/na%20me?a b": unsupported protocol scheme "hf"'),
        ("hf://org:latest", 'parse "hf://org:latest": invalid port ":latest" after host'),
        ("hf://o rg", 'parse "hf://o rg": invalid character " " in host name'),
    ],
)
def test_the_operators_client_says_what_it_cannot_fetch(address: str, said: str) -> None:
    assert download_problem(address) == f"failed to download: {said}"


def test_what_the_network_answers_is_not_foretold() -> None:
    assert download_problem("https://huggingface.co/datasets/org/name") == ""


@pytest.mark.parametrize(
    ("name", "safe"), [("Llama 3.1 (8B)", "Llama-3.1-8B"), ("..a--b__", "a-b"), ("--", ""), ("größe", "gr-e"), ("a.b_c-d", "a.b_c-d")]
)
def test_names_become_names_of_files(name: str, safe: str) -> None:
    assert slug(name) == safe


def test_the_header_of_the_file_names_it_before_the_model_does() -> None:
    model = {"metadata": {"name": "m"}, "status": {"gguf": {"modelName": "Qwen 2.5"}}}
    assert file_name(model) == "Qwen-2.5.gguf"
    assert file_name({"metadata": {"name": "m"}}) == "m.gguf"
    assert file_name({}) == "model.gguf"
