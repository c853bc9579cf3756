"""The objects that depend on the manager's settings, on what is installed, and on annotations: Ray, KEDA, queues and Services."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.ome.workloads import ANNOTATIONS, LABELS, RUNNER, facts_of, kinds, maker, objects, until_it_stops
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.predictions.merge.pods import PodError
from weighbridge.policies.families.ome.predictions.merge.ray import checked_name
from weighbridge.policies.families.ome.predictions.merge.scalers import printed
from weighbridge.policies.ground.objects import JSONObject

_ON_RAY: JSONObject = {"runner": RUNNER, "annotations": {"ome.io/deploymentMode": "MultiNodeRayVLLM"}}


def test_a_component_on_ray_has_a_cluster_and_a_prober_for_each_replica() -> None:
    found = objects({"engine": {**_ON_RAY, "minReplicas": 2}})
    assert kinds(found) == [
        "ConfigMap/modelconfig-chat",
        *("RayCluster/chat-engine-0", "RayCluster/chat-engine-1"),
        "Service/chat-engine",
        *("Deployment/chat-engine-0-mnp", "Deployment/chat-engine-1-mnp"),
        "Service/chat",
    ]
    labels = {"component": "engine", **LABELS}
    assert found[1]["metadata"]["labels"] == labels
    head, (workers,) = found[1]["spec"]["headGroupSpec"], found[1]["spec"]["workerGroupSpecs"]
    assert head["headService"]["metadata"]["name"] == "chat-engine-0"
    (serving,), (waiting,) = (pod["template"]["spec"]["containers"] for pod in (head, workers))
    assert serving["lifecycle"] == {"preStop": {"exec": {"command": ["/bin/bash", "-lc", "ray stop"]}}}
    assert waiting == {**serving, "command": ["/bin/bash", "-lc", "--"], "args": waiting["args"]}
    assert [(port["name"], port["port"]) for port in found[3]["spec"]["ports"]] == [
        *(("chat-engine", 8080), ("dashboard", 8265), ("metrics", 8000), ("redis", 6379))
    ]
    prober = found[5]["spec"]["template"]
    assert prober["metadata"]["labels"] == {"app": "chat-engine", **labels}
    assert prober["spec"]["containers"][0]["args"][1] == "http://chat-engine-1.shop.svc.cluster.local:8080"


def test_a_lifecycle_that_is_written_stays_on_ray() -> None:
    found = objects({"engine": {**_ON_RAY, "runner": {**RUNNER, "lifecycle": {"postStart": {}}}}})
    (container,) = found[1]["spec"]["headGroupSpec"]["template"]["spec"]["containers"]
    assert container["lifecycle"] == {"postStart": {}}


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("chat-engine-0", "chat-engine-0"),
        ("a" * 51, "a" * 50),
        ("b" + "1" + "a" * 49, "r" + "a" * 49),
        ("b" + "-" + "a" * 49, "r" + "a" * 49),
    ],
)
def test_kuberay_cuts_the_start_of_a_long_name(name: str, cut: str) -> None:
    assert checked_name(name) == cut


_GROUP: JSONObject = {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER, "size": 1}}
_SCALED: JSONObject = {"runner": RUNNER, "annotations": {"ome.io/autoscalerClass": "keda"}}


@pytest.mark.parametrize(
    ("engine", "group", "made", "what"),
    [
        (_GROUP, "leaderworkerset.x-k8s.io", [], "LeaderWorkerSet"),
        (_ON_RAY, "ray.io", [], "KubeRay"),
        ({"runner": RUNNER, "minReplicas": 0}, "serving.knative.dev", [], "Knative Serving"),
        (_SCALED, "keda.sh", ["Deployment/chat-engine", "Service/chat-engine"], "KEDA"),
    ],
)
def test_ome_stops_where_it_needs_what_is_not_installed(engine: JSONObject, group: str, made: list[str], what: str) -> None:
    lacking = facts_of(None, "other.dev")
    assert until_it_stops(maker({"engine": engine}, facts=lacking)) == ["ConfigMap/modelconfig-chat", *made]
    with pytest.raises(PodError, match=f"{what} isn't installed"):
        list(maker({"engine": engine}, facts=lacking).objects())
    assert kinds(objects({"engine": engine}, facts=facts_of(None, group)))[-1] == "Service/chat"
    unknown = maker({"engine": engine}, facts=from_objects([], Definitions()))
    assert kinds(list(unknown.objects()))[-1] == "Service/chat"
    assert unknown.unknown == [f"whether {what} is installed: not all CustomResourceDefinitions of the cluster are known"]


@pytest.mark.parametrize(
    ("ingress", "words"),
    [
        ("{no", "ingress of ConfigMap inferenceservice-config isn't JSON"),
        ({}, "needs ingressGateway and ingressService"),
        ({"ingressGateway": "g", "ingressService": "s", "pathTemplate": "/x"}, "has a pathTemplate, which needs ingressDomain"),
    ],
)
@pytest.mark.parametrize("engine", [{"runner": RUNNER}, _GROUP, _ON_RAY])
def test_ome_stops_at_settings_for_ingress_that_it_cannot_use(engine: JSONObject, ingress: Any, words: str) -> None:
    facts = facts_of({"ingress": ingress, "multinodeProber": {}})
    assert until_it_stops(maker({"engine": engine}, facts=facts)) == ["ConfigMap/modelconfig-chat"]
    with pytest.raises(PodError, match=re.escape(words)):
        list(maker({"engine": engine}, facts=facts).objects())


@pytest.mark.parametrize(("engine", "at"), [(_GROUP, 2), (_ON_RAY, 4)])
def test_a_label_asks_for_a_sidecar_of_istio(engine: JSONObject, at: int) -> None:
    labelled = {**engine, "labels": {"sidecar.istio.io/inject": "true"}}
    installed = facts_of(None, "leaderworkerset.x-k8s.io", "ray.io", "networking.istio.io")
    found = objects({"engine": labelled}, facts=installed)
    assert kinds(found)[at] == "Sidecar/chat-engine"
    assert found[at]["spec"]["workloadSelector"] == {"labels": {"ome.io/inferenceservice": "chat-engine"}}
    lacking = facts_of(None, "leaderworkerset.x-k8s.io", "ray.io")
    assert len(until_it_stops(maker({"engine": labelled}, facts=lacking))) == at
    assert not any("Sidecar" in kind for kind in kinds(objects({"engine": engine}, facts=installed)))


def test_ome_stops_at_ray_without_settings_for_the_prober() -> None:
    assert until_it_stops(maker({"engine": _ON_RAY}, facts=facts_of({}))) == ["ConfigMap/modelconfig-chat"]


_INGRESS = {"ingressGateway": "g", "ingressService": "s"}


@pytest.mark.parametrize(
    ("settings", "annotations", "has_front"),
    [
        (None, {}, True),
        ({}, {}, False),
        ({"ingress": _INGRESS}, {}, False),
        ({"ingress": {**_INGRESS, "disableIngressCreation": True}}, {}, True),
        ({"ingress": _INGRESS}, {"ome.io/ingress-disable-creation": "true"}, True),
        (None, {"ome.io/ingress-disable-creation": "yes"}, False),
    ],
)
def test_settings_and_annotation_decide_about_the_service_in_front(settings: Any, annotations: JSONObject, has_front: bool) -> None:
    found = objects({"engine": {"runner": RUNNER}}, facts=facts_of(settings), annotations=annotations)
    assert (kinds(found)[-1] == "Service/chat") is has_front


def test_a_service_within_the_cluster_has_none_in_front_and_its_address_is_never_written() -> None:
    labels = {"networking.knative.dev/visibility": "cluster-local"}
    assert until_it_stops(maker({"engine": {"runner": RUNNER}}, labels=labels))[-1] == "PodDisruptionBudget/chat-engine"


@pytest.mark.parametrize(
    ("annotations", "labels"),
    [
        ({"ome.io/volcano-queue": "q"}, {"volcano.sh/queue-name": "q"}),
        ({"ome.io/volcano-queue": "q", "ome.io/dedicated-ai-cluster": "p", "kueue-enabled": ""}, {"volcano.sh/queue-name": "q"}),
        (
            {"ome.io/dedicated-ai-cluster": "p"},
            {"volcano.sh/queue-name": "p", "ray.io/priority-class-name": "volcano-scheduling-high-priority"},
        ),
        (
            {"ome.io/dedicated-ai-cluster": "p", "kueue-enabled": "false"},
            {"kueue.x-k8s.io/queue-name": "p", "kueue.x-k8s.io/priority-class": "kueue-scheduling-high-priority"},
        ),
        ({"kueue-enabled": "true"}, {}),
        ({"volcano": "x", "ome.io/volcano-queue": ""}, {"volcano.sh/queue-name": "", "ray.io/scheduler-name": "volcano"}),
    ],
)
@pytest.mark.parametrize("engine", [{"runner": RUNNER}, _GROUP, _ON_RAY, {"runner": RUNNER, "minReplicas": 0}])
def test_annotations_bring_the_labels_of_queues(engine: JSONObject, annotations: JSONObject, labels: JSONObject) -> None:
    found = objects({"engine": {**engine, "annotations": {**engine.get("annotations", {}), **annotations}}})[1]
    pods: dict[str, Callable[[JSONObject], list[JSONObject]]] = {
        "Deployment": lambda spec: [spec["template"]],
        "LeaderWorkerSet": lambda spec: [spec["leaderWorkerTemplate"][f"{role}Template"] for role in ("leader", "worker")],
        "RayCluster": lambda spec: [spec["headGroupSpec"]["template"], spec["workerGroupSpecs"][0]["template"]],
        # Knative's pods don't get them; its Service does.
        "Service": lambda _: [found],
    }
    for template in pods[found["kind"]](found["spec"]):
        given = template["metadata"]["labels"]
        assert {key: value for key, value in given.items() if key.startswith(_QUEUES)} == labels


_QUEUES = ("volcano.sh/", "kueue.x-k8s.io/", "ray.io/priority-class-name", "ray.io/scheduler-name")


def test_workers_lack_the_annotations_of_prometheus() -> None:
    annotations = {"prometheus.io/path": "/m", "prometheus.io/port": "1", "prometheus.io/scrape": "true", "team": "a"}
    group = objects({"engine": {**_GROUP, "annotations": annotations}})[1]["spec"]["leaderWorkerTemplate"]
    leader, worker = (group[f"{role}Template"]["metadata"]["annotations"] for role in ("leader", "worker"))
    assert leader == {**annotations, **ANNOTATIONS}
    assert worker == {"team": "a", **ANNOTATIONS}


@pytest.mark.parametrize(("asked", "kind"), [("NodePort", "NodePort"), ("LoadBalancer", "LoadBalancer"), ("Headless", "ClusterIP")])
def test_an_annotation_asks_for_the_type_of_services(asked: str, kind: str) -> None:
    found = objects({"engine": {"runner": RUNNER}}, annotations={"ome.io/service-type": asked})
    assert [obj["spec"]["type"] for obj in found if obj["kind"] == "Service"] == [kind, kind]


_QUERY = "autoscaling.keda.sh/prometheus.query"


def trigger(annotations: JSONObject | None = None, config: JSONObject | None = None, **engine: Any) -> JSONObject:
    """The trigger of the engine's ScaledObject."""
    spec: JSONObject = {"engine": {**_SCALED, **engine}}
    spec |= {"kedaConfig": config} if config is not None else {}
    found = objects(spec, annotations=annotations or {})
    ((one,),) = (obj["spec"]["triggers"] for obj in found if obj["kind"] == "ScaledObject")
    told: JSONObject = one
    return told


