"""The files by which CI systems run the linter: each is parsed as in its system, and its command is run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pre_commit.clientlib import load_manifest

from tests.cli.test_changed_since import ENVIRONMENT, MODEL, SERVICE, WRONG
from tests.command_line import run
from tests.conftest import ROOT
from weighbridge import __version__

_HOOKS: Final = ROOT / ".pre-commit-hooks.yaml"
_ACTION: Final = ROOT / "deploy/github-action/action.yml"
_COMPONENT: Final = ROOT / "deploy/gitlab/templates/lint.yml"
_TASK: Final = ROOT / "deploy/tekton/weighbridge-lint.yaml"
_JOB: Final = ROOT / "deploy/argocd/pre-sync.yaml"


def _read(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with a model, a service and a wrong object, in which the command is installed as in a step."""
    folder = tmp_path / "repository"
    folder.mkdir()
    for name, text in {"m": MODEL, "s": SERVICE, "wrong": WRONG}.items():
        (folder / f"{name}.yaml").write_text(text)
    program = tmp_path / "weighbridge" / "bin" / "weighbridge"
    program.parent.mkdir(parents=True)
    script = f"import sys; sys.path[:0] = {[str(ROOT / '.ci/package')]!r}\nfrom weighbridge.webhook.cli.main import main\nmain()\n"
    program.write_text(f"#!{sys.executable}\n{script}")
    program.chmod(0o755)
    return folder


def _bash(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "WEIGHBRIDGE_CACHE": "off", "RUNNER_TEMP": str(folder.parent)}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env={**known, **environment}, capture_output=True, text=True, check=False, timeout=100)


