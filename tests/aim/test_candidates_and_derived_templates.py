"""Templates as candidates, those that kaiwo derives or reuses, and the variables that a merge of configs keeps or loses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.aim.test_workloads import made, predicted, template
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, Inventory, from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions import template as templates
from weighbridge.policies.families.aim.predictions.config_merge import merged_deeply
from weighbridge.policies.families.aim.predictions.configuration import Ignored, RuntimeConfig
from weighbridge.policies.families.aim.predictions.derived import derived
from weighbridge.policies.families.aim.predictions.names import joined
from weighbridge.policies.families.aim.predictions.selection import TemplateCandidate, candidate
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.inputs.facts import bundled_definitions

GPU = {"model": "mi300x", "count": 2, "requests": 4}
PROFILE = {"type": "preview", "metric": "throughput", "precision": "fp16", "gpu": " MI210 ", "gpuCount": 8}
OF_SPEC = {"type": "unoptimized", "metric": "latency", "precision": "fp8", "gpuSelector": GPU, "hardware": {"gpu": GPU}}
SOURCES = [{"modelId": "a/b"}]
#: The rank of values that no order has: after three types, four or six GPUs, two metrics and seven or four precisions.
FAR = 1000


@pytest.mark.parametrize(
    ("group", "spec", "profile", "expected"),
    [
        (NEW, OF_SPEC, PROFILE, ("preview", "throughput", "fp16", "mi300x", 4, (1, 1, 1, 4))),
        (OLD, OF_SPEC, PROFILE, ("preview", "throughput", "fp16", "mi300x", 2, (1, 1, 1, 1))),
        (NEW, OF_SPEC, {}, ("", "latency", "fp8", "mi300x", 4, (3 + FAR, 1, 0, 2))),
        (NEW, {**OF_SPEC, "modelSources": SOURCES}, {}, ("unoptimized", "latency", "fp8", "mi300x", 4, (2, 1, 0, 2))),
        (OLD, {**OF_SPEC, "modelSources": SOURCES}, {}, ("", "latency", "fp8", "mi300x", 2, (3 + FAR, 1, 0, 0))),
        (NEW, {}, PROFILE, ("preview", "throughput", "fp16", "MI210", 8, (1, 3, 1, 4))),
        (OLD, {}, PROFILE, ("preview", "throughput", "fp16", "MI210", 8, (1, 3, 1, 1))),
        (NEW, {"hardware": {"gpu": {"model": " "}}}, PROFILE, ("preview", "throughput", "fp16", " ", 8, (1, 4 + FAR, 1, 4))),
        (OLD, {"gpuSelector": {"model": " "}}, PROFILE, ("preview", "throughput", "fp16", "MI210", 8, (1, 3, 1, 1))),
        (NEW, {}, {}, ("", "", "", "", 0, (3 + FAR, 4 + FAR, 2 + FAR, 7 + FAR))),
        (OLD, {}, {}, ("", "", "", "", 0, (3 + FAR, 6 + FAR, 2 + FAR, 4 + FAR))),
    ],
)
def test_a_candidate_takes_each_value_from_its_profile_or_its_spec(
    group: str, spec: JSONObject, profile: JSONObject, expected: tuple[Any, ...]
) -> None:
    held = {"metadata": {"name": "t"}, "spec": spec, "status": {"profile": {"metadata": profile}}}
    assert candidate(held, dialect_of(group), "Ready") == TemplateCandidate(held, "Ready", *expected)


def test_services_that_ask_alike_share_a_choice_until_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(obj: JSONObject, *others: Any) -> TemplateCandidate:
        asked.append(obj["metadata"]["name"])
        return candidate(obj, *others)

    monkeypatch.setattr(templates, "candidate", counting)
    facts, dialect = from_objects([template(NEW)], bundled_definitions()), dialect_of(NEW)

    def chosen(facts: Facts, overrides: JSONObject, config: Configuration = DEFAULT) -> int:
        """The number of candidates."""
        before = len(asked)
        templates.predict_template({"overrides": overrides}, "llama", dialect, "shop", facts, config)
        return len(asked) - before

    assert [chosen(facts, {}), chosen(facts, {}), chosen(facts.overlaid([made(NEW, "AIMModel", "m", {})]), {})] == [1, 0, 0]
    assert [chosen(facts, {"metric": "latency"}), chosen(facts, {}, parse({})), chosen(facts, {})] == [1, 1, 0]
    assert chosen(facts.overlaid([template(NEW, "other")]), {}) == 2
    facts.objects.put(template(NEW, "other"))
    assert chosen(facts, {}) == 2
    assert chosen(replace(facts, inventory=Inventory([])), {}) == 2


def _derived(spec: JSONObject, *held: JSONObject) -> tuple[str | None, str]:
    """The name of the template that is reused instead of deriving one from `fast`, and the derived name."""
    base = made(OLD, "AIMServiceTemplate", "fast", {"modelName": "llama", "env": [{"name": "A", "value": "1"}]})
    facts = from_objects(list(held), bundled_definitions())
    found, is_new = derived(base, spec, dialect_of(OLD), "shop", facts)
    return (None if is_new else name_of(found)), name_of(found)


def _held(name: str, kind: str = "AIMServiceTemplate", **spec: Any) -> JSONObject:
    return made(OLD, kind, name, {"modelName": "llama", "env": [{"name": "A", "value": "1"}], **spec})


@pytest.mark.parametrize(
    ("spec", "held", "reused"),
    [
        ({"overrides": {"metric": "latency"}}, [_held("a", metric="latency"), _held("fast", metric="latency")], "fast"),
        ({"overrides": {"metric": "latency"}}, [_held("fast"), _held("b", metric="latency"), _held("c", metric="latency")], "b"),
        ({"overrides": {"metric": "latency"}}, [_held("a", metric="throughput")], None),
        ({"overrides": {"other": 1}}, [_held("a")], "a"),
        ({}, [_held("a", runtimeConfigName="default", caching={}, imagePullSecrets=[], precision="")], "a"),
        ({"runtimeConfigName": " team "}, [_held("a"), _held("b", runtimeConfigName="team")], "b"),
        ({"env": []}, [_held("a")], "a"),
        ({"env": [{"name": "B"}]}, [_held("a"), _held("b", env=[{"name": "B"}])], "b"),
        ({"resources": {"limits": {"cpu": "1"}}}, [_held("a"), _held("b", resources={"limits": {"cpu": "1"}})], "b"),
        ({"resources": {}}, [_held("a", resources={"limits": {"cpu": "1"}}), _held("b")], "b"),
        ({"cacheModel": True}, [_held("a", caching={"enabled": True})], "a"),
        (
            {"cacheModel": True, "env": [{"name": "B"}]},
            [_held("a", caching={"enabled": True}), _held("b", env=[{"name": "B"}], caching={"enabled": True, "env": [{"name": "B"}]})],
            "b",
        ),
        ({"overrides": {"metric": "latency"}}, [_held("c", "AIMClusterServiceTemplate", metric="latency")], None),
    ],
)
def test_kaiwo_reuses_a_template_of_the_namespace_that_says_the_same(spec: JSONObject, held: list[JSONObject], reused: str | None) -> None:
    found, name = _derived(spec, *held)
    assert found == reused
    assert name == (reused or name)
    assert reused or name.startswith("fast-ovr-")


def test_kaiwo_reuses_a_template_of_the_cluster_where_it_has_nothing_of_a_namespace() -> None:
    base = made(OLD, "AIMServiceTemplate", "fast", {"modelName": "llama"})
    wanted = {"modelName": "llama", "metric": "latency"}
    facts = from_objects([made(OLD, "AIMClusterServiceTemplate", "c", wanted)], bundled_definitions())
    assert derived(base, {"overrides": {"metric": "latency"}}, dialect_of(OLD), "shop", facts)[0]["metadata"]["name"] == "c"
    for own in ({"env": [{"name": "A"}]}, {"imagePullSecrets": [{"name": "p"}]}, {"cacheModel": True}):
        found, is_new = derived(base, {"overrides": {"metric": "latency"}, **own}, dialect_of(OLD), "shop", facts)
        assert (is_new, name_of(found)) == (True, "fast-ovr-20c78c7a")


@pytest.mark.parametrize(
    ("group", "state", "reason", "failure"),
    [
        (NEW, "Failed", "ModelNotReady", "AIMModel llama is in failed state"),
        (OLD, "Failed", "ModelFailed", "AIMModel llama is in failed state"),
        # aim-engine checks whether the model is ready once it has a template.
        (NEW, "Pending", "TemplateNotFound", "the model has no template"),
        (OLD, "Ready", "TemplateNotFound", "the model has no template"),
    ],
)
def test_a_model_that_fails_goes_before_a_template_that_isn_t_there(group: str, state: str, reason: str, failure: str) -> None:
    found = predicted(group, {}, state=state)
    assert ({one["reason"] for one in found.status["conditions"]}, found.failure) == ({reason}, failure)


def test_a_model_that_is_looked_into_goes_before_a_template_that_isn_t_there() -> None:
    found = predicted(OLD, {}, state="Pending")
    assert {one["reason"] for one in found.status["conditions"]} == {"ModelPending"}
    assert (found.failure, found.waits) == ("", "AIMModel llama status: Pending")


def _merged(cluster: JSONObject, namespaced: JSONObject) -> RuntimeConfig:
    of_cluster = {"kind": "AIMClusterRuntimeConfig", "metadata": {"name": "default"}, "spec": cluster}
    own = {"kind": "AIMRuntimeConfig", "metadata": {"name": "default", "namespace": "shop"}, "spec": namespaced}
    return RuntimeConfig("default", dialect_of(NEW), of_cluster, own)


def test_engine_arguments_that_are_joined_are_not_lost() -> None:
    lower, higher = ([{"name": "AIM_ENGINE_ARGS", "value": value}] for value in ('{"a": 1}', '{"b": 2}'))
    found = _merged({"env": lower}, {"env": higher})
    assert found.spec == {"env": [{"name": "AIM_ENGINE_ARGS", "value": '{"a":1,"b":2}'}]}
    assert list(found.ignored()) == []


def test_a_value_that_gives_way_is_told_with_what_applies() -> None:
    found = _merged({"model": {"autoDiscovery": True}}, {"model": {"autoDiscovery": False}, "serviceAccountName": ""})
    path = ("model", "autoDiscovery")
    assert list(found.ignored()) == [Ignored("AIMRuntimeConfig shop/default", path, False, True)]


def test_a_merge_adds_no_field_that_neither_side_has() -> None:
    assert merged_deeply({"routing": {"enabled": True}}, {"routing": {"pathTemplate": "/x"}}) == {
        "routing": {"enabled": True, "pathTemplate": "/x"}
    }
    assert merged_deeply({}, {"env": []}) == {}


def test_dashes_at_both_ends_of_a_part_take_no_room() -> None:
    assert joined(f"-{'a' * 63}", suffix="s", longest=100) == f"{'a' * 63}-s"
    assert joined(f"{'a' * 62}-b", suffix="s", longest=100) == f"{'a' * 62}-s"
    assert joined("--", "!", "b", suffix="s") == "part-part-b-s"