def test_a_trigger_has_ome_s_own_settings() -> None:
    found = trigger()
    query = found["metadata"].pop("query")
    assert found == {
        "type": "prometheus",
        "metadata": {
            "metricName": "tps",
            "serverAddress": "http://prometheus-operated.monitoring.svc.cluster.local:9090",
            "threshold": "10",
            "operator": "LessThanOrEqual",
        },
    }
    assert query.count('{ome_io_inferenceservice="chat-engine"}') == 2


@pytest.mark.parametrize(
    ("setting", "field", "annotation"),
    [
        ("serverAddress", "promServerAddress", "autoscaling.keda.sh/prometheus.serverAddress"),
        ("threshold", "scalingThreshold", "autoscaling.keda.sh/threshold"),
        ("operator", "scalingOperator", "autoscaling.keda.sh/operator"),
        ("query", "customPromQuery", _QUERY),
    ],
)
def test_a_setting_comes_from_the_annotation_before_the_field(setting: str, field: str, annotation: str) -> None:
    assert trigger({annotation: ""}, {field: "%s"})["metadata"][setting] == ""
    assert trigger({}, {field: "a"})["metadata"][setting].startswith("a")
    assert trigger({}, {field: ""})["metadata"][setting] == trigger()["metadata"][setting]


def test_a_trigger_authenticates_with_its_modes() -> None:
    found = trigger({}, {"authenticationRef": {"name": "a"}, "authModes": "basic"}, scaleMetric="rps")
    assert found["authenticationRef"] == {"name": "a", "kind": "TriggerAuthentication"}
    assert (found["metadata"]["authModes"], found["metadata"]["metricName"]) == ("basic", "rps")
    assert "authModes" not in trigger({}, {"authModes": "basic"})["metadata"]
    kind = "ClusterTriggerAuthentication"
    assert trigger({}, {"authenticationRef": {"name": "a", "kind": kind}})["authenticationRef"]["kind"] == kind


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ('rate(a{b="%s"}[1m])', 'rate(a{b="chat"}[1m])'),
        ("rate(a)", "rate(a)%!(EXTRA string=chat)"),
        ("%s %s", "chat %!s(MISSING)"),
        ("5%% %v", "5% chat"),
        ("%d", "%!d(string=chat)"),
        ("%q", '"chat"'),
        ("%x %", "63686174 %!(NOVERB)"),
    ],
)
def test_a_query_is_printed_as_go_prints_it(form: str, text: str) -> None:
    assert printed(form, "chat") == text


def test_the_name_of_a_scaled_object_keeps_the_end_of_a_long_one() -> None:
    found = objects({"engine": _SCALED}, name="a" * 50)
    assert f"ScaledObject/scaledobject-{'a' * 43}-engine" in kinds(found)
