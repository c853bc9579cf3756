"""Values that policies filled in and that no longer fit: WB-001 names them and the command that brings them up to date."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.user_policies.parts import CLUSTER, KIND, asked, configured, facts, judged
from tests.user_policies.test_fill_ins import BARE, CPU, filling, stored
from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict import own_fill_ins
from weighbridge.policies.verdict.engine import Phase, decide

BY_GPUS = (".metadata.labels['example.com/gpus']", "string(effective.gpus)")
COMMAND = "kubectl patch inferenceservices.inference.llmkube.dev/chat -n team-a --type=merge -p '{}'"
OTHER_MODEL = yaml.safe_load(CLUSTER.partition("---")[0].replace("count: 1", "count: 3"))


def stale(decision: Decision) -> list[str]:
    """The findings on stale values."""
    return [str(finding) for finding in decision.findings if finding.rule == "WB-001"]


def linted(config: Configuration, there: JSONObject, cluster: str = CLUSTER) -> list[str]:
    """The output of `lint` for the service's manifest if a snapshot has the stored service."""
    known = facts(f"{cluster}---\n{yaml.safe_dump(there)}", BARE)
    return stale(decide(asked(BARE, yaml.safe_dump(there)), known, config))


def changed(config: Configuration, *services: JSONObject, model: JSONObject = OTHER_MODEL) -> list[str]:
    """The webhook's findings on a change of the model."""
    known = facts(CLUSTER + "".join(f"---\n{yaml.safe_dump(one)}" for one in services))
    return stale(decide(asked(yaml.safe_dump(model), CLUSTER.partition("---")[0]), known, config, Phase.VALIDATE))


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ({}, ""),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "'8'"}]}, "spec.resources.cpu"),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "optional.none()"}]}, "spec.resources.cpu"),
        ({"match": {"kinds": [KIND], "names": ["other"]}}, "spec.resources.cpu"),
        ({"match": {"kinds": [KIND], "operations": ["CREATE"]}}, ""),
        ({"fillIns": [{"fieldPath": ".spec.resources.memory", "expression": "'1Gi'"}]}, ""),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "request.userInfo.username"}]}, ""),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "string(1 / 0)"}]}, ""),
    ],
)
def test_a_value_that_another_configuration_fills_in_otherwise_is_named(new: dict[str, Any], path: str) -> None:
    there = stored(judged(configured(filling(CPU)), BARE))
    said = "the stored value was filled in before and no longer fits; to update it, run:"
    assert linted(configured({**filling(CPU), **new}), there) == ([f"{path}: {said} {COMMAND}"] if path else [])


def test_a_list_is_named_as_a_whole() -> None:
    tolerations = (".spec.topologySpreadConstraints", "[{'maxSkew': 1, 'topologyKey': 'a', 'whenUnsatisfiable': 'DoNotSchedule'}]")
    there = stored(judged(configured(filling(tolerations)), BARE))
    assert linted(configured(filling(tolerations)), there) == []
    (said,) = linted(configured(filling((tolerations[0], tolerations[1].replace("'a'", "'b'")))), there)
    assert said.startswith("spec.topologySpreadConstraints: ")


def test_a_value_that_its_author_has_written_since_is_none() -> None:
    there = stored(judged(configured(filling(CPU)), BARE), {"f:spec": {"f:modelRef": {}, "f:image": {}, "f:resources": {"f:cpu": {}}}})
    assert linted(configured(filling((CPU[0], "'8'"))), there) == []


@pytest.mark.parametrize("settings", [{"rules": {"POLICY-001": "off"}}, {"rules": {"POLICY-001": "audit"}}])
def test_a_policy_that_fills_in_nothing_finds_nothing(settings: dict[str, Any]) -> None:
    there = stored(judged(configured(filling(CPU)), BARE))
    assert linted(configured(filling((CPU[0], "'8'")), **settings), there) == []


def test_a_change_of_what_the_expression_reads_names_the_objects() -> None:
    config = configured(filling(BY_GPUS))
    there = stored(judged(config, BARE))
    assert there["metadata"]["labels"]["example.com/gpus"] == "1"
    field = "metadata.labels.example.com/gpus"
    said = f'{field} of InferenceService "chat" was filled in before and no longer fits this Model; to update it, run: {COMMAND}'
    assert changed(config, there) == [said]
    same = yaml.safe_load(CLUSTER.partition("---")[0].replace("llama.gguf", "llama-2.gguf"))
    assert changed(config, there, model=same) == []
    assert linted(config, there, CLUSTER.replace("count: 1", "count: 3"))[0].startswith(f"{field}: the stored value")


def test_only_objects_with_a_value_that_may_change_cost_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_about: list[str] = []
    answers = own_fill_ins._answers

    def counted(filling: Any, *given: Any, **more: Any) -> Any:
        asked_about.append(filling.context.request.name)
        return answers(filling, *given, **more)

    monkeypatch.setattr(own_fill_ins, "_answers", counted)
    bare = stored(judged(configured(), BARE))
    for fill, number in ((BY_GPUS, 3), (CPU, 0)):
        config = configured(filling(fill))
        there = stored(judged(config, BARE))
        ours = [{**there, "metadata": {**there["metadata"], "name": f"ours-{index}"}} for index in range(3)]
        for others in (10, 100):
            known = [{**bare, "metadata": {**bare["metadata"], "name": f"bare-{index}"}} for index in range(others)]
            asked_about.clear()
            assert len(changed(config, *known, *ours)) == number
            assert sorted(asked_about) == ["ours-0", "ours-1", "ours-2"][:number]


def test_a_policy_goes_by_others_through_what_the_family_fills_in() -> None:
    by_image = (".metadata.labels.image", "object.?spec.image.orValue('none').split(':')[0].split('/')[0]")
    config, service = configured(filling(by_image)), BARE.replace(', image: "ghcr.io/ggml-org/llama.cpp:server-cuda-b6000"', "")
    there = stored(
        judged(config, service, CLUSTER.replace("gpu: {count: 1}", "gpu: {count: 1, vendor: amd}")), {"f:spec": {"f:modelRef": {}}}
    )
    assert there["metadata"]["labels"]["image"] == "ghcr.io"
    cpu = yaml.safe_load(CLUSTER.partition("---")[0].replace("cuda, gpu: {count: 1}", "cpu"))
    assert any("metadata.labels.image" in said for said in changed(config, there, model=cpu))
