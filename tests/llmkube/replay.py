"""Replays recorded cases object by object: each as the API server alone would store it, with the cluster at that time.

The records are `conformance/operators/llmkube.jsonl.gz`; its README describes their form.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from tests.conftest import SHARED
from tests.llmkube.operators import operator_of_flags
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.settings import Operator as OperatorSettings
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions

RECORDS = SHARED / "conformance" / "operators" / "llmkube.jsonl.gz"
GROUP = "inference.llmkube.dev"
QUOTA_WEBHOOK = "vinferenceservicequota.inference.llmkube.dev"
ROUTER_WEBHOOK = "vmodelrouter.inference.llmkube.dev"
#: Kinds of which the recorded clusters had only the objects of a case.
_KNOWN = (
    *((GROUP, kind) for kind in ("Model", "InferenceService", "GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter")),
    ("", "Namespace"),
    ("", "Secret"),
    ("", "PersistentVolumeClaim"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One object: as it was sent, as the API server would store it (`None` if it refuses it), and its record."""

    request: Request
    stored: JSONObject | None
    recorded: dict[str, Any]
    facts: Facts
    config: Configuration
    operator: KnownOperator

    @property
    def was_stored(self) -> bool:
        """Whether the real server accepted it in the end."""
        return bool(self.recorded["code"] < 300)


@cache
def records() -> list[dict[str, Any]]:
    """All recorded cases; none if the file doesn't exist."""
    if not RECORDS.exists():
        return []
    with gzip.open(RECORDS, "rt") as lines:
        return [record for record in map(json.loads, lines) if "objects" in record]


def configuration(record: dict[str, Any]) -> Configuration:
    """The configuration with the settings of a record's operator."""
    given = operator_of_flags(tuple(record["operator"]["flags"]))
    named = {name for name, _ in given.origins} & {field.name for field in fields(OperatorSettings)}
    settings = {name: _listed(getattr(given, name)) for name in named}
    version = "v0.9.5" if record["operator"]["version"] == "v0.9.5" else "v0.9.19"
    settings["quota_webhook"] = QUOTA_WEBHOOK in record["operator"]["webhooks"]
    return Configuration(families={LLMKube: LLMKube(version=version, operator=OperatorSettings(**settings))})


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def replay(record: dict[str, Any]) -> Iterator[Step]:
    """The objects of a case in their order; the facts of each have the objects that were stored before it."""
    config = configuration(record)
    facts = Facts(bundled_definitions(config), ObjectStore())
    for namespace in sorted({namespace_of(obj) for obj in record["objects"]} - {""}):
        facts.objects.put({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    facts.objects.complete(besides=_KNOWN)
    for obj, recorded in zip(record["objects"], record["outcome"]["admission"], strict=True):
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        request = Request("recorded", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
        decision = decide(request, facts, config, Phase.APISERVER)
        stored = decision.object if decision.allowed and isinstance(decision.object, dict) else None
        step = Step(replace(request, object=stored), stored, recorded, facts, config, operator_of(facts, config))
        yield step
        if step.was_stored and stored is not None:
            facts.objects.put(stored)
