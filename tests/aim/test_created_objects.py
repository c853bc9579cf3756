"""Labels and values of the objects that aim-engine creates; each was compared with the operator on a real API server."""

from __future__ import annotations

from tests.aim.test_services_by_branch import model, one, predicted
from tests.aim.test_workloads import made, template
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.ground.objects import JSONObject

MANAGED = "app.kubernetes.io/managed-by"
COPIES: JSONObject = {"labelPropagation": {"enabled": True, "match": ["app.kubernetes.io/*", "team"]}}


def labels(obj: JSONObject) -> JSONObject:
    found: JSONObject = obj["metadata"]["labels"]
    return found


def test_a_copied_label_replaces_what_is_added_to_every_object() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    asked = {MANAGED: "argocd", f"{NEW}/service.name": "other"}
    found = predicted(NEW, {}, config, model(NEW), template(NEW), labels=asked)
    assert labels(one(found, "AIMTemplateCache")) == {**asked, f"{NEW}/service": "chat"}
    # The InferenceService has its own `managed-by`.
    assert labels(one(found, "InferenceService")).items() >= {MANAGED: "aim-engine", f"{NEW}/service.name": "other"}.items()


def test_an_artifact_copies_who_manages_its_cache() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    found = predicted(NEW, {}, config, model(NEW), template(NEW))
    assert labels(one(found, "AIMArtifact"))[MANAGED] == labels(one(found, "AIMTemplateCache"))[MANAGED] == "aim-service-controller"


def test_the_cache_of_a_derived_template_copies_labels_by_its_config() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    found = predicted(NEW, {"overrides": {"metric": "latency"}}, config, model(NEW), template(NEW), labels={"team": "x"})
    caches = [obj for obj in found.objects if obj["kind"] == "AIMTemplateCache"]
    assert [labels(cache).get("team") for cache in caches] == ["x", "x"]


def test_values_are_written_as_go_prints_them() -> None:
    env = [{"name": "A", "value": ""}, {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]
    spec = {"env": env, "overrides": {"metric": "latency"}, "resources": {"limits": {"cpu": "0.5", "memory": "1024Mi"}}}
    found = predicted(NEW, spec, model(NEW), template(NEW))
    printed = [{"name": "A"}, {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}}]
    assert one(found, "AIMTemplateCache")["spec"]["env"] == one(found, "AIMArtifact")["spec"]["env"] == printed
    assert one(found, "AIMServiceTemplate")["spec"]["resources"] == {"limits": {"cpu": "500m", "memory": "1Gi"}}
