"""The records, next to the checkout, of what the real operator did with Models, with its settings and its results.

Objects in a record are as they were sent; `applied` makes the recorded changes of the schema and the webhooks (null: dropped).
"""

from __future__ import annotations

import copy
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.llmkube.operators import operator_of_flags
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

FILE = "conformance/operators/llmkube.jsonl.gz"
_VERSIONS = {"head": (0, 9, 19), "v0.9.5": (0, 9, 5)}
_ALL = Extent(
    complete=frozenset({("", "PersistentVolumeClaim"), ("resource.k8s.io", "ResourceClaim"), ("resource.k8s.io", "ResourceClaimTemplate")})
)


@dataclass(frozen=True)
class Record:
    """One record: the stored objects, the operator, its facts, and the outcome."""

    id: str
    objects: list[JSONObject]
    operator: KnownOperator
    facts: Facts
    outcome: dict[str, Any]

    def of_kind(self, kind: str) -> Iterator[JSONObject]:
        """The stored objects of a kind."""
        return (found for found in self.objects if found.get("kind") == kind)

    def status(self, obj: JSONObject) -> JSONObject | None:
        """The recorded status of an object."""
        found = self.outcome.get("status", {}).get(f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}")
        return found if isinstance(found, dict) else None

    def deployment(self, service: JSONObject) -> JSONObject | None:
        """The pod's spec of a service's Deployment."""
        pods = (found["pod"]["spec"] for found in self.outcome.get("deployments", []) if found["name"] == name_of(service))
        return next(pods, None)


def records(shared: Path) -> Iterator[Record]:
    """All records of LLMKube."""
    clusters: dict[str, dict[str, JSONObject]] = {}
    with gzip.open(shared / FILE, "rt", encoding="utf-8") as lines:
        for raw in map(json.loads, lines):
            if "operator" not in raw:
                clusters[raw["id"].rpartition("/")[0]] = {name_of(node): {"apiVersion": "v1", **node} for node in raw["nodes"]}
                continue
            yield _record(raw, clusters)


def _record(raw: dict[str, Any], clusters: dict[str, dict[str, JSONObject]]) -> Record:
    nodes = next(held for prefix, held in clusters.items() if raw["id"].startswith(prefix + "/"))
    stored = []
    for obj, admission in zip(raw["objects"], raw["outcome"]["admission"], strict=False):
        if admission.get("code", 0) < 300:
            stored.append(applied(obj, admission.get("changed", {})))
    cluster = [*(nodes[name] for name in raw["nodes"]), *stored]
    return Record(
        raw["id"],
        stored,
        operator_of_flags(raw["operator"]["flags"], _VERSIONS[raw["operator"]["version"]]),
        from_objects(cluster, Definitions(), extent=_ALL),
        raw["outcome"],
    )


def applied(obj: JSONObject, changed: dict[str, Any]) -> JSONObject:
    """An object as it was stored."""
    found: Any = copy.deepcopy(obj)
    for path, value in changed.items():
        steps = [int(step[1:-1]) if step.startswith("[") else step for step in re.findall(r"\[\d+\]|[^.\[]+", path)]
        target = found
        for step in steps[:-1]:
            target = target[step] if isinstance(target, list) else target.setdefault(step, {})
        if value is None:
            target.pop(steps[-1], None)
        else:
            target[steps[-1]] = value
    assert isinstance(found, dict)
    return found
