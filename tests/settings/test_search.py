"""The sources of settings: command line, environment, file, default; and which file is found."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES
from weighbridge.webhook.settings.search import settled

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
MODEL = EXAMPLES[0].written()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a manifest in a folder, and settings at its root that turn the finding into a warning."""
    root = tmp_path / "repository"
    (root / "apps" / "chat").mkdir(parents=True)
    (root / "ops").mkdir()
    (root / ".git").mkdir()
    (root / "apps" / "chat" / "m.yaml").write_text(MODEL)
    (root / "ops" / "c.yaml").write_text(f"{HEAD}rules: {{LLMKUBE-001: warn}}\n")
    (root / "weighbridge.yaml").write_text("config: ops/c.yaml\n")
    return root


def weight(folder: Path, *arguments: str, **environment: str) -> str:
    """The severity of the finding when `lint` runs in a folder."""
    done = run("lint", *arguments, "-o", "json", cwd=folder, env=environment)
    assert done.stderr == ""
    (finding,) = [each for result in json.loads(done.stdout)["results"] for each in result["findings"]]
    return str(finding["severity"])


def test_the_file_is_found_from_the_linted_path_and_from_the_working_folder(repository: Path, tmp_path: Path) -> None:
    chat = repository / "apps" / "chat"
    assert weight(repository, "apps/chat/m.yaml") == "warning"
    assert weight(chat, "m.yaml") == "warning"
    assert weight(chat, ".") == "warning"
    assert weight(tmp_path, str(chat)) == "warning"
    done = run("lint", "-", "-o", "json", cwd=chat, text=MODEL)
    assert '"severity":"warning"' in done.stdout
    assert run("lint", ".", "-v", cwd=chat).stdout.count("settings of ../../weighbridge.yaml\n") == 1


@pytest.mark.parametrize("name", ["weighbridge.yaml", ".weighbridge.yaml"])
def test_either_name_does_and_both_are_an_error(repository: Path, name: str) -> None:
    (repository / "weighbridge.yaml").rename(repository / name)
    assert weight(repository, "apps") == "warning"
    (repository / "weighbridge.yaml").write_text("")
    (repository / ".weighbridge.yaml").write_text("")
    done = run("lint", "apps", cwd=repository)
    assert (done.returncode, done.stderr) == (2, "Error: .weighbridge.yaml: weighbridge.yaml is in the same folder; keep one of the two\n")


def test_the_search_ends_at_the_root_of_the_repository(repository: Path) -> None:
    (repository / "apps" / ".git").write_text("gitdir: elsewhere\n")
    assert weight(repository, "apps/chat") == "error"
    assert weight(repository, "apps/chat", "ops/c.yaml", "--isolated") == "error"


def test_the_nearest_file_counts_alone(repository: Path) -> None:
    (repository / "apps" / "weighbridge.yaml").write_text("fail-on: never\n")
    assert weight(repository, "apps/chat") == "error"
    assert run("lint", "apps/chat", cwd=repository).returncode == 0
    assert weight(repository, ".", "--exclude", "ops") == "warning"


def test_a_configuration_may_have_the_name(repository: Path) -> None:
    (repository / "weighbridge.yaml").write_text(f"{HEAD}rules: {{LLMKUBE-001: warn}}\n")
    assert weight(repository, "apps") == "warning"


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(repository: Path) -> None:
    (repository / "note.yaml.txt").write_text(f"{HEAD}rules: {{LLMKUBE-001: audit}}\n")
    (repository / "deny.yaml.txt").write_text(f"{HEAD}rules: {{LLMKUBE-001: deny}}\n")
    assert weight(repository, "apps", WEIGHBRIDGE_CONFIG="note.yaml.txt") == "note"
    assert weight(repository, "apps", "--config", "deny.yaml.txt", WEIGHBRIDGE_CONFIG="note.yaml.txt") == "error"
    assert weight(repository, "apps", "--config", "", WEIGHBRIDGE_CONFIG="note.yaml.txt") == "error"
    assert weight(repository, "apps", "--isolated", WEIGHBRIDGE_CONFIG="note.yaml.txt") == "error"
    assert weight(repository, "apps", WEIGHBRIDGE_CONFIG="") == "warning"


def test_a_file_can_be_named(repository: Path) -> None:
    (repository / "ops" / "ci.yaml").write_text("config: c.yaml\n")
    (repository / "weighbridge.yaml").unlink()
    assert weight(repository, "apps") == "error"
    assert weight(repository, "apps", "--settings", "ops/ci.yaml") == "warning"
    assert weight(repository, "apps", WEIGHBRIDGE_SETTINGS="ops/ci.yaml") == "warning"
    done = run("lint", "apps", "--settings", "none.yaml", cwd=repository)
    assert (done.returncode, done.stderr) == (2, "Error: none.yaml: no such file or directory; give a file of settings\n")
    done = run("lint", "apps", "--settings", "ops/ci.yaml", "--isolated", cwd=repository)
    assert (done.returncode, done.stderr.count("can't be given together")) == (2, 1)


