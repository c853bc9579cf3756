"""The volumes and the route of a service as whole objects, and the source of each value of its pods."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_whole_workloads import ALL, PROFILE, SOURCES, TEMPLATE, hardware, work
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.caches.kaiwo_caches import kaiwo_weights
from weighbridge.policies.families.aim.predictions.caches.storage import artifact_name
from weighbridge.policies.families.aim.predictions.caches.template_cache import cached_weights
from weighbridge.policies.families.aim.predictions.inference import values
from weighbridge.policies.families.aim.predictions.paths.route import Route, http_route, route
from weighbridge.policies.ground.objects import JSONObject

GATEWAY = {"name": "g", "namespace": "net", "port": 80}


def claim(size: str, **more: str) -> list[JSONObject]:
    spec = {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": size}}, "volumeMode": "Filesystem", **more}
    given = {"service-name": "chat", "cache-type": "temporary-service-cache", "template": "fast", "model-id": "unknown"}
    labels = {f"{OLD}/{key}": value for key, value in given.items()}
    labels |= {"app.kubernetes.io/managed-by": "aim-service-controller", "app.kubernetes.io/component": "model-storage"}
    metadata = {"name": "chat-temp-cache", "namespace": "shop", "labels": labels}
    return [{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}]


@pytest.mark.parametrize(
    ("spec", "config", "sizes", "expected"),
    [
        ({}, {}, ["20Gi"], claim("22Gi")),
        ({}, {}, ["1", "1"], claim("1Gi")),
        ({}, {}, ["20Gi", "10Gi"], claim("33Gi")),
        ({}, {}, ["20Gi", "none", "10Gi"], []),
        ({}, {}, ["20Gi", "-30Gi"], []),
        ({"pvcHeadroomPercent": 0}, {"pvcHeadroomPercent": 50}, ["20Gi"], claim("20Gi")),
        ({}, {"pvcHeadroomPercent": 50}, ["20Gi"], claim("30Gi")),
        ({"defaultStorageClassName": "own"}, {"defaultStorageClassName": "low"}, ["20Gi"], claim("22Gi", storageClassName="own")),
        ({}, {"defaultStorageClassName": "low"}, ["20Gi"], claim("22Gi", storageClassName="low")),
        ({}, {"storage": {"defaultStorageClassName": "low", "pvcHeadroomPercent": 50}}, ["20Gi"], claim("22Gi")),
        ({"cacheModel": False}, {}, ["20Gi"], claim("22Gi")),
        ({}, {}, ["0"], []),
        ({}, {}, ["none"], []),
        ({}, {}, [], []),
    ],
)
def test_kaiwo_s_claim_holds_all_sources(spec: JSONObject, config: JSONObject, sizes: list[str], expected: list[JSONObject]) -> None:
    weights = kaiwo_weights(work(OLD, spec, {}, config, modelSources=[{"size": size} for size in sizes]))
    assert weights.objects == expected
    assert bool(weights.failure) is not bool(expected)


def artifacts_of(group: str, *given: JSONObject, **status: Any) -> list[JSONObject]:
    return [made for made in cached_weights(work(group, *given, **status)).objects if made["kind"] == "AIMArtifact"]


def test_an_artifact_has_the_variables_of_all_layers_and_the_highest_class() -> None:
    template = {
        "env": [{"name": "A", "value": "template"}, {"name": "AIM_ENGINE_ARGS", "value": '{"a":1}'}],
        "caching": {"env": [{"name": "A", "value": "caching"}, {"name": "B", "value": "caching"}]},
    }
    spec = {"env": [{"name": "B", "value": "service"}, {"name": "AIM_ENGINE_ARGS", "value": '{"b":2}'}]}
    source = {**SOURCES[0], "env": [{"name": "C", "value": "source"}], "name": "left out"}
    config = {"storage": {"defaultStorageClassName": "low", "pvcHeadroomPercent": 50}}
    env = [
        {"name": "A", "value": "caching"},
        {"name": "AIM_ENGINE_ARGS", "value": '{"b":2}'},
        {"name": "B", "value": "service"},
        {"name": "C", "value": "source"},
    ]
    [made] = artifacts_of(NEW, spec, template, config, modelSources=[source])
    labels = made["metadata"].pop("labels")
    assert labels["aim.eai.amd.com/template-cache.name"] == "fast-690848f6"
    made["spec"]["env"].sort(key=lambda entry: entry["name"])
    assert made == {
        "apiVersion": "aim.eai.amd.com/v1alpha1",
        "kind": "AIMArtifact",
        "metadata": {"name": made["metadata"]["name"], "namespace": "shop"},
        "spec": {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "20Gi", "env": env, "storageClassName": "low"},
        "status": {"allocatedSize": "30Gi", "headroomPercent": 50},
    }


@pytest.mark.parametrize(
    ("spec", "end"),
    [
        ({}, artifact_name("hf://acme/llama", [], "")),
        ({"storage": {"defaultStorageClassName": "own"}}, artifact_name("hf://acme/llama", [], "own")),
        ({"caching": {"mode": "Shared"}}, artifact_name("hf://acme/llama", [], "")),
        ({"caching": {"mode": "Dedicated"}}, "hf---acme-llama-xxxxxxxxxx"),
        ({"caching": {"mode": "Never"}}, "hf---acme-llama-xxxxxxxxxx"),
    ],
)
def test_an_artifact_that_a_service_keeps_to_itself_has_another_digest(spec: JSONObject, end: str) -> None:
    assert [made["metadata"]["name"] for made in artifacts_of(NEW, spec, {}, {}, modelSources=SOURCES)] == [end]


def test_aim_engine_makes_an_artifact_of_each_source_and_takes_a_template_s_own_where_none_are_found() -> None:
    own = [{"modelId": "a/b", "sourceUri": "hf://a/b"}, {"modelId": "c/d", "sourceUri": "s3://c/d", "size": "x"}]
    expected = [{**own[0], "size": "0"}, own[1]]
    assert [made["spec"] for made in artifacts_of(NEW, {}, {"modelSources": own})] == expected
    assert [made["spec"]["modelId"] for made in artifacts_of(NEW, {}, {"modelSources": own}, modelSources=SOURCES)] == ["acme/llama"]
    assert all("status" not in made for made in artifacts_of(NEW, {}, {"modelSources": own}))


@pytest.mark.parametrize(
    ("group", "routing", "config", "annotations", "timeout"),
    [
        (OLD, {"annotations": {"b": "own"}}, {"annotations": {"a": "1", "b": "2"}}, {"a": "1", "b": "own"}, {}),
        (NEW, {"annotations": {"b": "own"}}, {"annotations": {"a": "1", "b": "2"}}, {"a": "1", "b": "2"}, {}),
        (OLD, {"requestTimeout": "90s"}, {"requestTimeout": "5s"}, {}, {"timeouts": {"request": "1m30s"}}),
        (NEW, {}, {"requestTimeout": "1500ms"}, {}, {"timeouts": {"request": "1.5s"}}),
        (NEW, {"requestTimeout": "0s"}, {"requestTimeout": "5s"}, {}, {"timeouts": {"request": "0s"}}),
        (OLD, {"requestTimeout": "0"}, {"requestTimeout": "5s"}, {}, {"timeouts": {"request": "0s"}}),
        (NEW, {"requestTimeout": "soon"}, {}, {}, {}),
    ],
)
def test_a_route_as_a_whole(group: str, routing: JSONObject, config: JSONObject, annotations: JSONObject, timeout: JSONObject) -> None:
    made = work(group, {"routing": routing}, config={"routing": config})
    found = http_route(made.service, made.config, made.dialect, made.name, Route("/p", GATEWAY))
    labels = {
        "aim.eai.amd.com/x": "b",
        "aim.eai.amd.com/service": "chat",
        "aim.eai.amd.com/service.name": "chat",
        "app.kubernetes.io/component": "routing",
        "app.kubernetes.io/managed-by": "aim-engine",
    }
    name = "chat-690848f6" if group == NEW else "chat"
    assert found == {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {
            "name": name,
            "namespace": "shop",
            **({"labels": labels} if group == NEW else {}),
            **({"annotations": annotations} if annotations else {}),
        },
        "spec": {
            "parentRefs": [GATEWAY],
            "rules": [
                {
                    "matches": [{"path": {"type": "PathPrefix", "value": "/p"}}],
                    "filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}],
                    "backendRefs": [{"kind": "Service", "name": f"{name}-predictor", "namespace": "shop", "port": 80}],
                    **timeout,
                }
            ],
        },
    }


_NO_GATEWAY = "routing.gatewayRef must be specified via AIMService or runtime config when routing is enabled"
_NO_NAME = "{.spec.none}: none is not found"
_ADDRESS = "{.spec.model} has the address of a pointer, which is another one after each restart of the operator"
_OLD_GATEWAY = {"namespace": "shop", "name": "g"}
_G: JSONObject = {"gatewayRef": {"name": "g"}}


@pytest.mark.parametrize(
    ("group", "own", "merged", "expected"),
    [
        (NEW, {}, {}, Route()),
        (NEW, {}, {"enabled": False, **_G}, Route()),
        (NEW, {"enabled": False}, {"enabled": True, **_G}, Route()),
        (NEW, {}, {"enabled": True, **_G}, Route("/shop/<uid>", {"name": "g"})),
        (OLD, {}, {"enabled": True, **_G}, Route("/shop/<uid>", _OLD_GATEWAY)),
        (
            OLD,
            {"gatewayRef": {"name": "own", "namespace": "n"}},
            {"enabled": True, **_G},
            Route("/shop/<uid>", {"name": "own", "namespace": "n"}),
        ),
        (NEW, {"enabled": True, "pathTemplate": "/own"}, {**_G, "pathTemplate": "/c"}, Route("/own", {"name": "g"}, "/own")),
        (NEW, {"enabled": True, "pathTemplate": ""}, {**_G, "pathTemplate": "/c"}, Route("/shop/<uid>", {"name": "g"})),
        (OLD, {"enabled": True, "pathTemplate": ""}, {**_G, "pathTemplate": "/c"}, Route("/c", _OLD_GATEWAY, "/c")),
        (
            NEW,
            {"enabled": True},
            {},
            Route(failure=_NO_GATEWAY, reason="GatewayNotConfigured", state="Failed", condition="HTTPRouteReady"),
        ),
        (
            OLD,
            {"enabled": True},
            {},
            Route(failure=_NO_GATEWAY, reason="RouteFailed", state="Failed", condition="RoutingReady"),
        ),
        (
            NEW,
            {"enabled": True, "pathTemplate": "/{.spec.none}"},
            _G,
            Route("/shop/<uid>", {"name": "g"}, "/{.spec.none}", problem=_NO_NAME),
        ),
        (
            OLD,
            {"enabled": True, "pathTemplate": "/{.spec.none}"},
            _G,
            Route(
                "",
                _OLD_GATEWAY,
                "/{.spec.none}",
                _NO_NAME,
                failure=f'failed to evaluate route template "/{{.spec.none}}": {_NO_NAME}',
                reason="PathTemplateInvalid",
                state="Degraded",
                condition="Ready",
            ),
        ),
        (
            OLD,
            {"enabled": True, "pathTemplate": "/{.metadata.uid}"},
            _G,
            Route("/<uid>", _OLD_GATEWAY, "/{.metadata.uid}"),
        ),
        (
            OLD,
            {"enabled": True, "pathTemplate": "/{.spec.model}"},
            _G,
            Route(gateway=_OLD_GATEWAY, template="/{.spec.model}", unknown=_ADDRESS, changes=True),
        ),
        (
            NEW,
            {"enabled": True, "pathTemplate": "/{.metadata.creationTimestamp}"},
            _G,
            Route(
                gateway={"name": "g"},
                template="/{.metadata.creationTimestamp}",
                unknown="what {.metadata.creationTimestamp} is only the server knows",
            ),
        ),
    ],
)
def test_what_a_service_and_its_config_come_to_as_a_route(group: str, own: JSONObject, merged: JSONObject, expected: Route) -> None:
    service = {"metadata": {"name": "chat", "namespace": "shop"}, "spec": {"routing": own, "model": {"ref": "llama"}}}
    assert route(service, {"routing": merged}, dialect_of(group)) == expected


def test_the_default_path_has_the_uid_of_a_service_that_is_stored() -> None:
    service = {"metadata": {"name": "chat", "namespace": "shop", "uid": "u-1"}, "spec": {}}
    assert route(service, {"routing": {"enabled": True, **_G}}, dialect_of(NEW)).path == "/shop/u-1"


def _told(group: str, template: JSONObject, config: JSONObject, **status: object) -> list[tuple[str, object, str, str]]:
    made = work(group, ALL, template, config, **status)
    made.template["kind"] = "AIMServiceTemplate"
    return [(one.field, one.value, one.source, one.reason) for one in values(made)]


def test_kaiwo_s_values_name_their_sources() -> None:
    template = "AIMServiceTemplate fast"
    assert _told(OLD, {**TEMPLATE, "profileId": "p-1", **hardware(OLD, 2, "MI210")}, {}, profile=PROFILE, modelSources=SOURCES) == [
        ("spec.predictor.containers[0].resources.limits[amd.com/gpu]", "1", template, "its GPUs"),
        ("spec.predictor.affinity", "740f, 7410", template, "the device ids of its GPU"),
        ("env AIM_CACHE_PATH", "/workspace/model-cache", "kaiwo dbca1b55", ""),
        ("env AIM_PROFILE_ID", "p-1", f"{template} spec.profileId", ""),
        ("env EMPTY", "", f"{template} spec.env", ""),
        ("env FROM_PROFILE", "1", f"{template} status.profile.env_vars", ""),
        ("env OWN", "1", "AIMService spec.env", ""),
        ("env SECRET", "(from a reference)", "AIMService spec.env", ""),
        ("env SPEC", "profile", f"{template} status.profile.env_vars", ""),
    ]


def test_aim_engine_s_values_name_their_sources() -> None:
    template = "AIMServiceTemplate fast"
    fields = {"metric": "latency", "precision": "fp8", "profileId": "p-2", "modelSources": SOURCES}
    config = {"env": [{"name": "CONFIG", "value": "c"}, {"name": "OWN", "value": "c"}]}
    assert _told(NEW, {**TEMPLATE, **fields}, config) == [
        ("env AIM_CACHE_PATH", "/workspace/cache", "aim-engine v0.2.1", ""),
        ("env AIM_METRIC", "latency", f"{template} spec.metric", ""),
        ("env AIM_MODEL_ID", "acme/llama", f"{template} spec.modelSources[0].modelId", ""),
        ("env AIM_PRECISION", "fp8", f"{template} spec.precision", ""),
        ("env AIM_PROFILE_ID", "p-2", f"{template} spec.profileId", ""),
        ("env CONFIG", "c", "runtime config spec.env", ""),
        ("env EMPTY", "", f"{template} spec.env", ""),
        ("env OWN", "1", "AIMService spec.env", ""),
        ("env SECRET", "(from a reference)", "AIMService spec.env", ""),
        ("env SPEC", "template", f"{template} spec.env", ""),
        ("env VLLM_ENABLE_METRICS", "true", "aim-engine v0.2.1", ""),
    ]
