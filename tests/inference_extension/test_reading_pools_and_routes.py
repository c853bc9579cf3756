"""Pools, references, routes, rewrites, Services and workloads as they are read, as whole values."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.inference_extension.kinds import EXPERIMENTAL, STABLE
from weighbridge.policies.families.inference_extension.subject.matches import Match, matches_of
from weighbridge.policies.families.inference_extension.subject.picker_service import PickerService, picker_service
from weighbridge.policies.families.inference_extension.subject.pool import Picker, Pool, know_all_pools, pool_of, sharing_pods, with_picker
from weighbridge.policies.families.inference_extension.subject.pool_reference import PoolReference, reference_of
from weighbridge.policies.families.inference_extension.subject.routes import Backend, Route, read_route
from weighbridge.policies.families.inference_extension.subject.targets import Target, target_lists
from weighbridge.policies.families.inference_extension.subject.workloads import KINDS, Pods, chosen, keep, known_pods, unknown
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions

_NEW_PICKER = ("spec", "endpointPickerRef")
_OLD_PICKER = ("spec", "extensionRef")
_MATCH_LABELS = ("spec", "selector", "matchLabels")


def _pool(group: str, name: str, spec: JSONObject, namespace: str = "ns") -> JSONObject:
    version = "v1" if group == STABLE else "v1alpha2"
    return {"apiVersion": f"{group}/{version}", "kind": "InferencePool", "metadata": {"name": name, "namespace": namespace}, "spec": spec}


@pytest.mark.parametrize(
    ("group", "spec", "expected"),
    [
        (STABLE, {}, Pool(STABLE, "ns", "p", {}, _MATCH_LABELS, (), None)),
        (EXPERIMENTAL, {}, Pool(EXPERIMENTAL, "ns", "p", {}, ("spec", "selector"), (), None)),
        (
            STABLE,
            {
                "selector": {"matchLabels": {"a": "b"}, "c": "d"},
                "targetPorts": [{"number": 1}, {}, {"number": 0}, {"number": 2}],
                "targetPortNumber": 3,
                "endpointPickerRef": {"name": "e", "port": {"number": 4}, "portNumber": 5},
                "extensionRef": {"name": "old"},
            },
            Pool(
                *(STABLE, "ns", "p", {"a": "b"}, _MATCH_LABELS),
                ((("spec", "targetPorts", 0, "number"), 1), (("spec", "targetPorts", 3, "number"), 2)),
                Picker(_NEW_PICKER, "", "Service", "e", 4, (*_NEW_PICKER, "port", "number")),
            ),
        ),
        (
            EXPERIMENTAL,
            {
                "selector": {"a": "b"},
                "targetPortNumber": 3,
                "targetPorts": [{"number": 1}],
                "extensionRef": {"name": "e", "group": "g", "kind": "K", "portNumber": 5},
            },
            Pool(
                *(EXPERIMENTAL, "ns", "p", {"a": "b"}, ("spec", "selector"), ((("spec", "targetPortNumber"), 3),)),
                Picker(_OLD_PICKER, "g", "K", "e", 5, (*_OLD_PICKER, "portNumber")),
            ),
        ),
        (
            STABLE,
            {"endpointPickerRef": {"name": "e"}},
            Pool(
                *(STABLE, "ns", "p", {}, _MATCH_LABELS, ()),
                Picker(_NEW_PICKER, "", "Service", "e", 0, (*_NEW_PICKER, "port", "number")),
            ),
        ),
        (
            EXPERIMENTAL,
            {"extensionRef": {"name": "e"}},
            Pool(
                *(EXPERIMENTAL, "ns", "p", {}, ("spec", "selector"), ()),
                Picker(_OLD_PICKER, "", "Service", "e", 9002, (*_OLD_PICKER, "portNumber")),
            ),
        ),
    ],
)
def test_a_pool_of_either_group_is_read_into_one_shape(group: str, spec: JSONObject, expected: Pool) -> None:
    assert pool_of(_pool(group, "p", spec), group, "ns") == expected
    assert pool_of({"metadata": {}, "spec": spec}, group, "ns", "p") == expected
    assert str(expected) == ('InferencePool "p"' if group == STABLE else f'InferencePool "p" ({EXPERIMENTAL})')


@pytest.mark.parametrize(
    ("group", "kind", "is_service"), [("", "Service", True), ("", "Pod", False), ("core", "Service", False), ("core", "Pod", False)]
)
def test_a_picker_is_a_service_of_the_core_group_alone(group: str, kind: str, is_service: bool) -> None:
    pool = pool_of(_pool(STABLE, "p", {"endpointPickerRef": {"group": group, "kind": kind, "name": "e"}}), STABLE, "ns")
    assert pool.picker is not None
    assert pool.picker.is_service is is_service
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "e", "namespace": "ns"}, "spec": {}}
    found = picker_service(pool, from_objects([service], bundled_definitions()))
    assert (found is not None) is is_service
    assert picker_service(pool, from_objects([{**service, "metadata": {"name": "e", "namespace": "x"}}], bundled_definitions())) is None
    assert picker_service(pool_of(_pool(STABLE, "p", {}), STABLE, "ns"), from_objects([service], bundled_definitions())) is None


def _picker_service(**spec: Any) -> PickerService:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "e", "namespace": "ns"}, "spec": spec}
    pool = pool_of(_pool(STABLE, "p", {"endpointPickerRef": {"name": "e"}}), STABLE, "ns")
    found = picker_service(pool, from_objects([service], bundled_definitions()))
    assert found is not None
    return found


def test_a_service_has_each_port_once_and_in_order() -> None:
    ports = [{"port": 9}, {"port": 8}, {"port": 9}, {"port": 0}, {}, {"port": "http"}]
    assert _picker_service(ports=ports).ports == [8, 9]
    assert _picker_service().ports == []
    assert [_picker_service(type=kind).is_external for kind in ("ExternalName", "ClusterIP")] == [True, False]
    assert not _picker_service().is_external


def test_the_other_pools_are_those_of_the_namespace_by_their_names() -> None:
    picker = {"endpointPickerRef": {"name": "e"}, "extensionRef": {"name": "e"}}
    held = [
        *(_pool(STABLE, name, picker) for name in ("p", "q")),
        *(_pool(EXPERIMENTAL, name, picker) for name in ("p", "q", "r")),
        _pool(EXPERIMENTAL, "other", {"extensionRef": {"name": "f"}}),
        _pool(STABLE, "s", picker, "elsewhere"),
    ]
    facts = from_objects(held, bundled_definitions())
    own = pool_of(held[0], STABLE, "ns")
    assert own.picker is not None
    found = list(with_picker(facts, own, own.picker))
    assert [(other.group, other.name) for other in found] == [(STABLE, "q"), (EXPERIMENTAL, "r")]


def test_pools_that_may_share_pods_are_found_by_their_labels() -> None:
    """A pool may select by fewer labels than another one, by more, or by labels of pods that both choose."""
    selectors = {
        "less": {"a": "1"},
        "more": {"a": "1", "b": "22", "c": "333"},
        "crossing": {"b": "22", "d": "4444"},
        "apart": {"a": "2"},
        "none": {},
    }
    held = [_pool(STABLE, name, {"selector": {"matchLabels": labels}}) for name, labels in selectors.items()]
    facts = from_objects(held, bundled_definitions())
    own = pool_of(_pool(STABLE, "own", {"selector": {"matchLabels": {"a": "1", "b": "22"}}}), STABLE, "ns")
    assert {other.name for other in sharing_pods(facts, own, [])} == {"less", "more"} | {"crossing"}
    own = pool_of(_pool(STABLE, "own", {"selector": {"matchLabels": {"a": "1", "e": "5"}}}), STABLE, "ns")
    assert {other.name for other in sharing_pods(facts, own, [])} == {"less"}
    assert {other.name for other in sharing_pods(facts, own, [{"a": "1", "d": "4444"}])} == {"less", "crossing"}


@pytest.mark.parametrize(("known", "all_are"), [((), False), ((STABLE,), False), ((EXPERIMENTAL,), False), ((STABLE, EXPERIMENTAL), True)])
def test_all_pools_are_known_where_those_of_both_groups_are(known: tuple[str, ...], all_are: bool) -> None:
    facts = from_objects([], bundled_definitions())
    facts.objects.complete(besides=[(group, "InferencePool") for group in known])
    assert know_all_pools(facts) is all_are


@pytest.mark.parametrize("missing", [None, *range(len(KINDS))])
def test_all_workloads_are_known_where_those_of_every_kind_are(missing: int | None) -> None:
    facts = from_objects([], bundled_definitions())
    facts.objects.complete(besides=[(group, kind) for at, (group, _, kind) in enumerate(KINDS) if at != missing])
    assert bool(unknown(facts, Configuration(), "ns")) is (missing is not None)


@pytest.mark.parametrize(
    ("kind", "reference", "expected"),
    [
        ("InferenceModel", {}, PoolReference("ns", EXPERIMENTAL, "InferencePool", "")),
        ("InferenceObjective", {}, PoolReference("ns", STABLE, "InferencePool", "")),
        ("InferenceModelRewrite", {"name": "p", "group": "g", "kind": "K"}, PoolReference("ns", "g", "K", "p")),
    ],
)
def test_a_reference_has_the_defaults_of_its_kind(kind: str, reference: JSONObject, expected: PoolReference) -> None:
    assert reference_of({"spec": {"poolRef": reference}}, kind, "ns") == expected
    assert reference_of("odd", kind, "ns") == reference_of({}, kind, "ns")


def test_references_mean_one_pool_whatever_their_kinds() -> None:
    one = PoolReference("ns", STABLE, "InferencePool", "p")
    assert one.means(PoolReference("ns", STABLE, "Other", "p"))
    for other in (("x", STABLE, "p"), ("ns", EXPERIMENTAL, "p"), ("ns", STABLE, "q")):
        assert not one.means(PoolReference(other[0], other[1], "InferencePool", other[2]))
    assert (one.other_group, PoolReference("ns", EXPERIMENTAL, "", "").other_group) == (EXPERIMENTAL, STABLE)


def test_all_backends_of_a_route_are_read() -> None:
    refs = [{"name": "a"}, {"name": "b", "group": STABLE, "kind": "InferencePool", "namespace": "x"}]
    spec = {"rules": [{"backendRefs": refs}, {}, {"backendRefs": [{"name": "c", "kind": "K"}]}]}
    route = {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "GRPCRoute", "metadata": {"name": "r", "namespace": "ns"}, "spec": spec}
    group, kind = "gateway.networking.k8s.io", "GRPCRoute"
    assert read_route(route) == Route(
        *(group, kind, "ns", "r"),
        (Backend("", "Service", "ns", "a"), Backend(STABLE, "InferencePool", "x", "b"), Backend("", "K", "ns", "c")),
    )
    assert str(Backend("", "Service", "ns", "a")) == 'Service "a" of the core group'
    assert str(Backend("g", "K", "ns", "a")) == 'K "a" of g'


@pytest.mark.parametrize(
    ("backend", "is_meant"),
    [
        (Backend(STABLE, "InferencePool", "ns", "p"), False),
        (Backend(EXPERIMENTAL, "InferencePool", "ns", "p"), True),
        (Backend("", "InferencePool", "ns", "p"), True),
        (Backend("g", "InferencePool", "ns", "p"), False),
        (Backend("", "Service", "ns", "p"), True),
        (Backend(STABLE, "Service", "ns", "p"), False),
        (Backend("", "Service", "x", "p"), False),
        (Backend("", "Service", "ns", "q"), False),
    ],
)
def test_a_backend_of_the_pool_s_name_may_mean_the_pool(backend: Backend, is_meant: bool) -> None:
    assert backend.means(pool_of(_pool(STABLE, "p", {}), STABLE, "ns")) is is_meant


def test_targets_are_read_with_their_places() -> None:
    given: list[Any] = [{"name": "a", "weight": 0}, "odd", {"name": 1}, {}]
    rules: list[Any] = [{"targets": [{"modelRewrite": "b"}], "split": [{"modelRewrite": "", "weight": 1}]}, "odd", {"targets": "odd"}]
    old, first, second = ("spec", "targetModels"), ("spec", "rules", 0, "targets"), ("spec", "rules", 0, "split")
    assert list(target_lists({"spec": {"targetModels": given, "rules": rules}})) == [
        [
            Target((*old, 0), (*old, 0, "name"), "a", has_weight=True),
            Target((*old, 2), (*old, 2, "name"), None, has_weight=False),
            Target((*old, 3), (*old, 3, "name"), None, has_weight=False),
        ],
        [Target((*first, 0), (*first, 0, "modelRewrite"), "b", has_weight=False)],
        [Target((*second, 0), (*second, 0, "modelRewrite"), "", has_weight=True)],
        [],
        [],
    ]
    assert list(target_lists("odd")) == [[]]


def test_a_rule_without_matches_takes_every_model() -> None:
    exact = {"matches": [{"model": {"value": "m"}}, {"model": {}}, {"model": {"value": "n"}}]}
    found = list(matches_of({"spec": {"rules": [exact, {}, {"matches": [{}]}]}}))
    first = ("spec", "rules", 0, "matches")
    assert found == [
        *(Match((*first, 0, "model", "value"), "m"), Match((*first, 2, "model", "value"), "n")),
        Match(("spec", "rules", 1), ""),
    ]
    assert [str(match) for match in found] == ['model "m"', 'model "n"', "every model"]


def _workload(api: str, kind: str, spec: JSONObject, namespace: str = "ns") -> JSONObject:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": kind.lower(), "namespace": namespace}, "spec": spec}


def _template(labels: dict[str, str], *containers: JSONObject) -> JSONObject:
    return {"metadata": {"labels": labels}, "spec": {"containers": list(containers) or [{"name": "c"}]}}


def test_the_pods_of_a_namespace_are_chosen_by_all_labels() -> None:
    containers: list[JSONObject] = [
        {"name": "c", "ports": [{"containerPort": 80}, {"containerPort": 0}, {}]},
        {"ports": [{"containerPort": 90}]},
    ]
    template = _template({"app": "a", "x": "y"}, *containers)
    held = [
        _workload("apps/v1", "Deployment", {"template": template}),
        _workload("apps/v1", "DaemonSet", {"template": _template({"app": "b"})}),
        _workload("apps/v1", "Deployment", {"template": template}, "elsewhere"),
    ]
    facts, config = from_objects(held, bundled_definitions()), Configuration()
    first = Pods("Deployment", "ns", "deployment", {"app": "a", "x": "y"}, frozenset({80, 90}))
    second = Pods("DaemonSet", "ns", "daemonset", {"app": "b"}, frozenset())
    assert list(known_pods(facts, "ns")) == [first, second]
    assert list(known_pods(facts, "ns", "x")) == [first]
    assert chosen(facts, config, "ns", {"app": "a"}) == [first]
    assert chosen(facts, config, "ns", {"app": "a", "x": "z"}) == []
    assert chosen(facts, config, "ns", {}) == []
    assert str(first) == 'Deployment "deployment"'


def test_a_template_without_containers_isn_t_kept() -> None:
    leader = _template({"a": "b"}, {"name": "c", "env": []}, {"name": "d", "ports": [{"containerPort": 1}]})
    obj = _workload("v1", "X", {"leaderWorkerTemplate": {"leaderTemplate": leader, "workerTemplate": {"spec": {}}}})
    kept = _template({"a": "b"}, {"name": "d", "ports": [{"containerPort": 1}]})
    assert keep(obj) == {**obj, "spec": {"leaderWorkerTemplate": {"leaderTemplate": kept}}}
