"""Upstream's own manifests, on nodes with a GPU, on nodes without and where nothing is known of them: what is refused, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from policies.config import DEFAULT
from policies.engine import decide
from policies.facts import from_objects
from policies.families import family_of
from policies.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from policies.request import Request
from webhook.inputs.facts import bundled_definitions

SAMPLES = "corpus/llmaz/samples"


def node(name: str, **resources: str) -> JSONObject:
    """A node with room, and these resources."""
    allocatable = {"cpu": "64", "memory": "512Gi", "pods": "110", **resources}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}


CLUSTERS: dict[str, list[JSONObject]] = {
    "GPUs": [node("gpus", **{"nvidia.com/gpu": "8"})],
    "CPUs": [node("cpus")],
    "unknown": [],
}
OLD_SHAPE = "the shape of before September 2024: the template of the workers isn't there"
NO_GPU = "the flavor asks for a GPU, and no node has one: the pods would wait for good"
TWO_VOLUMES = "a folder of the node: the LeaderWorkerSet has two volumes of one name and is never applied"
WITH_GPU = (
    "envoy-ai-gateway/basic-vllm.yaml",
    "huggingface/playground.yaml",
    "objstore-oss/playground.yaml",
    "runai-streamer/playground-streaming-from-file-system.yaml",
    "tensorrt-llm/playground.yaml",
    "vllm/playground.yaml",
)
#: Refused, with the reason, by the cluster and the end of the path.
REFUSED = {
    **{(name, "samples/inference_v1alpha1_service.yaml"): OLD_SHAPE for name in CLUSTERS},
    **{(name, "hostpath/playground.yaml"): TWO_VOLUMES for name in CLUSTERS},
    **{("CPUs", name): NO_GPU for name in WITH_GPU},
}


def manifests(folder: Path) -> Iterator[tuple[Path, JSONObject, list[JSONObject]]]:
    """Every object of llmaz with those of the same file."""
    for path in sorted(folder.rglob("*.yaml")):
        documents = [found for found in yaml.safe_load_all(path.read_text()) if isinstance(found, dict)]
        for found in documents:
            gvk = GroupVersionKind.from_object(found)
            family = family_of(gvk.group) if gvk is not None else None
            if gvk is not None and family is not None and family.name == "llmaz":
                yield path, found, [other for other in documents if other is not found]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_upstreams_manifests_are_taken_where_they_could_run(cluster: str, shared: Path) -> None:
    refused: dict[tuple[str, str], str] = {}
    count = 0
    for path, obj, beside in manifests(shared / SAMPLES):
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        namespace = "" if gvk.kind in ("OpenModel", "BackendRuntime") else namespace_of(obj) or "default"
        request = Request("1", Operation.CREATE, gvk, obj, namespace=namespace, name=name_of(obj), field_validation=FieldValidation.WARN)
        decision = decide(request, from_objects(CLUSTERS[cluster], bundled_definitions(), beside=beside), DEFAULT)
        count += 1
        if not decision.allowed:
            refused[cluster, "/".join(path.parts[-2:])] = decision.message
    assert count > 20
    expected = {place for place in REFUSED if place[0] == cluster}
    assert set(refused) == expected, refused
