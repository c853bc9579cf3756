"""The boundaries of LLMKube's rules, and their words there: their findings on the objects in the folder `rule_boundaries`.

Each entry has a rule, the cluster's objects, the spec of an object (or the whole object, if more than its spec matters), and the rule's
findings on it; without findings in the entry the rule must have none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.families.examples import example_request
from tests.llmkube.service.predicting import GROUP
from tests.llmkube.situations import DEFINITIONS, KINDS, line, unchecked
from tests.llmkube.test_rules_in_situations import OWN
from tests.yaml_documents import read_all
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject

BY_ID = {rule.id: (family, rule) for family, rule in OWN}
FILES = sorted(Path(__file__).with_name("rule_boundaries").glob("*.yaml"))
CASES = [case for path in FILES for case in read_all(path.read_text(encoding="utf-8"))]


def standing(named: dict[str, Any]) -> JSONObject:
    """An object of the cluster: as a whole, or as ``{Kind name: {spec, status}}``; a Node with its labels and its amount of each
    resource.
    """
    if "kind" in named:
        return named
    ((told, parts),) = named.items()
    kind, _, name = told.partition(" ")
    if kind != "Node":
        return {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": {"name": name, "namespace": "default"}, **parts}
    allocatable = {"cpu": "64", "memory": "512Gi", "pods": "110", **parts.get("allocatable", {})}
    metadata = {"name": name, "labels": parts.get("labels", {})}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": parts.get("spec", {}), "status": {"allocatable": allocatable}}


def said(case: dict[str, Any]) -> list[str]:
    """The findings of a rule on an entry's object."""
    family, rule = BY_ID[case["rule"]]
    config = parse(case.get("config", {}))
    extent = Extent(complete=KINDS if case.get("complete") else frozenset())
    facts = from_objects(map(standing, case.get("cluster", [])), DEFINITIONS, extent=extent)
    entries = rule.check(example_request(family, rule, json.dumps(case["object"])), facts, config)
    return [unchecked(entry) if isinstance(entry, Unchecked) else line(entry) for entry in entries]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['rule']}-{number}" for number, case in enumerate(CASES)])
def test_a_rule_says_of_an_object_what_its_entry_says(case: dict[str, Any]) -> None:
    assert said(case) == case.get("says", [])