def test_paths_are_relative_to_the_file(repository: Path) -> None:
    (repository / "weighbridge.yaml").write_text("config: ./ops/c.yaml\ncrds: [ops/crds]\ncluster: ops/cluster.yaml\n")
    (repository / "ops" / "crds").mkdir()
    (repository / "ops" / "cluster.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n")
    found = run("config", "show", "-o", "json", cwd=repository / "apps")
    options = {entry["setting"]: (entry["value"], entry["origin"]) for entry in json.loads(found.stdout)["options"]}
    assert options == {
        "config": ("../ops/c.yaml".replace("../", ".././"), "../weighbridge.yaml:1"),
        "crds": (["../ops/crds"], "../weighbridge.yaml:2"),
        "cluster": (["../ops/cluster.yaml"], "../weighbridge.yaml:3"),
    }


def test_every_command_takes_them(repository: Path) -> None:
    (repository / "weighbridge.yaml").write_text("config: ops/none.yaml\n")
    (repository / "cluster.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n")
    for command in (
        ("lint", "apps"),
        ("dry-run", "apps"),
        ("impact", "-f", "apps", "--cluster", "cluster.yaml"),
        ("migrate", "apps"),
        ("audit", "--cluster", "cluster.yaml"),
        ("config", "show"),
    ):
        done = run(*command, cwd=repository)
        assert (done.returncode, "ops/none.yaml: no such file" in done.stderr) == (2, True), command
        assert "none.yaml" not in run(*command, "--isolated", cwd=repository).stderr, command


def test_a_dry_run_has_namespace_and_level_of_the_file(repository: Path) -> None:
    (repository / "weighbridge.yaml").write_text("namespace: models\nfail-on: never\n")
    done = run("dry-run", "apps", "-o", "json", cwd=repository)
    assert (done.returncode, '"namespace":"models"' in done.stdout.replace(" ", "")) == (0, True)


def test_the_environment_has_lists() -> None:
    environ = {
        "WEIGHBRIDGE_CRDS": os.pathsep.join(["a b", "c"]),
        "WEIGHBRIDGE_IGNORE": "LLMKUBE-001, AIM",
        "WEIGHBRIDGE_FAIL_ON": "warning,unknown",
        "WEIGHBRIDGE_PORT_443_TCP": "tcp://10.0.0.1:443",
        "WEIGHBRIDGE_CACHE": "off",
    }
    found = settled({}, environ=environ)
    assert {key: (each.values, each.origin) for key, each in found.named.items()} == {
        "crds": (("a b", "c"), "WEIGHBRIDGE_CRDS"),
        "ignore": (("LLMKUBE-001", "AIM"), "WEIGHBRIDGE_IGNORE"),
        "fail-on": (("warning", "unknown"), "WEIGHBRIDGE_FAIL_ON"),
    }


def test_mistakes_of_the_environment_are_listed(repository: Path) -> None:
    done = run("lint", "apps", cwd=repository, env={"WEIGHBRIDGE_FAIL_ON": "warn", "WEIGHBRIDGE_NAMESPACE": "A_b"})
    first, second = done.stderr.splitlines()
    assert done.returncode == 2
    assert first == "Error: WEIGHBRIDGE_FAIL_ON: 'warn' isn't a level; did you mean warning?"
    assert second.startswith("WEIGHBRIDGE_NAMESPACE: 'A_b' isn't the name of a namespace: ")


def test_config_show_names_every_origin(repository: Path) -> None:
    (repository / "weighbridge.yaml").write_text("fail-on: warning\nignore: [LLMKUBE-001]\n")
    done = run("config", "show", "--effective", "-o", "json", cwd=repository, env={"WEIGHBRIDGE_NAMESPACE": "models"})
    found = {entry["setting"]: (entry["value"], entry["origin"]) for entry in json.loads(done.stdout)["options"]}
    assert found["fail-on"] == (["warning"], "weighbridge.yaml:1")
    assert found["ignore"] == (["LLMKUBE-001"], "weighbridge.yaml:2")
    assert found["namespace"] == ("models", "WEIGHBRIDGE_NAMESPACE")
    assert found["baseline"] == (None, "default")
    shown = run("config", "show", "--config", "ops/c.yaml", cwd=repository).stdout.splitlines()
    assert [line.split() for line in shown] == [
        ["config:", "ops/c.yaml", "#", "command", "line"],
        ["fail-on:", '["warning"]', "#", "weighbridge.yaml:1"],
        ["ignore:", '["LLMKUBE-001"]', "#", "weighbridge.yaml:2"],
        ["rules.LLMKUBE-001:", "warn", "#", "ops/c.yaml:3"],
    ]
