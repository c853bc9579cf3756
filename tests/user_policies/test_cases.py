"""`weighbridge test`: its input, its comparison, its reports and the files that it writes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.user_policies.parts import CLUSTER, SERVICE

CONFIG = """apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
policies:
- {id: POLICY-001, name: one-gpu, validations: [{expression: effective.gpus <= 1, message: too many GPUs}],
   match: {kinds: [InferenceService.inference.llmkube.dev]}}
exceptions:
- {rules: [POLICY-001], match: {names: [old]}, reason: it is older than the rule}
"""
REFUSAL = "# Two GPUs are too many.\nallowed: false\nfindings: [POLICY-001 too many GPUs]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration and one case."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(CONFIG)
    case(tmp_path / "cases" / "refuses-two", REFUSAL)
    return tmp_path


def case(path: Path, expect: str, obj: str = SERVICE) -> None:
    """Write a case."""
    path.mkdir(parents=True)
    (path / "object.yaml").write_text(obj.lstrip() + "---\n" + CLUSTER.lstrip())
    (path / "expect.yaml").write_text(expect)


def asked(*more: str) -> tuple[int, str, str]:
    """The exit code and the output."""
    done = run("test", "cases", "--config", "config.yaml", *more)
    return done.returncode, done.stdout, done.stderr


def test_a_verdict_as_expected_passes(folder: Path) -> None:
    assert asked() == (0, "1 case: 1 passed, 0 failed\n", "")
    assert asked("-v")[1] == "ok    cases/refuses-two\n1 case: 1 passed, 0 failed\n"


def test_a_difference_is_shown_with_what_was_expected(folder: Path) -> None:
    (folder / "cases" / "refuses-two" / "expect.yaml").write_text("# It passes.\nallowed: true\nobject: {spec: {replicas: 3}}\n")
    code, out, _ = asked()
    assert code == 1
    assert out.splitlines() == [
        "FAIL  cases/refuses-two: It passes.",
        "      allowed:",
        "      - true",
        "      + false",
        "      findings:",
        "      - (none)",
        "      + - POLICY-001 too many GPUs",
        "      object:",
        "        spec:",
        "      -   replicas: 3",
        "      +   replicas: 2",
        "1 case: 0 passed, 1 failed",
    ]


def test_a_case_has_its_own_configuration_and_update(folder: Path) -> None:
    own = folder / "cases" / "accepts-two"
    case(own, "# Its own configuration allows two.\nallowed: true\n")
    (own / "config.yaml").write_text(CONFIG.replace("<= 1", "<= 2"))
    update = folder / "cases" / "warns-of-two-that-are-there"
    case(update, "# The stored object has them already.\nallowed: true\nfindings: [POLICY-001 too many GPUs]\n")
    (update / "old.yaml").write_text(SERVICE.lstrip())
    assert asked()[:2] == (0, "3 cases: 3 passed, 0 failed\n")


def test_junit_and_json_report_every_case(folder: Path) -> None:
    case(folder / "cases" / "accepts-two", "# It passes.\nallowed: true\n")
    suite = ET.fromstring(asked("-o", "junit")[1])[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failed, passed = suite
    assert (failed.get("name"), failed[0].tag, failed[0].get("message")) == ("accepts-two", "failure", "It passes.")
    assert "+ - POLICY-001 too many GPUs" in (failed[0].text or "")
    assert (passed.get("name"), len(passed)) == ("refuses-two", 0)
    report = json.loads(asked("-o", "json", "--coverage")[1])
    assert [entry["outcome"] for entry in report["cases"]] == ["failed", "passed"]
    assert report["coverage"]["policies"] == [{"id": "POLICY-001", "name": "one-gpu", "speaks": 2, "passes": 0}]


def test_a_file_of_a_case_that_is_no_file_is_not_passed_over(folder: Path) -> None:
    (folder / "cases" / "refuses-two" / "old.yaml").mkdir()
    code, out, _ = asked()
    assert (code, "cases/refuses-two/old.yaml: is a directory" in out) == (2, True)
    (folder / "cases" / "refuses-two" / "old.yaml").rmdir()
    (folder / "cases" / "refuses-two" / "old.yaml").symlink_to("nowhere.yaml")
    code, out, _ = asked()
    assert (code, "cases/refuses-two/old.yaml: no such file or directory" in out) == (2, True)


def test_coverage_names_what_no_case_shows(folder: Path) -> None:
    code, out, _ = asked("--require-coverage")
    assert code == 1
    assert out.splitlines()[:4] == [
        "policies: 0 of 1 covered",
        "  POLICY-001 one-gpu: no case that it passes",
        "exceptions: 0 of 1 used",
        "  exceptions[0] (it is older than the rule): no case uses it",
    ]
    case(folder / "cases" / "accepts-one", "# One GPU is allowed.\nallowed: true\n", SERVICE.replace("replicas: 2", "replicas: 1"))
    excepted = "# An exception notes it.\nallowed: true\nnotes: [POLICY-001 too many GPUs]\n"
    case(folder / "cases" / "notes-an-old-one", excepted, SERVICE.replace("name: chat", "name: old"))
    assert asked("--require-coverage")[0] == 0


@pytest.mark.parametrize(
    ("file", "text", "error"),
    [
        ("expect.yaml", "allowed: false\n", "expect.yaml:1: no sentence; begin with a comment that says what the case shows"),
        ("expect.yaml", "# A.\nfindings: []\n", "expect.yaml: allowed: missing; write true or false"),
        ("expect.yaml", "# A.\nallowed: 1\n", "expect.yaml:2: allowed: true or false is needed"),
        ("expect.yaml", "# A.\nallowed: true\nfinding: []\n", "expect.yaml:3: finding: unknown key; did you mean findings?"),
        ("expect.yaml", "# A.\nallowed: true\nmoment: monday\n", "expect.yaml:3: moment: 'monday' isn't a time with its zone"),
        ("expect.yaml", "# A.\nallowed: true\nfieldValidation: Lax\n", "expect.yaml:3: fieldValidation: write one of Strict, Warn, Ignore"),
        ("expect.yaml", "# A.\nallowed: [\n", "expect.yaml:"),
        ("object.yaml", "", "object.yaml: empty; write an object"),
        ("object.yaml", "a: b\n", "object.yaml:1: no Kubernetes object; write apiVersion and kind"),
        ("objects.yaml", "", "objects.yaml: isn't a file of a case; did you mean object.yaml?"),
        ("cluster.yaml", CLUSTER, "object.yaml: more than one document; the cluster's objects are here or in cluster.yaml"),
    ],
)
def test_a_case_that_can_not_be_read_is_an_error_of_its_own(folder: Path, file: str, text: str, error: str) -> None:
    case(folder / "cases" / "a-well-one", REFUSAL)
    (folder / "cases" / "refuses-two" / file).write_text(text)
    code, out, _ = asked()
    assert code == 2
    assert f"error cases/refuses-two\n      cases/refuses-two/{error}" in out
    assert out.endswith("2 cases: 1 passed, 0 failed, 1 can't be read\n")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["nowhere"], "nowhere: isn't a folder; give a folder with cases"),
        (["empty"], "empty: no case in this folder; weighbridge test --init OBJECT empty writes a first one"),
        ([], "name a folder of cases"),
        (["cases", "--cluster", "c.yaml"], "--cluster needs --init"),
        (["--init", "nothing.yaml", "cases"], "nothing.yaml"),
        (["--init", "config.yaml", "cases"], "config.yaml: is a Configuration of Weighbridge; give a manifest of an object to judge"),
        (["cases", "--config", "missing.yaml"], "missing.yaml"),
    ],
)
def test_what_can_not_be_asked_is_one_clear_error(folder: Path, arguments: list[str], error: str) -> None:
    (folder / "empty").mkdir()
    done = run("test", *arguments)
    assert done.returncode == 2
    assert error in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_a_first_case_passes_and_is_never_written_over(folder: Path) -> None:
    (folder / "service.yaml").write_text(SERVICE.lstrip())
    (folder / "cluster.yaml").write_text(CLUSTER.lstrip())
    arguments = ("test", "--init", "service.yaml", "first", "--cluster", "cluster.yaml", "--config", "config.yaml")
    assert run(*arguments).stdout.startswith("first/refuses-chat: written;")
    assert run("test", "first", "--config", "config.yaml").returncode == 0
    again = run(*arguments)
    assert again.returncode == 2
    assert "first/refuses-chat: exists already; rename it, or give another folder" in again.stderr


@pytest.mark.parametrize("family", ["aim", "inference_extension", "llmaz", "llmkube", "ome"])
def test_the_projects_own_cases_are_of_this_format(family: str) -> None:
    cases = sorted((ROOT / "tests" / "cases" / family).iterdir())[::60]
    done = run("test", *map(str, cases))
    assert (done.returncode, done.stdout) == (0, f"{len(cases)} case{'' if len(cases) == 1 else 's'}: {len(cases)} passed, 0 failed\n")


FILLING = """apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
policies:
- {id: POLICY-001, name: cpu, match: {kinds: [InferenceService.inference.llmkube.dev]},
   fillIns: [{fieldPath: .spec.resources.cpu, expression: "'4'"}]}
