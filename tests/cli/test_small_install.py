"""`lint` needs neither the server nor its libraries, which are an extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXTRA = ("cryptography", "fastapi", "kubernetes", "prometheus_client", "starlette", "uvicorn", "uvloop")
MODEL = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: hf://org/model}\n"


_PROGRAM = """
import sys
sys.modules.update(dict.fromkeys({!r}))
from weighbridge.webhook.cli.main import main
sys.argv[1:] = {!r}
main()
"""


@pytest.mark.parametrize("arguments", [["lint", "FILE"], ["dry-run", "FILE"], ["rules"], ["--help"]], ids=lambda arguments: arguments[0])
def test_a_command_runs_without_the_extra(tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(MODEL)
    given = [str(file) if argument == "FILE" else argument for argument in arguments]
    program = _PROGRAM.format(EXTRA, given)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["serve", "certs", "schema"])
def test_a_command_of_the_extra_says_what_is_missing(command: str) -> None:
    arguments = {"serve": ["serve"], "certs": ["certs", "show", "."], "schema": ["schema", "openapi"]}[command]
    program = _PROGRAM.format(EXTRA, arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "pip install 'weighbridge[server]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_lint_without_a_configuration_waits_for_no_reader_of_configurations(tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(MODEL)
    program = (
        "import sys; sys.modules.update(dict.fromkeys(('pydantic', 'pydantic_core'))); from weighbridge.webhook.cli.main import main; "
        f"sys.argv[1:] = ['lint', {str(file)!r}]; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
