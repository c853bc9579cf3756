"""Upstream's own manifests, with a node that has GPUs and without one: the refusals, with reasons that their authors would accept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

SAMPLES = "corpus/aim/samples"
NODE: JSONObject = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "mi300x", "labels": {"amd.com/gpu.device-id": "74a1"}},
    "status": {"allocatable": {"cpu": "64", "memory": "1Ti", "pods": "110", "amd.com/gpu": "8"}},
}
#: Refused, with the reason, by the end of the path.
REFUSED = {
    "filters-unavailable-gpus/template-h100.yaml": "an H100 as amd.com/gpu is on no node: the test wants a template that isn't available",
    "not-available-wrong-gpu/cluster-template.yaml": "the same",
    "gateway-not-exists/cluster-image.yaml": "the image has two tags: its labels are never read, and the model is Degraded",
    "standalone/kvcache-custom-config.yaml": "the storage class is a placeholder of the program that runs the test",
    "standalone/kvcache-status-test.yaml": "the same",
}


def manifests(folder: Path) -> Iterator[tuple[Path, JSONObject, list[JSONObject]]]:
    """Every object of AIM with a spec (scaffolds have none), with the other objects of its file."""
    for path in sorted(folder.rglob("*.yaml")):
        documents = [found for found in read_all(path.read_text()) if isinstance(found, dict)]
        for found in documents:
            gvk = GroupVersionKind.from_object(found)
            family = family_of(gvk.group) if gvk is not None else None
            if gvk is not None and family is not None and family.kind(gvk) is not None and found.get("spec"):
                yield path, found, [other for other in documents if other is not found]


@pytest.mark.parametrize("nodes", [[NODE], []], ids=["with GPUs", "without nodes"])
def test_upstreams_manifests_are_taken(nodes: list[JSONObject], shared: Path) -> None:
    refused: dict[str, str] = {}
    count = 0
    for path, obj, beside in manifests(shared / SAMPLES):
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        namespace = "" if gvk.kind.startswith("AIMCluster") else namespace_of(obj) or "default"
        request = Request("1", Operation.CREATE, gvk, obj, namespace=namespace, name=name_of(obj), field_validation=FieldValidation.WARN)
        decision = decide(request, from_objects(nodes, bundled_definitions(), beside=beside), DEFAULT)
        count += 1
        if not decision.allowed:
            refused["/".join(path.parts[-2:])] = decision.message
    assert count > 140
    assert set(refused) == set(REFUSED), refused
