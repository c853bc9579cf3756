"""Model sources of aim-engine: their models as far as they are known without a registry."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.aim.records import records
from tests.aim.replay import facts_of
from tests.aim.test_templates_and_caches import predicted
from tests.aim.test_workloads import made
from tests.conftest import CountVectors
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.objects.source_object import Image, model_of_image
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.inputs.facts import bundled_definitions

_KIND = "AIMClusterModelSource"


def facts(*held: JSONObject) -> Facts:
    """A cluster with these objects and no other model."""
    found = from_objects(held, bundled_definitions())
    found.objects.complete(besides=[(NEW, "AIMClusterModel")])
    return found


def source(*filters: str, **more: Any) -> JSONObject:
    """A source with some filters."""
    return made(NEW, _KIND, "src", {"filters": [{"image": image} for image in filters], **more})


def of(obj: JSONObject, *held: JSONObject) -> Prediction:
    """The prediction of a source."""
    found = predicted(obj, facts(*held))
    assert found is not None
    return found


def images(found: Prediction) -> list[str]:
    """The images of the created models."""
    return [obj["spec"]["image"] for obj in found.objects]


@pytest.mark.parametrize(
    ("written", "registry", "image"),
    [
        ("acme/x:1", None, "acme/x:1"),
        ("x:1", None, "library/x:1"),
        ("acme/x:1", "ghcr.io", "ghcr.io/acme/x:1"),
        ("quay.io/acme/x:1", "ghcr.io", "quay.io/acme/x:1"),
        # Docker Hub's own name counts as no registry.
        ("docker.io/acme/x:1", "ghcr.io", "ghcr.io/acme/x:1"),
        # The colon of a port counts as that of a tag.
        ("store:5000/acme/x", None, "store:5000/acme/x:latest"),
        ("store:5000/x:2", None, "store:5000/x:2"),
    ],
)
def test_a_filter_with_a_tag_names_the_image_of_a_model(written: str, registry: str | None, image: str) -> None:
    found = of(source(written, **({"registry": registry} if registry else {})))
    assert images(found) == [image]
    assert found.status == {"status": "Ready", "discoveredModels": 1, "availableModels": 1}
    assert not found.unchecked


def test_a_model_of_a_source_says_where_it_comes_from() -> None:
    [model] = of(source("ghcr.io/acme/x:1", imagePullSecrets=[{"name": "pull"}])).objects
    assert model["kind"] == "AIMClusterModel"
    assert name_of(model).startswith("acme-x-1-")
    assert model["metadata"]["labels"] == {
        f"{NEW}/cluster-model-source.name": "src",
        f"{NEW}/model-source": "src",
        f"{NEW}/origin": "auto-generated",
        "app.kubernetes.io/managed-by": "aim-cluster-model-source-controller",
    }
    assert model["metadata"]["annotations"] == {f"{NEW}/source-{key}": value for key, value in _PARTS.items()}
    assert model["spec"]["imagePullSecrets"] == [{"name": "pull"}]


_PARTS = {"registry": "ghcr.io", "repository": "acme/x", "tag": "1"}


@pytest.mark.parametrize("written", ["acme/x", "acme/x*", "acme/*:1", "ghcr.io/acme/x", f"acme/x@sha256:{'a' * 64}"])
def test_what_a_registry_lists_is_not_known(written: str) -> None:
    found = of(source(written))
    assert images(found) == []
    assert found.status == {}
    assert "known" in found.unchecked[0].reason


def test_what_is_known_is_made_though_another_filter_is_not_known() -> None:
    found = of(source("acme/x*", "acme/y:1"))
    assert images(found) == ["acme/y:1"]
    assert len(found.unchecked) == 1


@pytest.mark.parametrize(
    ("written", "registry", "said"),
    [
        ("acme/X:1", "docker.io", "can't be read as an image"),
        ("*/x", "docker.io", "names no namespace"),
        ("*", "ghcr.io", "names no organization"),
        ("acme/x*", "ghcr.io", "needs a token"),
        ("ghcr.io/acme/x*", "docker.io", "needs a token"),
    ],
)
def test_a_source_fails_whose_filters_the_operator_cannot_ask_for(written: str, registry: str, said: str) -> None:
    found = of(source(written, registry=registry))
    assert found.status["status"] == "Failed"
    [one] = found.status["conditions"]
    assert (one["type"], one["reason"]) == ("FiltersReady", "AllFiltersFailed")
    assert said in one["message"]
    both = of(source(written, "quay.io/acme/x:1", registry=registry))
    assert both.status["status"] == "Degraded"
    assert images(both) == ["quay.io/acme/x:1"]


def test_with_a_secret_the_packages_of_an_organization_are_not_known() -> None:
    assert of(source("ghcr.io/acme/x*", imagePullSecrets=[{"name": "pull"}])).unchecked


def test_models_that_are_there_count_towards_the_most() -> None:
    there = made(NEW, "AIMClusterModel", "one", {"image": "acme/x:1"})
    there["metadata"]["labels"] = {f"{NEW}/model-source": "src"}
    other = made(NEW, "AIMClusterModel", "two", {"image": "acme/x:2"})
    found = of(source("acme/x:1", "acme/x:2", "acme/x:3", maxModels=2), there, other)
    assert images(found) == ["acme/x:2"]
    assert found.status == {"status": "Ready", "discoveredModels": 2, "availableModels": 3, "modelsLimitReached": True}


def test_without_the_models_of_the_cluster_a_source_is_not_counted() -> None:
    found = predicted(source("acme/x:1"), from_objects([], bundled_definitions()))
    assert found is not None
    assert found.status == {}
    assert [one.reason for one in found.unchecked] == ["not all AIMClusterModels of the cluster are known"]


def test_nothing_is_done_about_a_source_that_is_paused_nor_predicted_of_the_old_group() -> None:
    paused = source("acme/x:1")
    paused["metadata"]["annotations"] = {PAUSED: "true"}
    found = of(paused)
    assert (found.status, found.objects) == ({}, ())
    assert PAUSED in found.failure
    assert predicted(made(OLD, _KIND, "src", {"filters": [{"image": "acme/x:1"}]}), facts()) is None


def test_recorded_sources_come_out_as_predicted(count_vectors: CountVectors) -> None:
    wrong: dict[str, list[str]] = {}
    agreed = unknown = 0
    for record in records("aim"):
        _, stored = facts_of(record)
        for obj in (obj for obj in stored if obj["kind"] == _KIND):
            found = of(obj)
            names = {name_of(model) for model in found.objects}
            recorded = {key.partition("/")[2] for key in record["outcome"] if key.startswith("AIMClusterModel/")}
            status = record["outcome"][f"{_KIND}/{name_of(obj)}"]["status"]
            counted = {key: status.get(key) for key in found.status if key != "conditions"}
            differs = [] if names <= recorded and (found.unchecked or names == recorded) else ["models"]
            differs += [] if counted == {key: value for key, value in found.status.items() if key != "conditions"} else ["status"]
            unknown += bool(found.unchecked)
            if differs:
                wrong[record["id"]] = differs
            elif not found.unchecked:
                agreed += 1
    count_vectors("aim sources", agreed, agreed + unknown + len(wrong))
    assert wrong == {}


def test_recorded_models_of_what_the_registry_listed_are_made_as_predicted(count_vectors: CountVectors) -> None:
    """The images that a registry lists come from the record here."""
    counts: Counter[str] = Counter()
    for record in records("aim"):
        _, stored = facts_of(record)
        for source in (obj for obj in stored if obj["kind"] == _KIND):
            for key, found in record["outcome"].items():
                given = found.get("annotations") or {}
                if key.startswith("AIMClusterModel/") and (found.get("labels") or {}).get(f"{NEW}/model-source") == name_of(source):
                    image = Image(*(given[f"{NEW}/source-{part}"] for part in ("registry", "repository", "tag")))
                    made_model = model_of_image(source, image, NEW)
                    counts["models"] += 1
                    assert made_model["metadata"] == {"name": key.partition("/")[2], "labels": found["labels"], "annotations": given}
                    assert {**made_model["spec"], "resources": {}} == found["spec"]
    count_vectors("aim models of sources", counts["models"], counts["models"])
