"""What is filled into AIM's objects, as patches with their sources and reasons, and objects that are left as they are."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.fill_in import FillIn
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.fill import download_image, gpu_resource, template_scope
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.settings import Aim, DownloadImages, ResourceNames
from weighbridge.policies.families.aim.subject.references import find, models, templates
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, lookup
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_IMAGES = DownloadImages(artifact="r/artifact:1", model_cache="r/cache:1")
_NAMES = ResourceNames(amd="acme.com/gpu", nvidia="acme.com/nvidia")
_NODES = [
    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": {"nvidia.com/gpu": "8", "pods": "9"}}}
    for name in ("a", "b")
]


def _filled(fill: Any, group: str, kind: str, spec: Any, config: Configuration, *held: JSONObject, namespace: str = "shop") -> Mutation:
    obj = {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": {"name": "x"}, "spec": copy.deepcopy(spec)}
    facts = from_objects(list(held), bundled_definitions())
    kinds = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
    facts.objects.complete(besides=[(NEW, one) for one in kinds])
    mutation = Mutation(obj)
    request = Request("1", Operation.CREATE, GroupVersionKind(group, "v1alpha1", kind), obj, namespace=namespace, name="x")
    fill(mutation, request, facts, config)
    return mutation


def _told(mutation: Mutation) -> list[tuple[Any, ...]]:
    return [(one.path, one.value, one.source, one.reason) for one in mutation.provenance]


@pytest.mark.parametrize(
    ("group", "kind", "images", "fill_in", "value", "key"),
    [
        (NEW, "AIMArtifact", _IMAGES, FillIn(), "r/artifact:1", "artifact"),
        (OLD, "AIMModelCache", _IMAGES, FillIn(), "r/cache:1", "modelCache"),
        (NEW, "AIMArtifact", DownloadImages(model_cache="r/cache:1"), FillIn(), None, ""),
        (OLD, "AIMModelCache", DownloadImages(artifact="r/artifact:1"), FillIn(), None, ""),
        (NEW, "AIMArtifact", DownloadImages(), FillIn(), None, ""),
        (NEW, "AIMArtifact", _IMAGES, FillIn(images=[]), None, ""),
        (OLD, "AIMModelCache", _IMAGES, FillIn(images=["*/artifact"]), None, ""),
    ],
)
def test_the_image_that_fetches_a_model(
    group: str, kind: str, images: DownloadImages, fill_in: FillIn, value: str | None, key: str
) -> None:
    config = Configuration(families={Aim: Aim(download_images=images)}, fill_in=fill_in)
    told = [(("spec", "modelDownloadImage"), value, "configuration", f"aim.downloadImages.{key}")] if value else []
    assert _told(_filled(download_image.fill, group, kind, {}, config)) == told
    assert _told(_filled(download_image.fill, group, kind, {"modelDownloadImage": "own:1"}, config)) == []
    assert _told(_filled(download_image.fill, group, kind, "odd", config)) == []


def _gpu(group: str, model: str) -> JSONObject:
    return {"gpuSelector": {"count": 1, "model": model}} if group == OLD else {"hardware": {"gpu": {"requests": 1, "model": model}}}


_SERVED = "served by 2 node(s), and the model is one of NVIDIA's"


@pytest.mark.parametrize(
    ("group", "model", "names", "nodes", "expected"),
    [
        (NEW, "MI300X", _NAMES, [], ("acme.com/gpu", "configuration", "aim.resourceNames.amd")),
        (OLD, "MI300X", _NAMES, [], ("acme.com/gpu", "configuration", "aim.resourceNames.amd")),
        (NEW, "", _NAMES, [], ("acme.com/gpu", "configuration", "aim.resourceNames.amd")),
        (OLD, "", _NAMES, [], None),
        (NEW, "H100", _NAMES, [], None),
        (OLD, "H100", _NAMES, _NODES, ("acme.com/nvidia", "configuration", "aim.resourceNames.nvidia")),
        (OLD, "Odd1", _NAMES, _NODES, None),
        (NEW, "MI300X", ResourceNames(), _NODES, None),
        (NEW, "MI300X", ResourceNames(amd="amd.com/gpu"), [], None),
        (NEW, "H100", ResourceNames(), _NODES, None),
        (OLD, "H100", ResourceNames(), _NODES, ("nvidia.com/gpu", "cluster", _SERVED)),
        (OLD, "H100", ResourceNames(), [], None),
        (OLD, "MI300X", ResourceNames(), _NODES, None),
    ],
)
def test_the_resource_of_a_template_s_gpus(
    group: str, model: str, names: ResourceNames, nodes: list[JSONObject], expected: tuple[str, str, str] | None
) -> None:
    config = Configuration(families={Aim: Aim(resource_names=names)})
    path = ("spec", "gpuSelector", "resourceName") if group == OLD else ("spec", "hardware", "gpu", "resourceName")
    for kind in ("AIMServiceTemplate", "AIMClusterServiceTemplate"):
        found = _filled(gpu_resource.fill, group, kind, _gpu(group, model), config, *nodes)
        assert _told(found) == ([(path, *expected)] if expected is not None else [])
        assert [one["op"] for one in found.patch] == (["add"] if expected is not None else [])
    other = _gpu(NEW if group == OLD else OLD, model)
    assert _told(_filled(gpu_resource.fill, group, "AIMServiceTemplate", other, config, *nodes)) == []


def test_no_resource_is_filled_in_that_may_not_be() -> None:
    config = Configuration(families={Aim: Aim(resource_names=_NAMES)}, fill_in=FillIn(resource_names=["acme.com/nvidia"]))
    assert _told(_filled(gpu_resource.fill, OLD, "AIMServiceTemplate", _gpu(OLD, "MI300X"), config)) == []
    assert len(_told(_filled(gpu_resource.fill, OLD, "AIMServiceTemplate", _gpu(OLD, "H100"), config))) == 1


def _template(kind: str, name: str, namespace: str = "shop") -> JSONObject:
    metadata = {"name": name} if "Cluster" in kind else {"name": name, "namespace": namespace}
    return {"apiVersion": f"{NEW}/v1alpha1", "kind": kind, "metadata": metadata, "spec": {}}


_OWN, _OF_CLUSTER = _template("AIMServiceTemplate", "fast"), _template("AIMClusterServiceTemplate", "fast")


@pytest.mark.parametrize(
    ("spec", "held", "expected"),
    [
        ({"templateName": "fast"}, [_OWN], ("Namespace", 'namespace "shop" has a template "fast"')),
        ({"templateName": "fast"}, [_OWN, _OF_CLUSTER], ("Namespace", 'namespace "shop" has a template "fast"')),
        ({"templateName": "fast"}, [_OF_CLUSTER], ("Cluster", 'only the cluster has a template "fast"')),
        ({"templateName": "fast"}, [_template("AIMServiceTemplate", "fast", "other")], None),
        ({"templateName": "fast"}, [], None),
        ({}, [_OWN, _OF_CLUSTER], None),
        ({"templateName": "fast", "templateScope": "Cluster"}, [_OWN], None),
        ("odd", [_OWN], None),
    ],
)
def test_the_scope_of_a_cache_s_template(spec: Any, held: list[JSONObject], expected: tuple[str, str] | None) -> None:
    found = _filled(template_scope.fill, NEW, "AIMTemplateCache", spec, Configuration(), *held)
    told = [(("spec", "templateScope"), expected[0], "cluster", expected[1])] if expected is not None else []
    assert _told(found) == told
    assert _told(_filled(template_scope.fill, OLD, "AIMTemplateCache", spec, Configuration(), *held)) == []


@pytest.mark.parametrize("group", [NEW, OLD])
def test_a_template_that_is_looked_up_has_what_will_be_filled_in_unless_it_is_stored(group: str) -> None:
    config = Configuration(families={Aim: Aim(resource_names=_NAMES)})
    template = {
        **_template("AIMServiceTemplate", "fast"),
        "apiVersion": f"{group}/v1alpha1",
        "spec": {"modelName": "m", **_gpu(group, "MI300X")},
    }
    stored = {**template, "metadata": {**template["metadata"], "name": "old", "uid": "u"}}
    facts = from_objects([template, stored], bundled_definitions())
    kind, _ = templates(group)
    path = ("spec", *dialect_of(group).hardware, "resourceName")
    found = [lookup(find(kind, facts, config, "shop", name), path) for name in ("fast", "old")]
    assert found == ["acme.com/gpu", None]
    assert find(kind, facts, config, "shop", "none") is None


def test_nothing_is_filled_into_a_model_that_is_looked_up() -> None:
    model = {"apiVersion": f"{NEW}/v1alpha1", "kind": "AIMModel", "metadata": {"name": "m", "namespace": "shop"}, "spec": {"image": "a:1"}}
    kind, _ = models(NEW)
    found = find(kind, from_objects([model], bundled_definitions()), Configuration(), "shop", "m")
    assert found is not None
    assert found["spec"]["image"] == "a:1"
    assert "hardware" not in found["spec"]
