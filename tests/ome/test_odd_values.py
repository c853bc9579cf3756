"""What OME v0.1.5 made of odd values, as its controller did it when it was run on them with kube-apiserver 1.36."""

from __future__ import annotations

import pytest

from tests.ome.workloads import RUNNER, facts_of, kinds, maker, objects, until_it_stops
from weighbridge.policies.families.ome.predictions.merge.addresses import address_trouble
from weighbridge.policies.families.ome.predictions.merge.pods import PodError
from weighbridge.policies.families.ome.predictions.merge.workloads import Maker
from weighbridge.policies.ground.go_numbers import atoi, int32
from weighbridge.policies.ground.objects import JSONObject

_GROUP: JSONObject = {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER, "size": 1}}
_SERVERLESS: JSONObject = {"runner": RUNNER, "annotations": {"ome.io/deploymentMode": "Serverless"}}
_RAY: JSONObject = {"runner": RUNNER, "annotations": {"ome.io/deploymentMode": "MultiNodeRayVLLM"}}
_SETTINGS = {"ingressGateway": "a", "ingressService": "b", "disableIngressCreation": True}


def _stop(maker: Maker) -> str:
    with pytest.raises(PodError) as error:
        list(maker.objects())
    return str(error.value)


def _of(kind: str, found: list[JSONObject]) -> JSONObject:
    return next(one for one in found if one["kind"] == kind)


def test_a_group_and_its_service_have_shorter_names_for_a_long_service() -> None:
    found = kinds(objects({"engine": _GROUP}, name="x" * 60))
    assert found[1] == f"LeaderWorkerSet/lws-{'x' * 43}-engine"
    assert found[2].startswith("Service/")
    assert len(found[2]) == len("Service/") + 63


@pytest.mark.parametrize("engine", [{"runner": RUNNER}, _GROUP])
def test_the_label_by_which_pods_are_selected_takes_the_place_of_a_user_s(engine: JSONObject) -> None:
    made = objects({"engine": {**engine, "labels": {"app": "mine"}}})[1]["spec"]
    pods = made.get("template") or made["leaderWorkerTemplate"]["leaderTemplate"]
    assert pods["metadata"]["labels"]["app"] == "chat-engine"


def test_a_knative_service_has_the_written_maximum_and_annotations_of_its_own() -> None:
    own = {"serving.knative.dev/rollout-duration": "10s", "ome.io/enable-tag-routing": "true"}
    engine = {**_SERVERLESS, "annotations": {**_SERVERLESS["annotations"], **own}, "minReplicas": 5, "maxReplicas": 3, "timeoutSeconds": 9}
    made = _of("Service", objects({"engine": engine}))
    assert made["metadata"]["annotations"] == {"serving.knative.dev/rollout-duration": "10s"}
    template = made["spec"]["template"]
    annotations = template["metadata"]["annotations"]
    assert "serving.knative.dev/rollout-duration" not in annotations
    assert [annotations[f"autoscaling.knative.dev/{end}-scale"] for end in ("min", "max")] == ["5", "3"]
    assert template["spec"]["responseStartTimeoutSeconds"] == 9
    assert made["spec"]["traffic"] == [{"latestRevision": True, "percent": 100, "tag": "latest"}]


def test_the_timeout_is_no_field_of_a_pod() -> None:
    pod = objects({"engine": {"runner": RUNNER, "timeoutSeconds": 9}})[1]["spec"]["template"]["spec"]
    assert "timeoutSeconds" not in pod


