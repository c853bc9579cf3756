"""`make check` finds what has changed, and the tests that it reaches."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.programs.check import __main__ as program_of_check
from tests.programs.check.__main__ import main
from tests.programs.check.changed import GitError, changes
from tests.programs.check.jobs import Job, Outcome, run
from tests.programs.check.kept import Kept
from tests.programs.check.near import TestJobs
from tests.programs.check.reached import Reached, Tree, reached

RULE = "policies/families/llmkube/rules/llmkube_001_accelerator_contradicts_vendor.py"
CASE = "llmkube/refuses-rocm-on-an-nvidia-gpu"


@pytest.fixture(scope="module")
def tree() -> Tree:
    """The imports of the project as it is."""
    return Tree()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a branch that hasn't changed anything since `main`."""
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    (tmp_path / "kept.txt").write_text("as before")
    (tmp_path / "gone.txt").write_text("soon")
    commit(tmp_path)
    git(tmp_path, "checkout", "--quiet", "-b", "branch")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    """Run git."""
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    """Commit everything."""
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "--quiet", "--no-verify", "-m", "Change it")


def test_without_a_change_there_is_nothing_to_do(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], repository) == 0
    assert capsys.readouterr().out.startswith("Nothing has changed since ")


def test_what_was_written_is_listed_even_if_a_step_fails(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "changed.txt").write_text("1")
    program = "import pathlib, sys; pathlib.Path('words.md').write_text('new'); sys.exit('unchecked: X')"
    monkeypatch.setattr(program_of_check, "_forming", lambda _: ())
    monkeypatch.setattr(program_of_check, "_lint", lambda: ())
    monkeypatch.setattr(program_of_check, "_writing", lambda _: [Job("words", (sys.executable, "-c", program))])
    assert main([], repository) == 1
    said = capsys.readouterr().out
    assert "unchecked: X" in said
    assert "written  words.md: read the difference" in said
    assert "The tests weren't run." in said


def test_committed_uncommitted_new_and_deleted_files_are_changes(repository: Path) -> None:
    (repository / "committed.txt").write_text("1")
    commit(repository)
    (repository / "new.txt").write_text("2")
    (repository / "gone.txt").unlink()
    found = changes(repository).digests
    assert sorted(found) == ["committed.txt", "gone.txt", "new.txt"]
    assert found["gone.txt"] == ""
    assert sorted(changes(repository, "HEAD").digests) == ["gone.txt", "new.txt"]


def test_a_branch_begins_where_it_left_main(repository: Path) -> None:
    (repository / "committed.txt").write_text("1")
    commit(repository)
    assert list(changes(repository).digests) == ["committed.txt"]
    git(repository, "checkout", "--quiet", "main")
    (repository / "of-main.txt").write_text("2")
    commit(repository)
    git(repository, "checkout", "--quiet", "branch")
    assert list(changes(repository).digests) == ["committed.txt"]


@pytest.mark.parametrize("own", ["main", "branch", "branch-without-main"])
def test_what_was_cloned_is_compared_with_the_remote(repository: Path, tmp_path: Path, own: str) -> None:
    git(repository, "checkout", "--quiet", "main")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(repository), str(clone))
    if own != "main":
        git(clone, "checkout", "--quiet", "-b", own)
    if own == "branch-without-main":
        git(clone, "branch", "--quiet", "-D", "main")
    (clone / "committed.txt").write_text("1")
    commit(clone)
    assert list(changes(clone).digests) == ["committed.txt"]


