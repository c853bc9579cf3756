"""Remembered results change no verdict: after each change a state decides as a new state does."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent, is_snapshot
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.verdict.engine import Phase, decide

_ALL = [case for case in CASES if case.cluster and not any(map(is_snapshot, case.cluster))]
_SOME = _ALL[::12]


def verdicts(case: Case, facts: Facts, config: Configuration) -> list[Any]:
    """The answers of both webhooks, and the output of the command line."""
    found = []
    for phase in (Phase.MUTATE, Phase.VALIDATE, Phase.WHOLE):
        made = decide(replace(case.request(), object=copy.deepcopy(case.object)), facts, config, phase)
        found.append((made.allowed, made.message, made.warnings, [*map(str, made.findings)], made.patch, made.unchecked, made.effective))
    return found


@pytest.mark.parametrize("case", _SOME, ids=[case.id for case in _SOME])
def test_after_a_change_a_state_decides_as_a_new_one_does(case: Case) -> None:
    order, config, definitions = list(case.cluster or ()), case.configuration(), case.facts().definitions
    kept = from_objects(order, definitions)
    extent = Extent(frozenset(kept.objects.kinds() | ({("", "Node")} if kept.inventory is not None else set())))
    kept = from_objects(order, definitions, extent=extent)

    def fresh() -> list[Any]:
        return verdicts(case, from_objects(order, definitions, extent=extent), config)

    assert verdicts(case, kept, config) == fresh()
    for changed in tuple(order):
        gvk = GroupVersionKind.from_object(changed)
        assert gvk is not None
        order = [obj for obj in order if obj is not changed]
        if gvk.kind == "Node" and kept.inventory is not None:
            less = replace(kept, inventory=kept.inventory.without_node(name_of(changed)))
            assert verdicts(case, less, config) == fresh(), changed
            order = [*order, changed]
            kept = from_objects(order, definitions, extent=extent)
            continue
        kept.objects.discard(gvk.group, gvk.kind, namespace_of(changed), name_of(changed))
        assert verdicts(case, kept, config) == fresh(), changed
        order = [*order, changed]
        kept.objects.put(changed)
        assert verdicts(case, kept, config) == fresh(), changed


def test_a_change_of_an_operators_settings_is_seen() -> None:
    case = next(case for case in CASES if case.id == "ome/warns-of-a-sidecar-without-its-settings")
    kept, config = case.facts(), case.configuration()

    def settings(mode: str) -> JSONObject:
        data = {"deploy": f'{{"defaultDeploymentMode": "{mode}"}}'}
        metadata = {"name": "inferenceservice-config", "namespace": "ome"}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}

    said = []
    for mode in ("RawDeployment", "Serverless"):
        kept.objects.put(settings(mode))
        said.append(verdicts(case, kept, config))
        assert said[-1] == verdicts(case, from_objects([*(case.cluster or ()), settings(mode)], kept.definitions), config)
    assert said[0] != said[1]
