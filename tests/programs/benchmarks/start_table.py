"""How long the command line takes from its start to the finding of one file, with nothing kept from before and from a warm cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.timing import children_time, compare

_MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: model.gguf"
#: What is linted, and what that reaches.
_FILES: Final = {
    "no CEL rule reached": _MODEL + "}\n",
    "a CEL rule reached": _MODEL + ", hardware: {gpu: {count: 1, resourceName: amd.com/gpu}}}\n",
}


def main() -> None:
    """Print the table."""
    weighbridge = str(Path(sys.executable).with_name("weighbridge"))
    run = partial(subprocess.run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    ways = {"python -c pass": partial(run, [sys.executable, "-c", "pass"])}
    with tempfile.TemporaryDirectory() as folder:
        for number, (reached, text) in enumerate(_FILES.items()):
            file = Path(folder, f"model{number}.yaml")
            file.write_text(text)
            for state, cache in (("cold", "off"), ("cached", f"{folder}/cache")):
                environment = {**os.environ, "WEIGHBRIDGE_CACHE": cache}
                ways[f"lint, {reached}, {state}"] = partial(run, [weighbridge, "lint", str(file)], env=environment)
        timings = compare(ways, children_time)
    base = timings["python -c pass"].seconds
    print("Start to the finding of one file, CPU time of one process")
    for timing in timings.values():
        print(f"  {timing.name:36} {timing.seconds * 1e3:9.1f} ms  {timing.seconds / base:7.2f} x bare interpreter")