def test_a_branch_that_was_pushed_is_still_compared_with_main(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(repository, "checkout", "--quiet", "main")
    git(tmp_path, "clone", "--quiet", str(repository), str(clone))
    git(clone, "checkout", "--quiet", "-b", "pushed")
    (clone / "committed.txt").write_text("1")
    commit(clone)
    git(clone, "push", "--quiet", "--set-upstream", "origin", "pushed")
    assert list(changes(clone).digests) == ["committed.txt"]


def test_without_main_only_what_is_not_committed_is_a_change(repository: Path) -> None:
    git(repository, "branch", "--quiet", "-D", "main")
    (repository / "new.txt").write_text("1")
    assert list(changes(repository).digests) == ["new.txt"]


def test_a_revision_that_is_none_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(GitError, match="no such revision"):
        changes(repository, "nothing")
    assert main(["--since", "nothing"], repository) == 2
    assert "no such revision" in capsys.readouterr().err


def test_a_rule_reaches_its_cases_and_its_familys_words(tree: Tree) -> None:
    found = reached([RULE], tree)
    assert (found.families, found.rules, found.tests) == (("llmkube",), ("LLMKUBE-001",), ())
    assert found.alone == ("llmkube",)
    assert found.modules == (tree.modules[RULE],)
    assert CASE in found.cases


def test_a_case_reaches_itself(tree: Tree) -> None:
    assert reached([f"tests/cases/{CASE}/expect.yaml"], tree) == Reached(("llmkube",), (), (CASE,), (), (), ("llmkube",))


def test_a_module_reaches_first_its_own_test_then_those_that_import_it(tree: Tree) -> None:
    found = reached(["policies/ground/objects.py"], tree)
    assert found.tests[0] == "tests/ground/test_objects.py"
    assert len(found.tests) > 100
    assert found.rules == ()


def test_tests_that_name_a_module_come_before_others_that_are_as_near(tree: Tree) -> None:
    found = reached(["webhook/report/tap.py"], tree).tests
    assert found[0] == "tests/report/test_tap.py"
    far = [test for test in found if not test.startswith("tests/report/") and test.startswith("tests/cli/")]
    naming = [test for test in far if re.search(r"\btap\b", (ROOT / test).read_text())]
    assert naming
    assert set(far[: len(naming)]) == set(naming)


def test_what_every_command_imports_is_reached(tree: Tree) -> None:
    found = reached(["webhook/cli/plain.py"], tree)
    assert found.tests[0] == "tests/cli/test_plain.py"
    assert "weighbridge.__main__" in (found.modules or ())


def test_what_is_imported_by_name_is_reached(tree: Tree) -> None:
    assert reached(["webhook/cli/lint.py"], tree).tests[0] == "tests/cli/test_lint.py"
    assert any(path.startswith("tests/llmkube/") for path in reached(["policies/families/llmkube/family.py"], tree).tests)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("docs/configuration.md", "tests/configuration/test_documentation.py"),
        ("tests/llmkube/rule_boundaries/models.yaml", "tests/llmkube/test_rule_boundaries.py"),
        ("deploy/install.yaml", "tests/installation/test_install.py"),
        ("tests/conftest.py", "tests/architecture/test_the_tree.py"),
        ("tests/programs/check/test_check.py", "tests/programs/check/test_check.py"),
    ],
)
def test_a_file_reaches_the_tests_that_name_or_import_it(tree: Tree, path: str, test: str) -> None:
    assert test in reached([path], tree).tests


def test_a_rule_in_cel_reaches_the_tests_of_exports_alone(tree: Tree) -> None:
    for path in ("policies/families/ome/native/names.py", "policies/families/llmkube/native/others.py"):
        tests = reached([path], tree).tests
        assert {"tests/export/test_reasons.py", "tests/export/test_rules.py", "tests/doors/test_exports.py"} <= set(tests)
        assert len(tests) < 20
        assert not any(test.startswith("tests/llmkube/") for test in tests)


def test_what_changes_in_one_family_reaches_no_test_of_another(tree: Tree) -> None:
    changed = ["policies/families/ome/fill/tolerations.py", "docs/configuration.md", "tests/families/test_fills.py"]
    found = reached(changed, tree)
    assert found.alone == ("ome",)
    assert "tests/families/test_fills.py" in found.tests[:2]
    folders = {test.split("/")[1] for test in found.tests}
    assert {"ome", "families", "doors"} <= folders
    assert not folders & {"aim", "inference_extension", "llmaz", "llmkube"}


@pytest.mark.parametrize("other", ["policies/families/weights.py", "tests/doors/cases.py", "tests/families/test_reads.py"])
def test_what_changes_outside_of_a_family_as_well_reaches_the_tests_of_all(tree: Tree, other: str) -> None:
    found = reached(["policies/families/ome/fill/tolerations.py", other], tree)
    assert found.alone == ()
    assert {"ome", "llmkube"} <= {test.split("/")[1] for test in found.tests}


def test_a_new_family_is_held_to_the_tables_of_all_families_first(tmp_path: Path) -> None:
    changed = ["policies/families/ome/family.py", "policies/families/ome/settings.py"]
    jobs = {job.title: job.command for job in program_of_check._named(reached(changed), changed, TestJobs(tmp_path, Kept()))}
    assert {"tests/families/test_fills.py", "tests/configuration/test_documentation.py"} <= set(jobs["families"])
    assert "--choose=tests/families/test_fills.py: family ome" in jobs["families"]
    assert "--choose=tests/cli/test_release.py: test_every_group_of_every_family" in jobs["families"]


