"""Command lines that are read without click mean the same as with click."""

from __future__ import annotations

import importlib
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from tests.command_line import run
from weighbridge.webhook.cli.commands import cli
from weighbridge.webhook.cli.plain import PLAIN, Plain, plain_call

COMMANDS = sorted(PLAIN)


def declared(name: str) -> click.Command:
    """The command in click's form."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def by_click(arguments: list[str]) -> dict[str, Any]:
    return declared(arguments[0]).make_context(arguments[0], arguments[1:]).params


def without_click(arguments: list[str]) -> dict[str, Any] | None:
    call = plain_call(arguments)
    return None if call is None else call.args[1]  # type: ignore[attr-defined]  # a partial of the function's name and parameters


def allowed(plain: Plain, name: str) -> tuple[str, ...] | None:
    """The values that a parameter may have."""
    return tuple(importlib.import_module(plain.formats).FORMATS) if name == "output" else plain.choices.get(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_parameter_has_the_default_that_click_has(name: str) -> None:
    assert without_click([name, "file.yaml"]) == by_click([name, "file.yaml"])


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_one_of_clicks_with_the_same_choices(name: str) -> None:
    options = {spelling: option for option in declared(name).params for spelling in option.opts}
    plain = PLAIN[name]
    assert all(options[spelling].is_flag and options[spelling].name == to for spelling, to in plain.flags.items())  # type: ignore[attr-defined]
    for spelling, to in plain.values.items():
        option = options[spelling]
        choices = tuple(option.type.choices) if isinstance(option.type, click.Choice) else None
        assert (option.name, option.multiple, choices) == (to, isinstance(plain.defaults[to], tuple), allowed(plain, to))


@pytest.mark.parametrize("name", COMMANDS)
def test_usual_command_lines_mean_the_same(name: str) -> None:
    plain = PLAIN[name]
    values = {to: (allowed(plain, to) or ("some/path",))[-1] for to in plain.values.values()}
    each = [[spelling, values[to]] for spelling, to in plain.values.items()] + [[flag] for flag in plain.flags]
    for given in [*each, *(one + other for one, other in itertools.combinations(each, 2))]:
        for arguments in ([name, *given, "a.yaml", "-"], [name, "a.yaml", *given]):
            found = without_click(arguments)
            assert found is None or found == by_click(arguments)
    repeated = [name, "--crds", "a", "x", "--crds", "b"]
    assert without_click(repeated) == by_click(repeated)
    assert by_click(repeated)["crds"] == ("a", "b")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dry-run"],
        ["lint", ""],
        ["lint", "--help"],
        ["lint", "x", "--crds"],
        ["lint", "x", "--crds", "--config"],
        ["lint", "x", "--crd", "y"],
        ["lint", "x", "--crds=y"],
        ["lint", "x", "-ojson"],
        ["lint", "x", "-o", "Text"],
        ["lint", "x", "-o", "json=out.json"],
        ["dry-run", "x", "-o", "json", "-o", "text"],
        ["lint", "--", "-x"],
        ["lint", "-n", "a", "x"],
        ["dry-run", "x", "--short"],
        ["--debug", "lint", "x"],
        ["rules"],
    ],
    ids=" ".join,
)
def test_whatever_else_is_written_is_clicks_to_read(arguments: list[str]) -> None:
    assert plain_call(arguments) is None


def test_a_shell_that_completes_asks_click(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain_call(["lint", "x"]) is not None
    monkeypatch.setenv("_WEIGHBRIDGE_COMPLETE", "bash_complete")
    assert plain_call(["lint", "x"]) is None


def test_a_defect_is_shown_only_with_debug(tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text("apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: a/b}\n")
    broken = (
        "import sys; from weighbridge.policies.verdict import steps; steps.prediction = None;"
        "from weighbridge.webhook.cli.program import exit_code; sys.exit(exit_code(sys.argv[1:]))"
    )
    said = [
        subprocess.run([sys.executable, "-c", broken, *debug, "lint", str(file)], capture_output=True, text=True, check=False)
        for debug in ([], ["--debug"])
    ]
    assert [("Traceback" in run.stderr, "WB-000" in run.stdout) for run in said] == [(False, True), (True, True)]


@pytest.mark.parametrize(("name", "said"), [("lnt", "No such command 'lnt'. Did you mean 'lint'?"), ("else", "No such command 'else'.\n")])
def test_a_command_that_is_not_there_names_the_nearest(name: str, said: str) -> None:
    done = run(name, "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
