"""Every change and every remark of migrated pools, models, objectives and rewrites, at each version that changes a migration."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.inference_extension.migration import TABLE
from weighbridge.policies.families.inference_extension.settings import InferenceExtension
from weighbridge.policies.families.migration import Add, Change, Migration, Move, Remark, Remove, SetTo, Told
from weighbridge.policies.ground.objects import JSONObject, Path

OLD, NEW = "inference.networking.x-k8s.io", "inference.networking.k8s.io"
_NOTE, _REMOVED, _LEFT = Told.NOTE, Told.REMOVED, Told.LEFT


def migrated(group: str, kind: str, spec: Any, version: str | None = None, **more: Any) -> Migration:
    """The migrated form of an object of a kind."""
    obj = {
        "apiVersion": f"{group}/v1alpha2",
        "kind": kind,
        "metadata": {"name": "food", "labels": {"a": "b"}, "uid": "u"},
        "spec": spec,
        **more,
    }
    return TABLE[group, kind](obj, Configuration(families={InferenceExtension: InferenceExtension(version)}))


_TO_PORT = (("spec", "extensionRef", "portNumber"), "port", ("number",))
_MATCHED = Move(("spec", "selector"), "selector", ("matchLabels",))
_PICKED = Move(("spec", "extensionRef"), "endpointPickerRef")
_V1 = SetTo(("apiVersion",), f"{NEW}/v1")
_NEEDS_PICKER = Remark(_NOTE, ("spec",), "before v1.6.0 each pool needs an endpoint picker; name its Service and port in endpointPickerRef")
_NO_LABEL = Remark(_LEFT, ("spec", "selector"), f"a pool of {NEW} selects by at least one label; name one, then migrate")
_SELECTOR = {"app": "vllm"}
_EXTENSION: Path = ("spec", "extensionRef")
_PICKER: Path = ("spec", "endpointPickerRef")
_NO_NAMESPACE = "no pool ever had it: the picker's Service is in the pool's own namespace"


@pytest.mark.parametrize(
    ("group", "spec", "version", "changes", "remarks"),
    [
        (OLD, {"selector": _SELECTOR}, "v0.5.1", [], []),
        (OLD, {"selector": _SELECTOR}, "v1.0.0", [_V1, _MATCHED], [_NEEDS_PICKER]),
        (OLD, {"selector": _SELECTOR}, "v1.5.0", [_V1, _MATCHED], [_NEEDS_PICKER]),
        (OLD, {"selector": _SELECTOR}, "v1.6.0", [_V1, _MATCHED], []),
        (OLD, {"selector": _SELECTOR}, None, [_V1, _MATCHED], [_NEEDS_PICKER]),
        (OLD, {"selector": {}}, None, [], [_NO_LABEL]),
        (OLD, {}, None, [], [_NO_LABEL]),
        (OLD, None, None, [], [_NO_LABEL]),
        (NEW, {"selector": {}}, None, [], []),
        (NEW, {"selector": _SELECTOR}, None, [_MATCHED], []),
        (NEW, {"selector": {"matchLabels": _SELECTOR}}, None, [], []),
        (NEW, {"targetPortNumber": 1}, None, [Move(("spec", "targetPortNumber"), "targetPorts", (0, "number"))], []),
        (
            NEW,
            {"targetPortNumber": 1, "targetPorts": []},
            None,
            [Remove(("spec", "targetPortNumber"))],
            [Remark(_REMOVED, ("spec", "targetPortNumber"), "spec.targetPorts says it")],
        ),
        (NEW, {"extensionRef": {"portNumber": 1}}, None, [_PICKED, Move(*_TO_PORT)], []),
        (
            NEW,
            {"extensionRef": {"targetPortNumber": 1, "portNumber": 2, "port": 3}},
            None,
            [_PICKED, Move(*_TO_PORT), Remove((*_EXTENSION, "targetPortNumber")), Remove((*_EXTENSION, "port"))],
            [],
        ),
        (NEW, {"extensionRef": {"port": 3}}, None, [_PICKED, Move((*_EXTENSION, "port"), "port", ("number",))], []),
        (
            NEW,
            {"endpointPickerRef": {"port": {"number": 1}, "portNumber": 2}},
            None,
            [Remove((*_PICKER, "portNumber"))],
            [],
        ),
        (NEW, {"endpointPickerRef": {"name": "p"}}, None, [], []),
        *(
            (
                NEW,
                {"extensionRef": picker},
                None,
                [_PICKED, Add(_EXTENSION, "port", {"number": 9002})],
                [Remark(_NOTE, _EXTENSION, "a Service needs its port named; 9002 is what was assumed")],
            )
            for picker in ({"name": "p"}, {"kind": "Service"})
        ),
        (NEW, {"extensionRef": {"kind": "Other"}}, None, [_PICKED], []),
        (NEW, {"extensionRef": None}, None, [Remove(_EXTENSION)], []),
        (
            NEW,
            {"extensionRef": {"name": "p"}, "endpointPickerRef": {"namespace": "n"}},
            None,
            [Remove(_EXTENSION), Remove((*_PICKER, "namespace"))],
            [Remark(_REMOVED, _EXTENSION, "spec.endpointPickerRef says it"), Remark(_REMOVED, (*_PICKER, "namespace"), _NO_NAMESPACE)],
        ),
        (OLD, {"selector": _SELECTOR, "endpointPickerRef": {"name": "p"}}, None, [_V1, _MATCHED], []),
        (OLD, {"selector": _SELECTOR, "extensionRef": {"portNumber": 1}}, None, [_V1, _MATCHED, _PICKED, Move(*_TO_PORT)], []),
    ],
)
def test_what_becomes_of_a_pool(group: str, spec: Any, version: str | None, changes: list[Change], remarks: list[Remark]) -> None:
    found = migrated(group, "InferencePool", spec, version)
    assert (found.changes, found.remarks, found.beside) == (changes, remarks, [])


def test_the_status_of_a_pool_goes_with_its_old_group() -> None:
    assert migrated(OLD, "InferencePool", {"selector": _SELECTOR}, status={}).changes[-1] == Remove(("status",))
    assert migrated(NEW, "InferencePool", {"selector": _SELECTOR}, status={}).changes == [_MATCHED]


def _objective(version: str) -> list[Change]:
    return [SetTo(("apiVersion",), f"{version}/v1alpha2"), SetTo(("kind",), "InferenceObjective")]


_POOL: Path = ("spec", "poolRef")
_CRITICALITY: Path = ("spec", "criticality")
_OTHER = "it is none of Critical, Standard, Default, Sheddable; set spec.priority yourself"
_HEADER = "requests choose an objective by the header x-gateway-inference-objective: food, no longer by the model's name; send it"
_NAMED: list[Change] = [Remove(("spec", "modelName"))]
_WITHOUT_POOL: tuple[Any, ...] = (None, {}, {"poolRef": {}}, {"poolRef": {"name": 1}})
_SEND = [Remark(_NOTE, ("spec", "modelName"), _HEADER)]


@pytest.mark.parametrize(
    ("spec", "version", "changes", "remarks"),
    [
        ({"poolRef": {"name": "p"}}, "v0.5.1", [], []),
        ({"poolRef": {"name": "p"}}, "v1.0.0", _objective(OLD), []),
        ({"poolRef": {"name": "p"}}, "v1.5.0", _objective(OLD), []),
        ({"poolRef": {"name": "p"}}, "v1.6.0", [*_objective("llm-d.ai"), Add(_POOL, "group", NEW)], []),
        ({"poolRef": {"name": "p", "group": NEW}}, "v1.6.0", _objective("llm-d.ai"), []),
        (
            {"poolRef": {"name": "p", "group": OLD, "kind": "Odd"}},
            None,
            [*_objective(OLD), SetTo((*_POOL, "group"), NEW), SetTo((*_POOL, "kind"), "InferencePool")],
            [],
        ),
        *((spec, None, [], [Remark(_LEFT, _POOL, "an InferenceObjective needs a pool; name it, then migrate")]) for spec in _WITHOUT_POOL),
        *(
            (
                {"poolRef": {"name": "p"}, "criticality": word},
                None,
                [*_objective(OLD), SetTo(_CRITICALITY, priority), Move(_CRITICALITY, "priority")],
                [],
            )
            for word, priority in (("Critical", 2), ("Standard", 1), ("Default", 1), ("Sheddable", -1))
        ),
        *(
            (
                {"poolRef": {"name": "p"}, "criticality": word},
                None,
                [*_objective(OLD), Remove(_CRITICALITY)],
                [Remark(_REMOVED, _CRITICALITY, _OTHER)],
            )
            for word in ("High", 1, None)
        ),
        ({"poolRef": {"name": "p"}, "modelName": "m"}, None, [*_objective(OLD), *_NAMED], _SEND),
    ],
)
def test_what_becomes_of_a_model(spec: Any, version: str | None, changes: list[Change], remarks: list[Remark]) -> None:
    found = migrated(OLD, "InferenceModel", spec, version)
    assert (found.changes, found.remarks, found.beside) == (changes, remarks, [])
    told = migrated(OLD, "InferenceModel", spec, version, status={}).changes
    assert told == ([*changes, Remove(("status",))] if changes else [])


_TARGETS: Path = ("spec", "targetModels")
_WEIGHTS = Remark(_REMOVED, _TARGETS, "weights of 0 kept the name from being served; nothing else does")


@pytest.mark.parametrize(
    ("targets", "drawn", "remarks"),
    [
        ([{"name": "a"}, {"name": "b"}], [{"modelRewrite": "a"}, {"modelRewrite": "b"}], []),
        ([{"name": "a", "weight": 2}, {"name": "b"}], [{"modelRewrite": "a", "weight": 2}, {"modelRewrite": "b", "weight": 1}], []),
        ([{"name": "a", "weight": 1}, {"name": "b", "weight": 0}], [{"modelRewrite": "a", "weight": 1}], []),
        ([{"name": "a", "weight": 0}], None, [_WEIGHTS]),
        ([{"name": "m"}], None, []),
        ([], None, []),
    ],
)
@pytest.mark.parametrize("version", ["v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0", "v1.5.0", "v1.6.0"])
def test_what_becomes_of_target_models(targets: Any, drawn: list[JSONObject] | None, remarks: list[Remark], version: str) -> None:
    found = migrated(OLD, "InferenceModel", {"poolRef": {"name": "p"}, "modelName": "m", "targetModels": targets}, version)
    assert Remove(_TARGETS) in found.changes
    metadata: JSONObject = {"name": "food", "labels": {"a": "b"}}
    route = Remark(
        *(_NOTE, _TARGETS),
        "name your Gateway in parentRefs of the HTTPRoute; it matches the header X-Gateway-Model-Name, which body-based routing sets",
    )
    told = found.remarks
    if drawn is None:
        assert (found.beside, told) == ([], [*remarks, *_SEND])
    elif version < "v1.2.0":
        backends = [
            {
                "group": NEW,
                "kind": "InferencePool",
                "name": "p",
                **({"weight": target["weight"]} if "weight" in target else {}),
                "filters": [
                    {
                        "type": "RequestHeaderModifier",
                        "requestHeaderModifier": {"set": [{"name": "X-Gateway-Model-Name-Rewrite", "value": target["modelRewrite"]}]},
                    }
                ],
            }
            for target in drawn
        ]
        matches: list[JSONObject] = [{"headers": [{"type": "Exact", "name": "X-Gateway-Model-Name", "value": "m"}]}]
        spec: JSONObject = {"parentRefs": [], "rules": [{"matches": matches, "backendRefs": backends}]}
        named = {**metadata, "name": "food-split"}
        assert found.beside == [{"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": named, "spec": spec}]
        assert told == [*remarks, route, *_SEND]
    else:
        matches = [{"model": {"type": "Exact", "value": "m"}}]
        pool = {"name": "p"} | ({"group": NEW} if version == "v1.6.0" else {})
        spec = {"poolRef": pool, "rules": [{"matches": matches, "split" if version == "v1.2.0" else "targets": drawn}]}
        api = "llm-d.ai/v1alpha2" if version == "v1.6.0" else f"{OLD}/v1alpha2"
        assert found.beside == [{"apiVersion": api, "kind": "InferenceModelRewrite", "metadata": metadata, "spec": spec}]
        assert told == [*remarks, *_SEND]


@pytest.mark.parametrize(("version", "what"), [("v1.1.0", "an HTTPRoute"), ("v1.2.0", "an InferenceModelRewrite")])
def test_target_models_without_a_model_are_left_to_the_author(version: str, what: str) -> None:
    found = migrated(OLD, "InferenceModel", {"poolRef": {"name": "p"}, "targetModels": [{"name": "a"}]}, version)
    reason = f"a rewrite needs the model that requests name; write {what} for these models"
    assert (found.beside, found.remarks) == ([], [Remark(_NOTE, _TARGETS, reason)])


_LLM_D = SetTo(("apiVersion",), "llm-d.ai/v1alpha2")


@pytest.mark.parametrize(
    ("spec", "version", "changes"),
    [
        ({"poolRef": {"name": "p", "group": OLD}}, "v0.5.1", []),
        ({"poolRef": {"name": "p", "group": OLD}}, "v1.0.0", [SetTo((*_POOL, "group"), NEW)]),
        ({"poolRef": {"name": "p"}}, "v1.5.0", []),
        ({"poolRef": {"name": "p"}}, "v1.6.0", [_LLM_D, Add(_POOL, "group", NEW)]),
        ({"poolRef": {"name": "p", "group": OLD}}, "v1.6.0", [_LLM_D, SetTo((*_POOL, "group"), NEW)]),
        ({"poolRef": {}}, "v1.6.0", [_LLM_D]),
        ({"rules": [{}, {"split": []}, "odd"]}, "v1.2.0", []),
        ({"rules": [{}, {"split": []}, "odd"]}, "v1.3.0", [Move(("spec", "rules", 1, "split"), "targets")]),
        ({"rules": [{"split": [], "targets": []}]}, "v1.3.0", []),
        ({"rules": "odd", "poolRef": "odd"}, None, []),
        (None, None, []),
    ],
)
@pytest.mark.parametrize("kind", ["InferenceObjective", "InferenceModelRewrite"])
def test_what_becomes_of_objectives_and_rewrites(kind: str, spec: Any, version: str | None, changes: list[Change]) -> None:
    found = migrated(OLD, kind, spec, version)
    assert (found.changes, found.remarks, found.beside) == (changes, [], [])


def test_every_reference_to_an_old_pool_is_changed_where_it_stands() -> None:
    old = {"group": OLD, "kind": "InferencePool", "name": "p"}
    spec = {"rules": [{"backendRefs": [{**old, "group": NEW}, old]}, {"x": {"y": old}}], "to": {**old, "kind": "Service"}}
    obj = {"spec": spec}
    migrate = TABLE["gateway.networking.k8s.io", "HTTPRoute"]
    every: dict[str, list[Path]] = {"v0.5.1": [], "v1.0.0": [("rules", 0, "backendRefs", 1), ("rules", 1, "x", "y")]}
    for version, places in every.items():
        found = migrate(obj, Configuration(families={InferenceExtension: InferenceExtension(version)}))
        assert found == Migration([SetTo(("spec", *place, "group"), NEW) for place in places])
