"""The prediction for an object: the created objects, the nodes for its pods, and the findings at each door."""

from __future__ import annotations

import pytest

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Outlook, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.prediction import PlacedPrediction, predict

DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")
THING = GroupVersionKind("a.test", "v1", "Thing")
DENY = parse({"rules": {"PLACE-001": "deny"}})


def deployment(cpu: str) -> JSONObject:
    """A Deployment of one pod that requests that much CPU."""
    metadata = {"name": "d", "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": pod({"cpu": cpu})}}


FITS, BEYOND, FURTHER = deployment("1"), deployment("65"), deployment("66")


def resolve(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """For a thing its operator creates the objects in its spec, and the named ones are placed."""
    spec = request.object["spec"] if isinstance(request.object, dict) else None
    if spec is None:
        return None
    placed = spec.get("placed")
    return Prediction({"a": 1}, spec["objects"], placed=(lambda: placed) if placed is not None else None)


FAMILY = Family("a", "A", (Kind(THING, "things"),), "weighbridge.policies.families.aim", predict={"Thing": resolve})


def predicted(
    new: JSONValue,
    old: JSONValue = None,
    gvk: GroupVersionKind = DEPLOYMENT,
    *,
    config: Configuration = DENY,
    family: Family | None = None,
    is_offline: bool = True,
    cluster: Facts | None = None,
) -> PlacedPrediction:
    """The prediction in a cluster of one node with 64 processors."""
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("u", operation, gvk, new, old, namespace="default", name="d")
    return predict(request, cluster if cluster is not None else facts(node()), config, family, is_offline=is_offline)


def weights(prediction: PlacedPrediction) -> list[Severity]:
    assert {finding.rule for finding in prediction.findings} <= {"PLACE-001"}
    return [finding.severity for finding in prediction.findings]


@pytest.mark.parametrize("is_offline", [True, False])
def test_pods_that_no_node_can_run_are_told_of_at_every_door(is_offline: bool) -> None:
    prediction = predicted(BEYOND, is_offline=is_offline)
    assert (prediction.prediction, list(prediction.unchecked)) == (None, [])
    assert prediction.placement is not None
    assert prediction.placement.outlook is Outlook.NEVER
    assert weights(prediction) == [Severity.ERROR]
    assert prediction.findings[0].message.startswith("0/1 nodes are available: 1 Insufficient cpu")
    assert weights(predicted(BEYOND, is_offline=is_offline, config=DEFAULT)) == [Severity.WARNING]


def test_where_pods_fit_only_the_command_line_says() -> None:
    offline = predicted(FITS)
    assert offline.placement is not None
    assert (list(offline.placement.nodes.feasible), offline.placement.outlook, offline.findings) == (["n"], Outlook.NOW, [])
    assert predicted(FITS, is_offline=False) == PlacedPrediction()


def test_without_nodes_nothing_is_said() -> None:
    assert predicted(BEYOND, cluster=facts()) == PlacedPrediction()


@pytest.mark.parametrize(
    ("old", "weight"),
    [(FITS, Severity.ERROR), (BEYOND, Severity.WARNING), ({**BEYOND, "metadata": {"name": "d", "labels": {"a": "b"}}}, Severity.WARNING)],
)
def test_what_no_node_could_run_before_only_warns(old: JSONObject, weight: Severity) -> None:
    assert weights(predicted(BEYOND, old)) == [weight]
    assert weights(predicted(BEYOND, old, is_offline=False)) == [weight]


def test_a_warning_stays_one_on_an_update() -> None:
    assert weights(predicted(BEYOND, FITS, config=DEFAULT)) == [Severity.WARNING]
    assert weights(predicted(FURTHER, BEYOND)) == [Severity.WARNING]
    assert weights(predicted(FITS, BEYOND)) == []


def test_what_makes_no_pods_is_placed_nowhere() -> None:
    assert predicted(None) == PlacedPrediction()
    assert predicted({"apiVersion": "v1", "kind": "Service", "spec": {}}) == PlacedPrediction()


@pytest.mark.parametrize(("asked", "holds", "fits"), [("a", "a", True), ("a", "default", False), ("", "default", True), ("", "a", False)])
def test_claims_are_looked_for_where_the_object_is(asked: str, holds: str, fits: bool) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c", "namespace": holds, "uid": "1", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
        "spec": {
            "volumeName": "v",
            "storageClassName": "",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
        "status": {"phase": "Bound"},
    }
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "v"},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "hostPath": {"path": "/x"},
            "claimRef": {"namespace": holds, "name": "c", "uid": "1"},
        },
    }
    template = pod({"cpu": "1"}, volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}])
    request = Request("u", Operation.CREATE, DEPLOYMENT, {"kind": "Deployment", "spec": {"template": template}}, namespace=asked)
    found = predict(request, facts(node(), claim, volume), DEFAULT, None, is_offline=True)
    assert found.placement is not None
    assert list(found.placement.nodes.feasible) == (["n"] if fits else [])


def thing(**spec: JSONValue) -> JSONObject:
    return {"apiVersion": "a.test/v1", "kind": "Thing", "metadata": {"name": "d"}, "spec": spec}


def test_of_a_familys_object_what_its_operator_makes_is_placed() -> None:
    prediction = predicted(thing(objects=[BEYOND]), gvk=THING, family=FAMILY)
    assert prediction.prediction is not None
    assert prediction.prediction.status == {"a": 1}
    assert weights(prediction) == [Severity.ERROR]
    assert weights(predicted(thing(objects=[BEYOND]), thing(objects=[FITS]), THING, family=FAMILY)) == [Severity.ERROR]
    assert weights(predicted(thing(objects=[BEYOND]), thing(objects=[BEYOND]), THING, family=FAMILY)) == [Severity.WARNING]


def test_what_an_operator_would_place_otherwise_is_placed_so() -> None:
    assert weights(predicted(thing(objects=[BEYOND], placed=[FITS]), gvk=THING, family=FAMILY)) == []
    assert weights(predicted(thing(objects=[FITS], placed=[BEYOND]), gvk=THING, family=FAMILY)) == [Severity.ERROR]
    nothing = predicted(thing(objects=[FITS], placed=[]), gvk=THING, family=FAMILY)
    assert (nothing.placement, nothing.prediction is None) == (None, False)


def test_what_an_operator_makes_is_known_where_its_pods_fit() -> None:
    fits = predicted(thing(objects=[FITS]), gvk=THING, family=FAMILY, is_offline=False)
    assert fits.prediction is not None
    assert (fits.placement, fits.findings) == (None, ())
    unknown = predicted(thing(objects=[BEYOND]), gvk=THING, family=FAMILY, cluster=facts())
    assert (unknown.prediction is not None, unknown.placement, unknown.findings) == (True, None, ())


def test_what_cannot_be_predicted_is_not_placed() -> None:
    unread = {"apiVersion": "a.test/v1", "kind": "Thing", "metadata": {"name": "d"}, "spec": None}
    assert predicted(unread, gvk=THING, family=FAMILY) == PlacedPrediction()
    assert weights(predicted(thing(objects=[BEYOND]), unread, THING, family=FAMILY)) == [Severity.ERROR]
