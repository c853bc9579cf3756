"""On an update, filled-in values follow their sources, and the author's values stay."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.llmkube.defaults.filling_in import cluster, decoded, filled
from tests.llmkube.defaults.objects import CONFIGURATION, MODEL, SERVICE, named, nodes
from tests.llmkube.upstream_model_webhook import defaulted_model
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import JSONObject

QUICK = settings(max_examples=120)
#: Fields of a service that an update may change, and that are never filled in.
CHANGED = ("modelRef", "runtime", "nodeSelector", "resources", "containerPort")
DEFAULT_ENDPOINT = {"port": 8080, "path": "/v1/chat/completions", "type": "ClusterIP"}


def settled(spec: JSONObject) -> JSONObject:
    """A spec without parts that have no effect (an empty endpoint, an empty list), and with sorted items."""
    found = {key: value for key, value in spec.items() if not (key == "endpoint" and value == DEFAULT_ENDPOINT)}
    for path in (found, found.get("podSecurityContext", {})):
        for name in ("tolerations", "supplementalGroups"):
            if name in path:
                path[name] = sorted(path[name], key=json.dumps)
                if not path[name]:
                    del path[name]
    return found


@QUICK
@given(SERVICE, SERVICE, st.lists(st.sampled_from(CHANGED), unique=True), st.lists(MODEL, min_size=2, max_size=2), nodes(), CONFIGURATION)
def test_an_updated_service_gets_what_a_new_one_would(
    before: JSONObject, change: JSONObject, fields: list[str], models: list[JSONObject], found: list[JSONObject], settings_: JSONObject
) -> None:
    config = parse(settings_)
    facts = cluster([*(named("Model", name, spec) for name, spec in zip(("first", "second"), models, strict=True)), *found], config)
    after = {key: value for key, value in before.items() if key not in fields} | {key: change[key] for key in fields if key in change}
    stored = filled(decoded(named("InferenceService", "service", before), facts), facts, config).object
    sent: JSONObject = {**stored, "spec": {key: value for key, value in stored["spec"].items() if key not in fields}}
    sent["spec"] |= {key: change[key] for key in fields if key in change}
    if "modelRef" not in sent["spec"]:
        sent["spec"]["modelRef"] = after["modelRef"] = before["modelRef"]
    sent["metadata"] = {
        **stored["metadata"],
        "managedFields": decoded(named("InferenceService", "service", after), facts)["metadata"]["managedFields"],
    }
    updated = filled(decoded(sent, facts), facts, config, old=stored).object
    created = filled(decoded(named("InferenceService", "service", after), facts), facts, config).object
    assert settled(updated["spec"]) == settled(created["spec"])


@QUICK
@given(MODEL, nodes(), CONFIGURATION)
def test_what_upstreams_webhook_does_afterwards_stays(spec: JSONObject, found: list[JSONObject], settings_: JSONObject) -> None:
    config = parse(settings_)
    facts = cluster(found, config)
    first = filled(decoded(named("Model", "model", spec), facts), facts, config).object
    theirs = defaulted_model(first)
    assert [operation for operation in filled(theirs, facts, config).patch if operation["path"].startswith("/spec")] == []


def updated(before: Any, after: Any) -> JSONObject:
    """The spec of a Model after an update."""
    facts = cluster([], DEFAULT)
    stored = filled(decoded(named("Model", "model", before), facts), facts, DEFAULT).object
    sent = {
        **stored,
        "spec": {**stored["spec"], "hardware": {**stored["spec"]["hardware"], "gpu": {**stored["spec"]["hardware"]["gpu"], **after}}},
    }
    found: JSONObject = filled(sent, facts, DEFAULT, old=stored).object["spec"]["hardware"]
    return found


def test_the_accelerator_and_the_resource_name_follow_the_vendor() -> None:
    before = {"source": "hf://o/m", "hardware": {"gpu": {"count": 1, "vendor": "amd", "runtime": "vulkan"}}}
    assert updated(before, {"vendor": "intel"}) | {"gpu": None} == {"accelerator": "intel", "gpu": None}
    assert updated(before, {"vendor": "intel"})["gpu"]["resourceName"] == "gpu.intel.com/i915"
    assert updated(before, {"count": 0, "enabled": False})["accelerator"] == "cpu"
