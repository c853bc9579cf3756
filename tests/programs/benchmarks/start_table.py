"""The time of the command line from its start to its end: for new content without a cache, with compiled units in the cache, and for the
same content again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.programs.benchmarks.timing import children_time, compare

_MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: model.gguf"
_FILES: Final = {
    "compose.yaml": "services:\n  web: {image: 'nginx:1.27', ports: ['80:80']}\n  db: {image: 'postgres:16'}\n",
    "model.yaml": _MODEL + "}\n",
    # A CEL rule of the CRD is reached.
    "rules.yaml": _MODEL + ", hardware: {gpu: {count: 1, resourceName: amd.com/gpu}}}\n",
}
#: The commands that are run, by their names in the table.
_COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "--version": ("--version",),
    "--help": ("--help",),
    "lint of a compose file": ("lint", "compose.yaml"),
    "lint of a Model": ("lint", "model.yaml"),
    "lint of a Model, a CEL rule reached": ("lint", "rules.yaml"),
    "lint of a Model with 52 CRDs": ("lint", "--crds", "crds", "model.yaml"),
    "dry run of a Model": ("dry-run", "model.yaml"),
}
#: Commands that are also run with an empty cache, and those that are run again without any change.
_COLD: Final = ("lint of a Model", "lint of a Model, a CEL rule reached")
_AGAIN: Final = ("lint of a compose file", "lint of a Model", "lint of a Model with 52 CRDs", "dry run of a Model")


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder))
        ways: dict[str, Callable[[], object]] = {"python -c pass": partial(_run, [sys.executable, "-c", "pass"], folder, "off")}
        ways |= {name: partial(_anew, command, folder) for name, command in _COMMANDS.items()}
        ways |= {f"{name}, nothing kept": partial(_weighbridge, _COMMANDS[name], folder, "off") for name in _COLD}
        ways |= {f"{name}, again": partial(_weighbridge, _COMMANDS[name], folder, f"{folder}/known") for name in _AGAIN}
        timings = compare(ways, children_time)
    base = timings["python -c pass"].seconds
    print("Start to end of a command, CPU time of one process; the content is new unless it says again")
    for timing in timings.values():
        print(f"  {timing.name:52} {timing.seconds * 1e3:9.1f} ms  {timing.seconds / base:7.2f} x bare interpreter")


def _fill(folder: Path) -> None:
    """Write the files, and the newest version of each CRD that ships."""
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    (folder / "crds").mkdir()
    for path in sorted((ROOT / "policies" / "families").glob("*/crds/**/*.yaml")):
        shutil.copy(path, folder / "crds" / path.name)


def _anew(command: Sequence[str], folder: str) -> None:
    """A run whose answer isn't in the cache, while all compiled units are."""
    shutil.rmtree(f"{folder}/cache/runs", ignore_errors=True)
    _weighbridge(command, folder, f"{folder}/cache")


def _weighbridge(command: Sequence[str], folder: str, cache: str) -> None:
    _run([str(Path(sys.executable).with_name("weighbridge")), *command], folder, cache)


def _run(command: Sequence[str], folder: str, cache: str) -> None:
    environment = {**os.environ, "WEIGHBRIDGE_CACHE": cache}
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
