"""The predictions for every recorded case equal what the real operator did, at admission and afterwards, word for word.

These are compared: the refusals with their words, the status of every Model and InferenceService, every Deployment, Service, autoscaler,
claim and Job that the operator created for them, its warnings, and the error in its log. Parts that aren't compared are listed here, with
the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.normalised import FORMS, produced, recorded_job, sorted_conditions
from tests.llmkube.operator_cluster import Played, play
from tests.llmkube.replay import records
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject

RECORDS = {record["id"]: record for record in records()}
#: Objects that are created for a ModelRouter, whose predictions are tested elsewhere and without its proxy.
ROUTER_PROXY = "r-router-proxy"
#: Kinds whose statuses are tested elsewhere: a quota's usage, a router, a pool and an adapter.
OTHER_KINDS = frozenset({"GPUQuota", "ModelRouter", "ModelPool", "LoRAAdapter"})
#: Fields that the operator reads from a file on its own disk, which isn't known here.
ON_THE_OPERATORS_DISK = frozenset({"sha256", "size", "sourceContentLength", "lastRevalidated"})
#: Cases whose outcome depends on a file on the operator's disk; the prediction says so, and assumes that the file exists.
HANGS_ON_A_FILE = frozenset({"llmkube/head/tuned/tuned/local-4", "llmkube/head/tuned2/tuned2/local-4"})
#: Cases in which a scheduler ran along with the operator, and what the operator then wrote about the pods that couldn't be placed.
SCHEDULED = frozenset({"llmkube/head/default/pods/i915", "llmkube/head/default/pods/nvidia-isvc"})
OF_THE_SCHEDULER = frozenset({"phase", "queuePosition", "schedulingMessage", "schedulingStatus", "waitingFor"})
WAITING_CONDITIONS = frozenset({"GPUAvailable", "Progressing"})
#: The log entry of the controller of adapters, since no server answers in the recorded cluster.
UNREACHABLE = "post http://"

pytestmark = pytest.mark.skipif(not RECORDS, reason="the records aren't next to the checkout")


@pytest.mark.parametrize("case", RECORDS)
def test_the_operator_makes_of_it_what_is_predicted(case: str, count_vectors: CountVectors) -> None:
    record = RECORDS[case]
    played, outcome = play(record), record["outcome"]
    assert_admitted(played, outcome["admission"])
    if case in HANGS_ON_A_FILE:
        assert any(prediction.unchecked for prediction in played.predictions.values())
        count_vectors("operators/llmkube", 0, 1)
        return
    assert_statuses(case, played.predictions, outcome["status"])
    assert_objects(played.predictions, outcome)
    assert_told(played.predictions)
    assert_warnings(played.predictions, outcome)
    assert_failures(played, outcome, "" if record["refused"] else record.get("message", ""))
    count_vectors("operators/llmkube", 1, 1)


def assert_admitted(played: Played, recorded: list[JSONObject]) -> None:
    for answer, real in zip(played.answers, recorded, strict=True):
        assert answer.message == (real["message"] if real["code"] >= 300 else "")
        assert (answer.stored is not None) is (real["code"] < 300)


def assert_statuses(case: str, predictions: dict[str, Prediction], statuses: JSONObject) -> None:
    real = {key: status for key, status in statuses.items() if key.partition("/")[0] not in OTHER_KINDS}
    assert predictions.keys() == real.keys()
    for key, prediction in predictions.items():
        assert compared(case, prediction.status) == compared(case, real[key]), key


def compared(case: str, status: JSONObject | None) -> JSONObject:
    """The part of a status that is compared."""
    found = {field: value for field, value in sorted_conditions(status).items() if field not in ON_THE_OPERATORS_DISK or value == "0"}
    if case in SCHEDULED:
        found = {field: value for field, value in found.items() if field not in OF_THE_SCHEDULER}
        found["conditions"] = [condition for condition in found["conditions"] if condition["type"] not in WAITING_CONDITIONS]
    return found


def assert_objects(predictions: dict[str, Prediction], outcome: dict[str, Any]) -> None:
    made = produced(obj for prediction in predictions.values() for obj in prediction.objects)
    for key, _ in FORMS.values():
        entries = [recorded_job(entry) if key == "jobs" else entry for entry in outcome.get(key, [])]
        assert made[key] == {entry["name"]: entry for entry in entries if entry["name"] != ROUTER_PROXY}


def assert_told(predictions: dict[str, Prediction]) -> None:
    """Each value that `explain` shows has its source and its reason."""
    for prediction in predictions.values():
        assert all(value.source and value.reason for value in prediction.values)
        told = {(value.object.partition("/")[0], value.field) for value in prediction.values}
        for kind, field in (place for obj in prediction.objects for place in asked_about(obj)):
            assert (kind, field) in told


def asked_about(obj: JSONObject) -> Iterator[tuple[str, str]]:
    """The fields of an object that must be explained, with its kind."""
    kind, spec = obj["kind"], obj["spec"]
    if kind == "Service":
        yield from ((kind, "spec.type"), (kind, "spec.ports[0].port"))
    if kind == "HorizontalPodAutoscaler":
        yield from ((kind, "spec.minReplicas"), (kind, "spec.maxReplicas"))
    if kind != "Deployment":
        return
    yield from ((kind, "spec.replicas"), (kind, "spec.strategy.type"))
    pod, where = spec["template"]["spec"], "spec.template.spec"
    container = pod["containers"][0]
    yield from ((kind, f"{where}.priorityClassName"), (kind, f"{where}.containers[0].image"))
    yield kind, f"{where}.containers[0].securityContext"
    yield from ((kind, f"{where}.tolerations[{index}]") for index, _ in enumerate(pod.get("tolerations", [])))
    yield from ((kind, f"{where}.nodeSelector[{key}]") for key in pod.get("nodeSelector", {}))
    asked = container.get("resources", {})
    for amounts in ("limits", "requests"):
        # An amount that is both is explained once.
        names = (name for name in asked.get(amounts, {}) if amounts == "limits" or name not in asked.get("limits", {}))
        yield from ((kind, f"{where}.containers[0].resources.{amounts}[{name}]") for name in names)
    yield from ((kind, f"{where}.{field}") for field in ("affinity", "topologySpreadConstraints", "runtimeClassName") if field in pod)


def assert_warnings(predictions: dict[str, Prediction], outcome: dict[str, Any]) -> None:
    warned = sorted((event.reason, event.note) for prediction in predictions.values() for event in prediction.events)
    assert warned == sorted((event["reason"], event["note"]) for event in outcome.get("events", []) if event["on"] == "InferenceService")


def assert_failures(played: Played, outcome: dict[str, Any], message: str) -> None:
    """A failure is predicted exactly if the operator fails, with its message and with the error that it only writes into its log."""
    predictions = played.predictions
    failures = [*played.quota_failures, *(prediction.failure or prediction.kept for prediction in predictions.values())]
    for text in (*logged(outcome), message):
        assert not text or any(text in failure for failure in failures), text
    for key, prediction in predictions.items():
        status = outcome["status"][key] or {}
        is_degraded = any(condition["type"] == "Degraded" for condition in status.get("conditions", []))
        # Without a phase the reconcile was aborted; a waiting service may wait for a Model that failed.
        may_fail = is_degraded or status.get("phase", "") in {"", "Pending", "Downloading"}
        assert may_fail or not prediction.failure
        assert not is_degraded or prediction.failure or prediction.kept


def logged(outcome: dict[str, Any]) -> list[str]:
    """The errors in the operator's log; a panic is logged twice."""
    texts = [entry.get("panic") or entry["error"] for entry in outcome.get("errors", [])]
    return [text for text in texts if not text.startswith(("panic: ", UNREACHABLE))]


def test_what_is_left_out_is_there() -> None:
    assert len(RECORDS) > 1000
    assert RECORDS.keys() >= HANGS_ON_A_FILE | SCHEDULED
