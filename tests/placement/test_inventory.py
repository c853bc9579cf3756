"""Snapshots of nodes: successive ones share their unchanged parts, and grouping nodes by shape never changes a verdict."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.placement.clusters import affine, facts, named, node, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.filters import PodFilters
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.placement import place
from weighbridge.policies.pods.admission import admit


def read(*nodes: JSONObject) -> list[Node]:
    return [Node.from_object(obj) for obj in nodes]


def test_nodes_that_differ_in_their_own_labels_share_a_shape() -> None:
    inventory = Inventory(read(*(node(f"n{at}", labels={"machine": f"m{at}", "pool": f"p{at % 2}"}) for at in range(40))))
    assert sorted(inventory.shapes.values()) == [20, 20]
    assert inventory.own.labels == {"kubernetes.io/hostname", "machine"}


def test_a_changed_node_keeps_its_place_and_leaves_the_old_snapshot_alone() -> None:
    before = Inventory(read(node("a"), node("b"), node("c")))
    after = before.with_node(read(node("b", {"cpu": "1"}))[0])
    assert [held.name for held in after.nodes] == ["a", "b", "c"]
    assert (len(before.shapes), len(after.shapes)) == (1, 2)
    assert [held.amounts["cpu"] for held in before.nodes] == [64000, 64000, 64000]
    assert [held.amounts["cpu"] for held in after.nodes] == [64000, 1000, 64000]


def test_nothing_new_about_a_node_is_no_new_snapshot() -> None:
    inventory = Inventory(read(node("a")))
    assert inventory.with_node(read(node("a"))[0]) is inventory
    assert inventory.without_node("b") is inventory


def test_what_is_worked_out_of_the_nodes_is_worked_out_once_and_anew_when_they_change() -> None:
    before = Inventory(read(node("a")))
    asked: list[int] = []

    def names(inventory: Inventory) -> list[str]:
        asked.append(1)
        return [held.name for held in inventory.nodes]

    assert [before.once("names", lambda: names(before)) for _ in range(2)] == [["a"], ["a"]]
    after = before.with_node(read(node("b"))[0])
    assert after.once("names", lambda: names(after)) == ["a", "b"]
    assert len(asked) == 2


def test_a_shape_goes_with_its_last_node() -> None:
    inventory = Inventory(read(node("a"), node("b", {"cpu": "1"}))).without_node("b")
    assert [held.name for held in inventory.nodes] == ["a"]
    assert list(inventory.shapes.values()) == [1]
    assert inventory.node("b") is None


def test_the_example_of_a_shape_may_leave_before_the_others() -> None:
    inventory = Inventory(read(node("a"), node("b"))).without_node("a")
    assert list(inventory.shapes.values()) == [1]
    known = Facts(Definitions(), inventory=inventory)
    assert place(pod(), known).feasible == ["b"]
    assert place(pod({"cpu": "65"}), known).nearest == ["b has 64 of the 65 requested cpu"]
    assert place(affine(named("a")), known).rejected == {"b": ["node(s) didn't satisfy plugin(s) [NodeAffinity]"]}


def test_labels_that_turn_out_to_be_nodes_own_are_found_while_nodes_come() -> None:
    inventory = Inventory(())
    for held in read(*(node(f"n{at}", labels={"machine": f"m{at}"}) for at in range(100))):
        inventory = inventory.with_node(held)
    assert "machine" in inventory.own.labels
    assert len(inventory.shapes) <= 33


def test_memory_to_the_kilobyte_is_a_nodes_own() -> None:
    inventory = Inventory(read(*(node(f"n{at}", {"memory": f"{1000 + at}Ki", "x.dev/gpu": f"{at}"}) for at in range(20))))
    assert inventory.own.amounts == {"memory"}
    assert len(inventory.shapes) == 20
    placement = place(pod({"memory": "1010Ki"}), Facts(Definitions(), inventory=inventory))
    assert placement.feasible == [f"n{at}" for at in range(10, 20)]
    none = place(pod({"memory": "1020Ki"}), Facts(Definitions(), inventory=inventory))
    assert none.message.startswith("0/20 nodes are available: 20 Insufficient memory.")
    assert "n19 has 1019Ki of the 1020Ki requested memory" in none.nearest


def test_offers_follow_the_changes() -> None:
    inventory = Inventory(read(node("a", {"x.dev/gpu": "2"})))
    assert inventory.with_node(read(node("b", {"x.dev/gpu": "8"}, unschedulable=True))[0]).held_back == {"x.dev/gpu": 8}
    assert inventory.without_node("a").offers == {}


_NODES = st.lists(
    st.builds(
        lambda cpu, zone, machine, cordoned: {"cpu": cpu, "zone": zone, "machine": machine, "cordoned": cordoned},
        st.sampled_from(["1", "2"]),
        st.sampled_from(["", "z1", "z2"]),
        st.sampled_from(["", "m1", "m2", "5"]),
        st.booleans(),
    ),
    max_size=40,
)
_PODS = [
    pod({"cpu": "2"}),
    pod({"memory": "7Mi"}),
    pod(nodeSelector={"zone": "z1"}),
    pod(nodeSelector={"machine": "m1"}),
    pod(nodeSelector={"kubernetes.io/hostname": "n3"}),
    affine({"matchExpressions": [{"key": "machine", "operator": "NotIn", "values": ["m1"]}, {"key": "zone", "operator": "Exists"}]}),
    affine({"matchExpressions": [{"key": "machine", "operator": "Gt", "values": ["4"]}]}),
    affine({"matchExpressions": [{"key": "machine", "operator": "In", "values": [""]}]}),
    affine(named("n2"), named("n5")),
    affine(named("n2", operator="NotIn")),
]


@given(made=_NODES, asked=st.sampled_from(_PODS), own=st.booleans())
@settings(max_examples=120)
def test_judging_by_shape_is_judging_node_by_node(made: list[dict[str, str | bool]], asked: JSONObject, own: bool) -> None:
    nodes = []
    for at, parts in enumerate(made):
        labels = {key: f"{parts[key]}" for key in ("zone", "machine") if parts[key]}
        if own:
            labels["machine"] = f"{at}"
        amounts = {"cpu": f"{parts['cpu']}", "memory": f"{at if own else 9}Mi"}
        nodes.append(node(f"n{at}", amounts, labels=labels, unschedulable=parts["cordoned"]))
    known = facts(*nodes)
    placement = place(asked, known)
    filters = PodFilters(admit(asked, known.objects, "default"), known.objects)
    for held in known.inventory.nodes if known.inventory is not None else ():
        narrowed = filters.names is not None and held.name not in filters.names
        alone = ["node(s) didn't satisfy plugin(s) [NodeAffinity]"] if narrowed else list(filters.check(held))
        assert placement.rejected.get(held.name, []) == alone
        assert (held.name in placement.feasible) == (not alone)


@given(made=_NODES, own=st.booleans(), wanted=st.sampled_from([{}, {"zone": "z1"}, {"machine": "m1"}, {"machine": "3", "zone": "z2"}]))
@settings(max_examples=120)
def test_counting_by_shape_is_counting_node_by_node(made: list[dict[str, str | bool]], own: bool, wanted: dict[str, str]) -> None:
    nodes = []
    for at, parts in enumerate(made):
        labels = {key: f"{parts[key]}" for key in ("zone", "machine") if parts[key]}
        labels |= {"machine": f"{at}"} if own and at % 3 else {}
        gpus = {"amd.com/gpu": "0" if parts["cordoned"] else f"{parts['cpu']}"} if at % 2 else {}
        nodes += read(node(f"n{at}", {"memory": f"{at if own else 9}Mi", **gpus}, labels=labels))
    inventory = Inventory(nodes)
    with_labels = [held for held in nodes if all(held.labels.get(key) == value for key, value in wanted.items())]
    for _ in range(2):
        assert sum(size for _, size in inventory.with_labels(wanted)) == len(with_labels)
        for resource, label in (("amd.com/gpu", "zone"), ("memory", ""), ("", "machine")):
            counted = Counter[tuple[int, str]]()
            for held, size in inventory.counted(label=label, resource=resource):
                counted[held.amounts.get(resource, 0), held.labels.get(label, "")] += size
            assert counted == Counter((held.amounts.get(resource, 0), held.labels.get(label, "")) for held in nodes)
        assert list(inventory.nodes_with("amd.com/gpu")) == [held for held in nodes if held.amounts.get("amd.com/gpu")]
        assert list(inventory.nodes_with("nvidia.com/gpu")) == []
        for label in ("zone", "machine"):
            values = [inventory.values_in(shape, label) for shape in inventory.shapes]
            assert set().union(*values) == {held.labels[label] for held in nodes if label in held.labels}


@given(made=_NODES, asked=st.sampled_from(_PODS))
@settings(max_examples=50)
def test_the_way_to_a_snapshot_makes_no_difference(made: list[dict[str, str | bool]], asked: JSONObject) -> None:
    nodes = read(*(node(f"n{at}", {"cpu": f"{parts['cpu']}"}, labels={"zone": f"{parts['zone']}"}) for at, parts in enumerate(made)))
    grown = Inventory(())
    for held in nodes:
        grown = grown.with_node(Node.from_object(node(held.name, {"cpu": "7"}))).with_node(held)
    grown = grown.with_node(Node.from_object(node("extra"))).without_node("extra")

    def judged(inventory: Inventory) -> Placement:
        return place(asked, Facts(Definitions(), inventory=inventory))

    whole = judged(Inventory(nodes))
    step_by_step = judged(grown)
    assert (step_by_step.feasible, step_by_step.rejected, step_by_step.message) == (whole.feasible, whole.rejected, whole.message)


@given(
    changes=st.lists(st.tuples(st.integers(0, 29), st.integers(0, 40)), max_size=8),
    gone=st.lists(st.integers(0, 29), max_size=3, unique=True),
    asked=st.integers(1, 42),
)
@settings(max_examples=100)
def test_amounts_that_change_are_judged_as_if_they_had_always_been_so(changes: list[tuple[int, int]], gone: list[int], asked: int) -> None:
    grown = Inventory(read(*(node(f"n{at}", {"memory": f"{at}Mi"}) for at in range(30))))
    assert "memory" in grown.own.amounts
    for at, mebibytes in changes:
        grown = grown.with_node(Node.from_object(node(f"n{at}", {"memory": f"{mebibytes}Mi"})))
    for at in gone:
        grown = grown.without_node(f"n{at}")
    wanted = pod({"memory": f"{asked}Mi"})
    placement = place(wanted, Facts(Definitions(), inventory=grown))
    fresh = place(wanted, Facts(Definitions(), inventory=Inventory(grown.nodes)))
    assert (placement.feasible, placement.rejected, placement.message) == (fresh.feasible, fresh.rejected, fresh.message)