exceptions:
- {rules: [POLICY-001], match: {names: [old]}, reason: it is older than the policy}
"""


def test_a_first_case_and_coverage_know_what_is_filled_in(folder: Path) -> None:
    for name, text in {"fill": FILLING, "service": SERVICE.lstrip(), "cluster": CLUSTER.lstrip()}.items():
        (folder / f"{name}.yaml").write_text(text)
    options = ("--cluster", "cluster.yaml", "--config", "fill.yaml")
    assert run("test", "--init", "service.yaml", "filled", *options).returncode == 0
    expect = (folder / "filled" / "accepts-chat" / "expect.yaml").read_text()
    assert expect.endswith("object:\n  spec:\n    resources:\n      cpu: '4'\n")
    first = run("test", "filled", "--config", "fill.yaml", "--coverage").stdout.splitlines()
    assert first[:4] == [
        "policies: 0 of 1 covered",
        "  POLICY-001 cpu: no case that it passes",
        "exceptions: 0 of 1 used",
        "  exceptions[0] (it is older than the policy): no case uses it",
    ]
    case(folder / "filled" / "leaves-an-old-one", "# An exception leaves it.\nallowed: true\n", SERVICE.replace("name: chat", "name: old"))
    assert run("test", "filled", "--config", "fill.yaml", "--require-coverage").returncode == 0


def test_a_folder_that_can_not_be_read_is_named(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0)
    if os.access(folder / "closed", os.R_OK):
        pytest.skip("this user may read everything")
    for command in (("test", "closed"), ("config", "check", "closed"), ("lint", "closed")):
        done = run(*command)
        assert done.returncode == 2
        assert "closed: " in done.stderr + done.stdout
        assert "ermission denied" in done.stderr + done.stdout
