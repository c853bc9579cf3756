"""Whole predictions of routers, pools, quotas, adapters and Models, as in the files of `predictions`.

Each document has the object, its cluster, the operator's settings, and the whole prediction; missing parts must be empty.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.llmkube.service.test_whole_predictions import told
from tests.yaml_documents import read_all
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.settings import Operator as OperatorSettings
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

FILES = sorted(Path(__file__).with_name("predictions").glob("*.yaml"))
CASES = [(path.stem, number, case) for path in FILES for number, case in enumerate(read_all(path.read_text(encoding="utf-8")))]


def predicted(case: dict[str, Any]) -> dict[str, Any]:
    """The prediction for the object of a document."""
    operator = OperatorSettings(**case.get("operator", {}))
    config = Configuration(families={LLMKube: LLMKube(version=case.get("version", "v0.9.19"), operator=operator)})
    store, obj = ObjectStore(case.get("cluster", [])), case["object"]
    store.complete(besides=[tuple(kind.split("/")) for kind in case.get("known", [])])
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("", Operation.CREATE, gvk, obj, namespace="n", name=obj["metadata"]["name"])
    found = FAMILY.predict[gvk.kind](request, Facts(bundled_definitions(config), store), config)
    assert found is not None
    return told(found)


@pytest.mark.parametrize("case", [case for *_, case in CASES], ids=[f"{name}-{number}" for name, number, _ in CASES])
def test_an_object_becomes_what_its_document_says(case: dict[str, Any]) -> None:
    assert predicted(case) == case.get("prediction", {})
