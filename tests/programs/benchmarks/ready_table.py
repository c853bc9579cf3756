"""The time until the largest CRD of the corpus can validate, without a cache and with a warm one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

_CORPUS: Final = Path(__file__).resolve().parents[4] / "shared" / "corpus" / "aim"
_CRD: Final = _CORPUS / "crds-newest" / "aim.eai.amd.com_aimservices.yaml"
_ROUNDS: Final = 7


def _run(what: str, cache: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "tests.programs.benchmarks.ready", what, str(_CRD)]
    environment = {**os.environ, "WEIGHBRIDGE_CACHE": cache}
    answer = json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    return answer["seconds"], answer["reference"]


def main() -> None:
    """Print the table."""
    if not _CRD.is_file():
        print(f"Ready to validate: not measured, {_CRD} isn't there")
        return
    with tempfile.TemporaryDirectory() as folder:
        ways = {
            ("all of schema and rules", "cold"): ("whole", "off"),
            ("all of schema and rules", "cached"): ("whole", f"{folder}/whole"),
            ("as far as a first object goes", "cold"): ("first", "off"),
            ("as far as a first object goes", "cached"): ("first", f"{folder}/first"),
        }
        for what, cache in ways.values():
            _run(what, cache)
        best = dict.fromkeys(ways, (float("inf"), float("inf")))
        for _ in range(_ROUNDS):
            for name, (what, cache) in ways.items():
                best[name] = min(best[name], _run(what, cache))
    print(f"AIMService, {_CRD.stat().st_size // 1000} kB of YAML, ready to validate, CPU time of one process")
    for (title, state), (seconds, reference) in best.items():
        print(f"  {title:32}{state:8}{seconds * 1e3:8.1f} ms{seconds / reference:9,.0f} x reference")
