"""Judges other people's manifests on three clusters, and prints what would be refused or warned of.

    python -m tests.programs.sweep PATH...

Each object is judged as applied, together with the file's other documents: on a cluster with GPUs, on one without,
and on one whose GPU pool is scaled to zero (`clusters/`). Every refusal of a well-known sample needs a reason that its author agrees with.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.inputs.requests import request_of

CLUSTERS: Final = {path.stem: str(path) for path in sorted((Path(__file__).parent / "clusters").glob("*.yaml"))}


def main() -> int:
    """Print a paragraph for each object with findings, and the counts."""
    files = [path for given in sys.argv[1:] for path in _files(Path(given))]
    if not files:
        print("sweep: give files or folders with manifests", file=sys.stderr)
        return 2
    counts: dict[str, Counter[str]] = {cluster: Counter() for cluster in CLUSTERS}
    for path in files:
        for cluster, obj, decision in _judged(path):
            told = [finding for finding in decision.findings if finding.severity is not Severity.NOTE]
            outcome = "refused" if not decision.allowed else "warned" if told else "silent"
            counts[cluster][outcome] += 1
            counts[cluster]["findings"] += len(told)
            if told:
                print(f"{path.name} {obj['kind']} {name_of(obj)} on {cluster}: {outcome}")
                for finding in told:
                    print(f"  {finding.severity} {finding.rule} {finding}")
    for cluster, count in counts.items():
        print(f"{cluster}: {', '.join(f'{count[name]} {name}' for name in ('silent', 'warned', 'refused', 'findings'))}")
    return 0


def _files(given: Path) -> list[Path]:
    return sorted(given.rglob("*.yaml")) if given.is_dir() else [given]


def _judged(path: Path) -> Iterator[tuple[str, JSONObject, Decision]]:
    documents = [doc for doc in yaml.safe_load_all(path.read_text()) if isinstance(doc, dict) and "kind" in doc]
    for cluster, snapshot in CLUSTERS.items():
        facts = load_facts([snapshot], given=documents)
        for obj in documents:
            if family_of(str(obj.get("apiVersion")).partition("/")[0]) is not None:
                request = request_of(obj, facts.definitions, uid="sweep", namespace="default")
                yield cluster, obj, decide(request, facts, DEFAULT)


if __name__ == "__main__":
    sys.exit(main())