def _commit(folder: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run(["git", *command], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)


def test_pre_commit_reads_its_hooks_and_each_runs(repository: Path) -> None:
    hooks = {hook["id"]: hook for hook in load_manifest(str(_HOOKS))}
    assert set(hooks) == {"weighbridge", "weighbridge-changed"}
    assert hooks["weighbridge"]["pass_filenames"]
    assert not hooks["weighbridge-changed"]["pass_filenames"]
    files = run(*hooks["weighbridge"]["entry"].split()[1:], "wrong.yaml", cwd=repository)
    assert (files.returncode, files.stderr) == (1, "")
    assert files.stdout.endswith("checked 1 object in 1 file: 1 failed, 0 warned\n")
    # pre-commit passes every changed YAML and JSON file, whatever it contains.
    (repository / "tsconfig.json").write_text('{"compilerOptions": {}} // of an editor\n')
    (repository / "values.yaml").write_text("image: {tag: v1}\n")
    others = run(*hooks["weighbridge"]["entry"].split()[1:], "m.yaml", "tsconfig.json", "values.yaml", cwd=repository)
    assert (others.returncode, others.stderr) == (0, "")
    subprocess.run(
        "git init -q && git add -A && git -c user.name=n -c user.email=a@b.c commit -qm one", shell=True, cwd=repository, check=True
    )
    assert run(*hooks["weighbridge-changed"]["entry"].split()[1:], cwd=repository).returncode == 0
    (repository / "m.yaml").write_text(MODEL.replace(", files: [m.gguf]", ""))
    assert "LLMKUBE-052" in run(*hooks["weighbridge-changed"]["entry"].split()[1:], cwd=repository).stdout


def _lint_step() -> str:
    (action,) = _read(_ACTION)
    steps = {step.get("id", step.get("name")): step for step in action["runs"]["steps"]}
    step = steps["lint"]
    # An input within the text of a script would be executed.
    assert not any("${{" in each.get("run", "") for each in steps.values())
    assert set(re.findall(r"inputs\.([a-z-]+)", json.dumps(action))) == set(action["inputs"])
    assert set(step["env"].values()) == {f"${{{{ inputs.{name.lower().replace('_', '-')} }}}}" for name in step["env"]}
    assert all(name in step["run"] for name in step["env"])
    return str(step["run"])


def _inputs(**given: str) -> dict[str, str]:
    return {"PATHS": ".", "CHANGED_SINCE": "", "FAIL_ON": "", "SARIF": "", "ARGS": "", **given}


def test_the_action_annotates_summarises_and_writes_sarif(repository: Path, tmp_path: Path) -> None:
    output, summary = tmp_path / "output", tmp_path / "summary"
    places = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
    given = _inputs(SARIF="out.sarif", PATHS="m.yaml\nwrong.yaml\n", ARGS="--namespace=ai\n\n-v", FAIL_ON="error")
    done = _bash(_lint_step(), repository, **places, **given)
    assert (done.returncode, output.read_text()) == (1, "exit-code=1\n")
    assert "wrong.yaml:4:16: error[LLMKUBE-009]" in done.stdout
    assert "::error file=wrong.yaml,line=4," in done.stderr
    assert "LLMKUBE-009" in summary.read_text()
    assert json.loads((repository / "out.sarif").read_text())["version"] == "2.1.0"


def test_nothing_in_an_input_of_the_action_is_run(repository: Path, tmp_path: Path) -> None:
    nasty = "$(touch run) `touch run`; touch run"
    for name in ("PATHS", "CHANGED_SINCE", "FAIL_ON", "SARIF", "ARGS"):
        done = _bash(_lint_step(), repository, GITHUB_OUTPUT=str(tmp_path / "output"), **_inputs(**{name: nasty}))
        assert done.returncode in (1, 2), name
        assert not (repository / "run").exists()


def _job_of_the_component(**given: str) -> dict[str, Any]:
    """The component's job, with its inputs filled in as by GitLab."""
    header, _ = _read(_COMPONENT)
    inputs = {name: entry["default"] for name, entry in header["spec"]["inputs"].items()} | given
    text = _COMPONENT.read_text().partition("\n---\n")[2]
    job = re.sub(r"\$\[\[ inputs\.([a-z-]+) \]\]", lambda found: inputs[found[1]], text)
    (found,) = yaml.safe_load(job).values()
    return dict(found)


@pytest.mark.parametrize(("paths", "code"), [("m.yaml s.yaml", 0), (".", 1)], ids=["all well", "wrong"])
def test_the_component_writes_the_reports_that_it_names(repository: Path, paths: str, code: int) -> None:
    job = _job_of_the_component(paths=paths)
    command = job["script"][-1].replace("/tmp/weighbridge", str(repository.parent / "weighbridge"))
    done = _bash(command, repository, CHANGED_SINCE=job["variables"]["CHANGED_SINCE"])
    assert (done.returncode, done.stderr) == (code, "")
    reports = job["artifacts"]["reports"]
    assert len(json.loads((repository / reports["codequality"]).read_text())) == code
    assert "<testsuites" in (repository / reports["junit"]).read_text()


def test_the_component_compares_with_a_commit(repository: Path) -> None:
    subprocess.run(
        "git init -q && git add -A && git -c user.name=n -c user.email=a@b.c commit -qm one", shell=True, cwd=repository, check=True
    )
    job = _job_of_the_component(**{"changed-since": "HEAD"})
    command = job["script"][-1].replace("/tmp/weighbridge", str(repository.parent / "weighbridge"))
    assert _bash(command, repository, CHANGED_SINCE=job["variables"]["CHANGED_SINCE"]).returncode == 0


def test_the_task_writes_the_reports_that_its_workspace_gets(repository: Path) -> None:
    (task,) = _read(_TASK)
    (step,) = task["spec"]["steps"]
    params = {param["name"]: param["default"] for param in task["spec"]["params"]}
    arguments = [part for each in step["args"] for part in (params["arguments"] if each == "$(params.arguments[*])" else [each])]
    assert step["image"] == "$(params.image)"
    assert params["image"] == f"weighbridge:{__version__}"
    assert run(*step["command"][1:], *arguments, cwd=repository).returncode == 1
    (described,) = (space["description"] for space in task["spec"]["workspaces"])
    written = {path.name for path in repository.iterdir() if path.suffix != ".yaml"}
    assert written == set(re.findall(r"weighbridge[.-][a-z.]+", described))


def test_the_hook_of_argo_judges_what_it_clones(repository: Path) -> None:
    (job,) = _read(_JOB)
    assert job["metadata"]["annotations"]["argocd.argoproj.io/hook"] == "PreSync"
    (lint,) = job["spec"]["template"]["spec"]["containers"]
    assert lint["image"] == f"weighbridge:{__version__}"
    assert run(*lint["command"][1:-1], ".", cwd=repository).returncode == 1


def test_kubectl_finds_the_plugin() -> None:
    scripts = (ROOT / "pyproject.toml").read_text().partition("[project.scripts]")[2].partition("\n[")[0]
    entries = dict(re.findall(r'^([a-z-]+) = "(.+)"$', scripts, re.MULTILINE))
    assert entries["kubectl-weighbridge"] == entries["weighbridge"]