@pytest.mark.parametrize(
    ("engine", "kind", "counts"),
    [
        ({"minReplicas": 3000000000}, "HorizontalPodAutoscaler", None),
        ({"minReplicas": 4294967297, "maxReplicas": 9}, "HorizontalPodAutoscaler", (1, 9)),
        ({"scaleTarget": 4294967346}, "HorizontalPodAutoscaler", (1, 1)),
    ],
)
def test_numbers_of_replicas_are_cut_to_32_bits(engine: JSONObject, kind: str, counts: tuple[int, int] | None) -> None:
    made = maker({"engine": {"runner": RUNNER, **engine}})
    if counts is None:
        assert "spec.minReplicas: Invalid value: -1294967296" in _stop(made)
        return
    spec = _of(kind, list(made.objects()))["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == counts


@pytest.mark.parametrize(("written", "target"), [("abc", 0), ("", 0), (" 5", 0), ("1e1", 0), ("101", 101), ("4294967346", 50)])
def test_a_component_s_target_is_read_as_go_reads_it(written: str, target: int) -> None:
    made = maker({"engine": {"runner": RUNNER, "scaleTarget": 60, "annotations": {"ome.io/targetUtilizationPercentage": written}}})
    if target < 1:
        assert "averageUtilization: Invalid value: 0" in _stop(made)
        return
    resource = _of("HorizontalPodAutoscaler", list(made.objects()))["spec"]["metrics"][0]["resource"]
    assert resource["target"]["averageUtilization"] == target


@pytest.mark.parametrize(
    ("component", "worker", "message"),
    [
        ({"minReplicas": -1}, {}, "spec.replicas: Invalid value: -1: replicas must be equal or greater than 0"),
        ({}, {"size": -1}, "spec.leaderWorkerTemplate.size: Invalid value: 0: size must be equal or greater than 1"),
        ({}, {"size": 2147483647}, "Invalid value: -2147483648: size must be equal or greater than 1"),
        ({"minReplicas": 100000}, {"size": 100000}, "the product of replicas and worker replicas must not exceed 2147483647"),
        ({"labels": {"vendor": "A B"}}, {}, 'metadata.labels: Invalid value: "A B"'),
    ],
)
def test_a_group_with_odd_numbers_or_labels_is_refused(component: JSONObject, worker: JSONObject, message: str) -> None:
    made = maker({"engine": {**_GROUP, "worker": {**_GROUP["worker"], **worker}, **component}})
    assert message in _stop(made)
    assert made.refusals[0].workload == "LeaderWorkerSet"


def test_a_knative_service_with_an_odd_label_is_refused() -> None:
    assert until_it_stops(maker({"engine": {**_SERVERLESS, "labels": {"vendor": "A B"}}})) == ["ConfigMap/modelconfig-chat"]


@pytest.mark.parametrize(("replicas", "clusters"), [(0, 0), (2, 2), (3000000000, 100)])
def test_no_more_ray_clusters_are_predicted_than_are_needed(replicas: int, clusters: int) -> None:
    facts = facts_of({"ingress": _SETTINGS, "multinodeProber": {"image": "p"}})
    found = list(maker({"engine": {**_RAY, "minReplicas": replicas}}, facts=facts).objects())
    assert [one["kind"] for one in found].count("RayCluster") == clusters


def test_there_is_no_ingress_for_ray() -> None:
    facts = facts_of({"multinodeProber": {"image": "p"}})
    assert "can't make an ingress for the mode MultiNodeRayVLLM" in _stop(maker({"engine": {**_RAY, "minReplicas": 0}}, facts=facts))


def test_a_negative_number_of_ray_clusters_is_a_panic() -> None:
    facts = facts_of({"multinodeProber": {"image": "p"}})
    assert "panics on -1 replicas" in _stop(maker({"engine": {**_RAY, "minReplicas": -1}}, facts=facts))


@pytest.mark.parametrize("engine", [{**_GROUP, "leader": {"runner": {"image": "a"}}}, {**_RAY, "runner": {"image": "a"}}])
def test_a_runner_without_a_name_stops_no_group_and_its_pods_are_refused(engine: JSONObject) -> None:
    facts = facts_of({"ingress": _SETTINGS, "multinodeProber": {"image": "p"}})
    made = maker({"engine": engine}, facts=facts)
    assert len(list(made.objects())) > 2
    assert any("containers[0].name: Required value" in str(error) for refusal in made.refusals for error in refusal.errors)


def test_knative_names_a_container_without_a_name() -> None:
    made = maker({"engine": {**_SERVERLESS, "runner": {"image": "a"}}})
    assert _of("Service", list(made.objects()))
    assert not made.refusals


def test_gpus_that_are_only_requested_count_for_the_parallelism() -> None:
    runner = {**RUNNER, "resources": {"requests": {"nvidia.com/gpu": "2"}}}
    group = {"leader": {"runner": runner}, "worker": {"runner": RUNNER, "size": 1}}
    pods = objects({"engine": group})[1]["spec"]["leaderWorkerTemplate"]["leaderTemplate"]["spec"]
    assert {"name": "PARALLELISM_SIZE", "value": "4"} in pods["containers"][0]["env"]


def test_an_empty_value_of_a_user_s_key_stays() -> None:
    runtime = {
        "engineConfig": {"runner": RUNNER, "nodeSelector": {"node-role.kubernetes.io/gpu": ""}},
        "routerConfig": {"runner": RUNNER, "config": {"A": "1"}},
    }
    found = objects({"engine": {"nodeSelector": {"zone": "a"}}, "router": {"config": {"B": ""}}}, runtime)
    engine, router = (one["spec"]["template"]["spec"] for one in found if one["kind"] == "Deployment")
    assert engine["nodeSelector"]["node-role.kubernetes.io/gpu"] == ""
    assert router["containers"][0]["env"][-1] == {"name": "B", "value": ""}


@pytest.mark.parametrize(
    ("annotations", "ingress", "address"),
    [
        ({}, None, ""),
        ({}, {"ingressDomain": "é.com"}, "chat-engine.shop.é.com"),
        ({"ome.io/ingress-domain": "BAD_x"}, None, "chat-engine.shop.BAD_x"),
        ({"ome.io/ingress-domain": "a..b"}, None, "chat-engine.shop.a..b"),
        ({"ome.io/ingress-domain": "a.com."}, None, ""),
        ({"ome.io/ingress-domain": ""}, {"ingressDomain": "a.com"}, ""),
        ({"ome.io/ingress-domain-template": "{{.Name}}"}, None, "'chat-engine'"),
        ({"ome.io/ingress-domain-template": "{{.Name}}_{{.Namespace}}"}, None, "chat-engine_shop"),
        ({"ome.io/ingress-domain-template": "plain.example.com"}, None, ""),
        ({"ome.io/ingress-domain-template": "{{.Name"}, None, "isn't closed"),
        ({"ome.io/ingress-domain-template": "{{.Nope}}.a.b"}, None, ".Nope"),
        ({"ome.io/ingress-domain-template": "{{.Labels.x}}.a.b"}, None, ""),
    ],
)
def test_an_address_that_is_no_domain_stops_a_component(annotations: dict[str, str], ingress: JSONObject | None, address: str) -> None:
    found = address_trouble("chat-engine", "shop", annotations, ingress)
    assert address in found if address else not found


def test_numbers_are_read_and_cut_as_in_go() -> None:
    assert [atoi(text) for text in ("+7", "-7", "007", "", "1_0", "x")] == [7, -7, 7, 0, 0, 0]
    assert [atoi(text) for text in ("9" * 30, "-" + "9" * 30)] == [2**63 - 1, -(2**63)]
    assert [int32(number) for number in (0, -1, 2**31, 3000000000, 2**32 + 1)] == [0, -1, -(2**31), -1294967296, 1]