def test_the_cases_of_a_rule_are_run_before_all_of_its_family(tmp_path: Path, tree: Tree) -> None:
    own, all_cases, *_ = program_of_check._named(reached([RULE], tree), [RULE], TestJobs(tmp_path, Kept()))
    assert f"[{CASE}]" in own.files["tests/doors/test_engine.py"]
    assert "[llmkube/" not in own.files["tests/doors/test_engine.py"]
    assert (all_cases.title, all_cases.files) == ("all cases of llmkube", {"tests/doors/test_engine.py": ["[llmkube/"]})


def test_the_tables_of_all_families_are_there() -> None:
    for file, word in program_of_check._OF_FAMILIES.items():
        assert f"def {word}" in (ROOT / file).read_text(), file


def test_a_deleted_module_reaches_no_test_and_all_types(tree: Tree) -> None:
    assert reached(["policies/gone.py"], tree) == Reached((), (), (), (), None)


def test_the_types_of_what_imports_a_module_could_be_wrong(tree: Tree) -> None:
    found = reached(["policies/families/llmkube/predictions/own_arguments.py"], tree)
    assert found.modules is not None
    assert "weighbridge.policies.families.llmkube.rules.llmkube_163_argument_repeated" in found.modules
    assert "weighbridge.policies.ground.objects" not in found.modules
    assert reached(["pyproject.toml"], tree).modules is None


@pytest.mark.parametrize(("program", "outcome"), [("print('said')", Outcome.PASSED), ("raise SystemExit(3)", Outcome.FAILED)])
def test_a_job_passes_or_fails_by_its_exit_code(tmp_path: Path, program: str, outcome: Outcome) -> None:
    assert run(Job("job", (sys.executable, "-c", program)), tmp_path, time.monotonic() + 60).outcome is outcome


def test_a_job_that_takes_too_long_is_interrupted(tmp_path: Path) -> None:
    job = Job("job", (sys.executable, "-c", "import time; time.sleep(60)"))
    assert run(job, tmp_path, time.monotonic() + 0.2).outcome is Outcome.CUT
    assert run(job, tmp_path, time.monotonic() - 1).outcome is Outcome.LATE


def test_a_family_chooses_what_is_about_no_other(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    names = ["ome", "ome-x", "OME-001", "ome/a-case", "gie", "GIE-001", "inference_extension", "llmkube-x", "aim.example.com", "other"]
    (tmp_path / "test_one.py").write_text(
        f"import pytest\n@pytest.mark.parametrize('x', {names})\ndef test_x(x): pass\ndef test_y(): pass\n"
    )
    options = ("-v", "-p", "no:randomly", "-p", "tests.house.chosen", "--choose=test_one.py: family ome")
    command = [sys.executable, "-m", "pytest", *options, "-c", str(tmp_path / "pytest.ini"), "--import-mode=importlib", str(tmp_path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    passed = re.findall(r"test_one.py::(\S+) PASSED", said)
    assert passed == [
        *(f"test_x[{name}]" for name in names if name.lower()[:3] == "ome"),
        "test_x[aim.example.com]",
        "test_x[other]",
        "test_y",
    ]


def test_each_file_has_words_of_its_own_that_choose_its_tests(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name in ("whole", "one", "plain"):
        text = "import pytest\n@pytest.mark.parametrize('x', ['a', 'b'])\ndef test_x(x): pass\ndef test_plain(): pass\n"
        (tmp_path / f"test_{name}.py").write_text(text)
    options = ("-v", "-p", "no:randomly", "-p", "tests.house.chosen", "--choose=test_one.py: [a]", "--choose=test_plain.py: not [")
    command = [sys.executable, "-m", "pytest", *options, "-c", str(tmp_path / "pytest.ini"), "--import-mode=importlib", str(tmp_path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    passed = re.findall(r"^(?:.*/)?test_(\S+) PASSED", said, re.MULTILINE)
    assert passed == [
        "one.py::test_x[a]",
        "plain.py::test_plain",
        "whole.py::test_x[a]",
        "whole.py::test_x[b]",
        "whole.py::test_plain",
    ]
