"""`weighbridge lint`: its findings, the objects that it skips, and the exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.command_line import run

GOOD = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: good}\nspec: {source: hf://org/model}\n"
BAD = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata:\n  name: bad\nspec:\n  source: pvc://models\n"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {}\n"


def test_a_finding_has_its_place_and_the_exit_code_is_one(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(BAD)
    done = run("lint", str(file))
    assert done.returncode == 1
    assert f'{file}:6:11: error[LLMKUBE-009] spec.source: "pvc://models" is incomplete; write pvc://CLAIM/PATH' in done.stdout
    assert done.stderr == ""


def test_a_good_folder_ends_with_zero(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "more.json").write_text(json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}))
    done = run("lint", str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "checked 1 of 2 objects in 2 files: 0 failed, 0 warned, 1 skipped"


def test_standard_input_lists_and_several_documents_are_read() -> None:
    text = GOOD + "---\n" + BAD + "---\napiVersion: v1\nkind: List\nitems:\n- " + BAD.replace("\n", "\n  ").rstrip() + "\n"
    done = run("lint", "-", text=text)
    assert done.returncode == 1
    places = [line.split(":")[1] for line in done.stdout.splitlines() if "LLMKUBE-009" in line]
    assert places == ["11", "21"]


def test_kinds_that_are_not_known_are_counted_and_other_yaml_is_passed_over() -> None:
    kettle = "apiVersion: example.com/v1\nkind: Kettle\nmetadata: {name: d}\n"
    done = run("lint", "-", text=kettle + "---\nvalues: {replicas: 1}\n---\n# nothing\n")
    assert done.returncode == 0
    assert "not checked: example.com/v1 Kettle: no CustomResourceDefinition for this kind is known (1 object)" in done.stdout
    assert (
        done.stdout.splitlines()[-1] == "checked 0 of 1 object in 1 file: 0 failed, 0 warned, 1 not checked, 1 other document passed over"
    )


def test_what_a_document_has_wrong_is_told_once_for_all_of_its_objects() -> None:
    anchored = "- " + GOOD.replace("metadata: {", "metadata: &m {").replace("\n", "\n  ").rstrip()
    merged = "- " + GOOD.replace("{name: good}", "{name: other, <<: *m}").replace("\n", "\n  ").rstrip()
    text = f"apiVersion: v1\nkind: List\nitems:\n{anchored}\n{merged}\n"
    alone = GOOD.replace("{name: good}", "{name: good, labels: &l {a: b}, annotations: {a: c, <<: *l}}")
    for documents in ([text], [text, text], [alone], [alone, text]):
        done = run("lint", "-", text="---\n".join(documents))
        told = [line for line in done.stdout.splitlines() if 'the merge key "<<" replaces' in line]
        assert len(told) == len(documents), done.stdout


def test_a_field_that_stands_twice_is_a_finding() -> None:
    done = run("lint", "-", text=GOOD + "kind: Model\n")
    assert done.returncode == 1
    assert done.stdout.startswith('-:5:7: error[K8S-002] kind: duplicate field "kind"')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1, 2\n", "-:1:"),
        ("apiVersion: v1\n\tkind: x\n", "-:2:1"),
        ("\x00\x01", "-:1:1"),
        ("[" * 100_000, "-:1:"),
        ("{" * 100_000 + "x", "-:1:"),
        (
            "a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
            + "".join(f"{chr(99 + i)}: &{chr(99 + i)} [{','.join(['*' + chr(98 + i)] * 9)}]\n" for i in range(9)),
            "-:",
        ),
    ],
    ids=["unclosed", "tab", "binary", "deep list", "deep map", "aliases that multiply"],
)
def test_what_cannot_be_read_is_one_error_and_two(text: str, said: str) -> None:
    done = run("lint", "-", text=text)
    assert done.returncode == 2
    assert done.stdout.startswith(said)
    assert "Traceback" not in done.stdout + done.stderr


def test_a_file_that_is_missing_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(BAD)
    done = run("lint", str(tmp_path / "absent.yaml"), str(tmp_path / "bad.yaml"))
    assert done.returncode == 2
    assert "absent.yaml: error: no such file or directory" in done.stdout
    assert "LLMKUBE-009" in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    file = tmp_path / "secret.yaml"
    file.write_text(GOOD)
    file.chmod(0)
    assert "permission denied" in run("lint", str(file)).stdout


def test_json_output_is_one_document(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(BAD)
    report = json.loads(run("lint", str(file), "-o", "json").stdout)
    assert report["summary"]["failed"] == 1
    finding = report["results"][0]["findings"][0]
    assert (finding["rule"], finding["line"], finding["column"], finding["endColumn"]) == ("LLMKUBE-009", 6, 11, 23)


@pytest.mark.parametrize("command", ["lint", "dry-run", "migrate"])
@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_pipe_is_an_error(command: str, text: str) -> None:
    done = run(command, "-", text=text)
    assert done.returncode == 2
    assert "standard input is empty; check the command before the pipe" in done.stdout + done.stderr


def test_an_empty_buffer_and_an_empty_file_are_fine(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("")
    assert run("lint", "-", "--stdin-filename", "a.yaml", cwd=tmp_path, text="").returncode == 0
    assert run("lint", "a.yaml", cwd=tmp_path).returncode == 0
    assert run("lint", "-", text="# nothing\n").returncode == 0


def test_warnings_fail_only_where_that_is_asked_for() -> None:
    text = GOOD.replace("{source: hf://org/model}", "{source: hf://org/model, hardware: {gpu: {count: 1, memory: 4GB}}}")
    assert run("lint", "-", text=text).returncode == 0
    assert run("lint", "-", "--fail-on", "warning", text=text).returncode == 1
    assert run("lint", "-", "--fail-on", "never", text=BAD).returncode == 0


def test_other_crds_take_the_place_of_the_bundled_ones(tmp_path: Path) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}},
                }
            ],
        },
    }
    (tmp_path / "crd.json").write_text(json.dumps(crd))
    widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nsize: 0\n"
    done = run("lint", "-", "--crds", str(tmp_path), text=widget)
    assert done.returncode == 1
    assert "size: Invalid value: 0: size in body should be greater than or equal to 1" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-", "--crds", "/nowhere"), "/nowhere: no such file or directory"),
        (("-", "--cluster", "/nowhere"), "/nowhere: no such file or directory"),
        (("-", "--config", "/nowhere"), "/nowhere: no such file or directory"),
        (("-", "-o", "xml"), "'xml' is not one of 'text', 'concise', '"),
    ],
    ids=["no CRDs", "no cluster", "no configuration", "no such format"],
)
def test_a_wrong_command_line_is_one_error_and_two(arguments: tuple[str, ...], said: str) -> None:
    done = run("lint", *arguments, text=GOOD)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["lint x.yaml", "dry-run x.yaml", "impact -f x.yaml", "config show"])
@pytest.mark.parametrize("namespace", ["A B", "a.b", "\udcff"])
def test_a_namespace_that_can_be_none_is_refused(command: str, namespace: str) -> None:
    done = run(*command.split(), "-n", namespace)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error: Invalid value for '-n' / '--namespace': " in done.stderr


def test_the_formats_of_ci_servers_fail_where_the_exit_code_is_one(tmp_path: Path) -> None:
    file = tmp_path / "idle.yaml"
    file.write_text(GOOD.replace("source: hf://org/model", "source: hf://org/model, hardware: {gpu: {enabled: true}}"))
    for level, code, failures in (("error", 0, 0), ("warning", 1, 1), ("note", 1, 1), ("never", 0, 0)):
        done = run("lint", str(file), "-o", "junit", "--fail-on", level)
        assert (done.returncode, done.stdout.count("<failure ")) == (code, failures), done.stdout
        done = run("lint", str(file), "-o", "tap", "--fail-on", level)
        assert (done.returncode, done.stdout.count("not ok ")) == (code, failures), done.stdout
    (tmp_path / "bad.yaml").write_text(BAD)
    done = run("lint", str(tmp_path), "-o", "junit", "--fail-on", "never")
    assert (done.returncode, done.stdout.count("<failure ")) == (0, 1)


@pytest.mark.parametrize("option", ["-f", "--filename"])
@pytest.mark.parametrize("command", ["lint", "dry-run", "migrate"])
def test_kubectls_option_for_files_is_answered_with_what_to_write(command: str, option: str) -> None:
    done = run(command, option, "x.yaml")
    assert done.returncode == 2
    assert f"No such option '{option}'. Write the paths without an option." in done.stderr
