"""JSON with comments: it is read as a manifest only if it was meant as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run

_SETTINGS = '{\n  // what an editor reads\n  "compilerOptions": {"kind": "x", "apiVersion": "y"},\n}\n'
_MANIFEST = '{\n  "apiVersion": "v1", /* the\n core */ "kind": "Pod",\n  "metadata": {"name": "a"}\n}\n'


@pytest.mark.parametrize(
    "text",
    [
        _SETTINGS,
        "",
        "{",
        "[1, 2",
        '{"a": "// kind", "b": "\\"kind\\": 1",}',
        '["kind", // "apiVersion": 1,',
        '{"kind": 1, // no other key of a manifest\n}',
        '{"x": "apiVersion", "y": "kind" /* }',
    ],
)
def test_a_found_file_that_is_no_manifest_is_no_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "tsconfig.json").write_text(text)
    assert run("lint", str(tmp_path)).returncode == 0


@pytest.mark.parametrize("text", [_MANIFEST, f"[{_MANIFEST}]", '{"kind": "Pod", "spec": {} // a\n}'])
def test_a_manifest_with_comments_is_an_error_at_the_comment(tmp_path: Path, text: str) -> None:
    (tmp_path / "pod.json").write_text(text)
    done = run("lint", ".", cwd=tmp_path)
    line = text[: min(text.find(sign) % 1000 for sign in ("//", "/*"))].count("\n") + 1
    assert done.returncode == 2
    assert done.stdout.startswith(f"pod.json:{line}:")
    assert "JSON has no comments; take them out, or write the manifest in YAML" in done.stdout


def test_a_manifest_that_is_broken_otherwise_has_the_error_of_before(tmp_path: Path) -> None:
    (tmp_path / "pod.json").write_text(_MANIFEST.replace("/* the\n core */", "").replace('"Pod",', '"Pod"'))
    done = run("lint", str(tmp_path))
    assert done.returncode == 2
    assert "invalid" in done.stdout
    assert "comments" not in done.stdout


def test_a_named_file_is_an_error_whatever_it_was_meant_as(tmp_path: Path) -> None:
    (tmp_path / "tsconfig.json").write_text(_SETTINGS)
    done = run("lint", "tsconfig.json", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        2,
        "tsconfig.json:2:3: error: JSON has no comments; take them out, or write the manifest in YAML",
    )
