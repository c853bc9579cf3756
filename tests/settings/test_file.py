"""Files of settings: their mistakes, and the schema by which an editor checks them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES
from tests.yaml_documents import read
from weighbridge.webhook.settings.file import settings_of
from weighbridge.webhook.settings.keys import KEYS
from weighbridge.webhook.settings.schema import json_schema

WHOLE = """\
config: c.yaml
crds: [crds, more]
cluster: snapshot.yaml
exclude: [gen/, "*.tmp.yaml"]
fail-on: [warning, unknown]
namespace: models
kubernetes-version: 1.36
select: [LLMKUBE, K8S]
ignore: LLMKUBE-085
baseline: base.json
overrides:
- paths: [tests/**]
  ignore: ["*"]
  fail-on: never
  reason: wrong on purpose
"""

MISTAKES = {
    "failon: error": "weighbridge.yaml:1:1: failon: unknown key; did you mean fail-on?",
    "failOn: error": "weighbridge.yaml:1:1: failOn: unknown key; did you mean fail-on?",
    "x: 1": "weighbridge.yaml:1:1: x: unknown key; the keys here are overrides, config, crds, cluster, exclude, fail-on, namespace,",
    "fail-on: warn": "weighbridge.yaml:1:10: fail-on: 'warn' isn't a level; did you mean warning?",
    "fail-on: [error, note]": "weighbridge.yaml:1:10: fail-on: error and note can't be given together",
    "fail-on: error\nfail-on: note": 'weighbridge.yaml:2:1: duplicate field "fail-on"',
    "fail-on: error,note": "weighbridge.yaml:1:10: fail-on: error and note can't be given together",
    "fail-on: true": "weighbridge.yaml:1:10: fail-on: true is no item here; write a text such as warning",
    "config: [a]": "weighbridge.yaml:1:9: config: a list is no value here; write a text such as ops/configuration.yaml",
    "config:": "weighbridge.yaml:1:1: config: empty is no value here",
    "crds: [a, {b: c}]": "weighbridge.yaml:1:11: crds[1]: a map is no item here",
    "namespace: Models": "weighbridge.yaml:1:12: namespace: 'Models' isn't the name of a namespace",
    "kubernetes-version: one": "weighbridge.yaml:1:21: kubernetes-version: 'one' isn't a version of Kubernetes; write one such as 1.37",
    "ignore: [LLMKUBE-01]": "weighbridge.yaml:1:10: ignore[0]: no rule has the id 'LLMKUBE-01'; did you mean LLMKUBE-001?",
    "select: LMKUBE": "weighbridge.yaml:1:9: select: no rule has the id 'LMKUBE'; did you mean LLMKUBE?",
    "ignore: [LLMKUBE-9*]": "weighbridge.yaml:1:10: ignore[0]: no rule has an id like 'LLMKUBE-9*'",
    "exclude: [/]": "weighbridge.yaml:1:11: exclude[0]: '/' names no path",
    "overrides: {}": "weighbridge.yaml:1:12: overrides: isn't a list",
    "overrides: [1]": "weighbridge.yaml:1:13: overrides[0]: isn't a map",
    "overrides: [{ignore: [AIM]}]": "weighbridge.yaml:1:13: overrides[0]: paths is missing",
    "overrides: [{paths: [a], config: b}]": "weighbridge.yaml:1:26: overrides[0].config: unknown key; the keys here are paths, reason,",
    "overrides: [{paths: [a], reason: 1}]": "weighbridge.yaml:1:34: overrides[0].reason: isn't a text; put it in quotes",
    "- a": "weighbridge.yaml:1:1: settings are a map; the keys are config, crds",
    "a: [": "weighbridge.yaml:",
    "fail-on: error\n---\nfail-on: note": "weighbridge.yaml:3:1: a second document; a file of settings has one, here are 2",
}


@pytest.mark.parametrize(("text", "expected"), MISTAKES.items(), ids=MISTAKES)
def test_a_mistake_has_line_field_and_the_nearest(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "weighbridge.yaml").write_text(text + "\n")
    (tmp_path / "m.yaml").write_text(EXAMPLES[0].written())
    done = run("lint", "m.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: {expected}"), done.stderr
    checked = run("config", "check", "weighbridge.yaml", cwd=tmp_path)
    assert (checked.returncode, checked.stdout.startswith(expected)) == (2, True)


def test_all_mistakes_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "weighbridge.yaml").write_text("fail-on: warn\noverrides:\n- {ignore: [X-1]}\nnames: a\n")
    done = run("config", "check", "weighbridge.yaml", "-o", "json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [(entry["line"], entry["field"]) for entry in found["mistakes"]] == [
        (1, "fail-on"), (3, "overrides[0]"), (3, "overrides[0].ignore[0]"), (4, "names"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}\n"])
def test_an_empty_file_sets_nothing(tmp_path: Path, text: str) -> None:
    found = settings_of("weighbridge.yaml", text.encode())
    assert (dict(found.named), list(found.overrides)) == ({}, [])


def test_a_whole_file_can_be_used_and_has_every_key() -> None:
    found = settings_of("ops/weighbridge.yaml", WHOLE.encode())
    assert found.named.keys() == KEYS.keys()
    assert found.texts("crds") == ("ops/crds", "ops/more")
    assert found.texts("kubernetes-version") == ("1.36",)
    assert found.texts("exclude") == ("gen/", "*.tmp.yaml")
    assert (found.overrides[0].paths, found.overrides[0].reason) == (("tests/**",), "wrong on purpose")


def test_a_version_is_read_as_it_is_written() -> None:
    """YAML reads 1.30 as the number 1.3."""
    assert settings_of("w.yaml", b"kubernetes-version: [1.30, 1.36]").texts("kubernetes-version") == ("1.30", "1.36")


def test_the_schema_takes_what_is_read_and_nothing_else() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(read(WHOLE), schema)
    assert schema["properties"].keys() == {*KEYS, "overrides"}
    for text in ("failon: error", "fail-on: warn", "config: [a]", "overrides: [{ignore: [AIM]}]", "overrides: [{paths: [a], config: b}]"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(read(text), schema)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "weighbridge.yaml").mkdir()
    (tmp_path / "m.yaml").write_text(EXAMPLES[0].written())
    done = run("lint", "m.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "Error: weighbridge.yaml: is a directory; give a file of settings\n")
    (tmp_path / "weighbridge.yaml").rmdir()
    os.mkfifo(tmp_path / "weighbridge.yaml")
    assert "weighbridge.yaml: no regular file; name it with --settings" in run("lint", "m.yaml", cwd=tmp_path).stderr
    (tmp_path / "weighbridge.yaml").unlink()
    (tmp_path / "weighbridge.yaml").symlink_to("nowhere")
    assert "weighbridge.yaml: no such file or directory; give a file of settings" in run("lint", "m.yaml", cwd=tmp_path).stderr
    (tmp_path / "weighbridge.yaml").unlink()
    (tmp_path / "weighbridge.yaml").write_bytes(b"a: " + b"x" * (1 << 20))
    done = run("lint", "m.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr.startswith("Error: weighbridge.yaml: larger than 1 MiB")) == (2, True), done.stderr
    (tmp_path / "weighbridge.yaml").write_bytes(b"fail-on: \xff\n")
    assert run("lint", "m.yaml", cwd=tmp_path).stderr.startswith("Error: weighbridge.yaml:1:")


def test_the_check_of_a_folder_finds_files_of_settings(tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "weighbridge.yaml").write_text("fail-on: sometimes\n")
    (tmp_path / "model.yaml").write_text("a: 1\n")
    done = run("config", "check", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("apps/weighbridge.yaml:1:10: fail-on: 'sometimes' isn't a level; write one of error,")
    (tmp_path / "apps" / "weighbridge.yaml").unlink()
    assert (
        run("config", "check", ".", cwd=tmp_path).stderr
        == "Error: .: no file of kind Configuration and no weighbridge.yaml in this directory\n"
    )
