"""The cache of keys and values of a service in the old group: its objects, and the state of the service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_services_by_branch import SERVED, cluster, kinds, model, one, predicted
from tests.aim.test_workloads import PROFILE, made, template
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request

CHAIN = ["AIMKVCache", "Service", "StatefulSet", "ConfigMap"]
CLAIM = "PersistentVolumeClaim"


def service(cache: JSONObject, *held: JSONObject, **spec: Any) -> Prediction:
    return predicted(OLD, {"kvCache": cache, **spec}, model(OLD), template(OLD), *held)


def there(status: str = "Ready", name: str = "kvcache-shop", **spec: Any) -> JSONObject:
    return made(OLD, "AIMKVCache", name, {"kvCacheType": "redis", **spec}, {"status": status, "statefulSetName": "its-pods"})


def test_a_cache_is_made_with_its_redis_and_the_engine_finds_it() -> None:
    given = {"image": "redis:8", "storage": {"size": "2Gi"}, "env": [{"name": "A", "value": "1"}], "resources": {"limits": {"cpu": "2"}}}
    found = service(given)
    assert kinds(found) == [*SERVED, *CHAIN, CLAIM]
    cache, redis = one(found, "AIMKVCache"), one(found, "StatefulSet")["spec"]
    assert (name_of(cache), cache["spec"]) == ("kvcache-shop", {"kvCacheType": "redis", **given})
    [container] = redis["template"]["spec"]["containers"]
    assert (container["image"], container["env"], container["resources"]) == ("redis:8", given["env"], given["resources"])
    assert redis["volumeClaimTemplates"][0]["spec"]["resources"] == {"requests": {"storage": "2Gi"}}
    assert name_of(one(found, "Service")) == redis["serviceName"]
    address = f'remote_url: "redis://{redis["serviceName"]}.shop.svc.cluster.local:6379"'
    assert address in one(found, "ConfigMap")["data"]["lmcache_config.yaml"].splitlines()
    served = one(found, "InferenceService")["spec"]["predictor"]
    assert served["volumes"][0]["configMap"]["name"] == name_of(one(found, "ConfigMap"))
    assert served["model"]["volumeMounts"][0] == {"name": "lmcache-config-volume", "mountPath": "/lmcache", "readOnly": True}
    assert served["model"]["volumeMounts"][0] in one(found, "Deployment")["spec"]["template"]["spec"]["containers"][0]["volumeMounts"]


def test_the_variables_of_a_cache_lie_between_those_of_the_template_and_those_of_its_profile() -> None:
    status: JSONObject = {"profile": {"env_vars": {"PYTHONHASHSEED": "profile"}, **PROFILE}}
    ready = template(OLD, spec={"env": [{"name": "LMCACHE_LOG_LEVEL", "value": "DEBUG"}]}, **status)
    own = [{"name": "AIM_ENGINE_ARGS", "value": '{"max-model-len": 10}'}]
    found = predicted(OLD, {"kvCache": {}, "env": own}, model(OLD), ready)
    env = {entry["name"]: entry["value"] for entry in one(found, "InferenceService")["spec"]["predictor"]["model"]["env"]}
    assert (env["LMCACHE_LOG_LEVEL"], env["PYTHONHASHSEED"]) == ("INFO", "profile")
    expected = '{"kv-transfer-config":{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"},"max-model-len":10}'
    assert env["AIM_ENGINE_ARGS"] == expected


@pytest.mark.parametrize("status", ["Ready", "Progressing", ""])
def test_a_cache_that_is_there_is_used_as_it_is(status: str) -> None:
    found = service({"name": "kv", "image": "redis:8", "lmCacheConfig": "a: {SERVICE_URL}"}, there(status, "kv", image="redis:7"))
    assert kinds(found) == [*SERVED, "ConfigMap", CLAIM]
    data = one(found, "ConfigMap")["data"]["lmcache_config.yaml"]
    assert data.startswith("a: redis://kv-redis-svc-")


def test_a_service_waits_for_good_for_a_cache_that_has_failed() -> None:
    found = service({}, there("Failed"))
    assert (kinds(found), found.failure) == ([CLAIM], "KV cache failed: its-pods")
    assert (found.status["status"], [one["type"] for one in found.status["conditions"]]) == ("Starting", ["KVCacheReady"])


@pytest.mark.parametrize(
    ("cache", "made_kinds", "words"),
    [
        ({"env": [{"name": "A", "valueFrom": {}}]}, ["AIMKVCache", "Service", CLAIM], "env[0].valueFrom"),
        ({"storage": {"accessModes": ["Often"]}}, ["AIMKVCache", "Service", CLAIM], 'Unsupported value: "Often"'),
        ({"storage": {"size": "0"}}, ["AIMKVCache", "Service", CLAIM], "must be greater than zero"),
    ],
)
def test_what_the_server_refuses_of_a_cache_ends_the_service(cache: JSONObject, made_kinds: list[str], words: str) -> None:
    found = service(cache)
    assert (kinds(found), found.weight) == (made_kinds, Severity.ERROR)
    assert words in found.failure


@pytest.mark.parametrize("held", [[], [made(OLD, "AIMModel", "llama", {"image": "x:1"}, {"status": "Progressing"})], [model(OLD)]])
def test_a_cache_is_made_before_the_template_is_found(held: list[JSONObject]) -> None:
    assert kinds(predicted(OLD, {"kvCache": {}}, *held)) == CHAIN


def test_a_service_at_which_kaiwo_panics_makes_no_cache() -> None:
    assert kinds(predicted(OLD, {"kvCache": {}, "templateRef": "gone"}, model(OLD))) == []


def cache_of_its_own(**spec: Any) -> Prediction:
    obj = made(OLD, "AIMKVCache", "kv", {"kvCacheType": "redis", **spec})
    gvk = GroupVersionKind(OLD, "v1alpha1", "AIMKVCache")
    found = FAMILY.predict["AIMKVCache"](Request("1", Operation.CREATE, gvk, obj, namespace="shop", name="kv"), cluster(), DEFAULT)
    assert found is not None
    return found


def test_a_cache_of_its_own_makes_redis() -> None:
    found = cache_of_its_own()
    service, redis = found.objects
    assert found.status == {"status": "Progressing", "statefulSetName": name_of(redis), "serviceName": name_of(service)}
    assert redis["spec"]["volumeClaimTemplates"][0]["spec"] == {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
    }
    limits = redis["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
    assert limits == {"cpu": "1", "memory": "1Gi"}


def test_a_cache_whose_redis_the_server_refuses_is_failed() -> None:
    found = cache_of_its_own(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}})
    assert (found.status["status"], kinds(found), found.weight) == ("Failed", ["Service"], Severity.ERROR)
    assert found.status["lastError"].startswith("Apply failed: StatefulSet.apps")
