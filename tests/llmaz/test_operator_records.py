"""The predictions for Playgrounds and Services equal llmaz's recorded results: status, errors, and every created object."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tests.conftest import CountVectors
from tests.llmaz.records import Replayed, records, replay
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity

_AMOUNTS = ("limits", "requests")


def normalised(value: Any, key: str = "") -> Any:
    """A value in the form of the recordings: without empty values, with quantities as text, and with sorted lists of variables and
    volumes.
    """
    if isinstance(value, dict):
        if key in _AMOUNTS:
            return {name: Quantity.parse(str(found)).canonical() for name, found in value.items()}
        out = {name: normalised(found, name) for name, found in value.items()}
        return {name: found for name, found in out.items() if found not in ({}, [], None) or name == "emptyDir"}
    if isinstance(value, list):
        listed = [normalised(found) for found in value]
        return sorted(listed, key=lambda found: found["name"]) if key in ("env", "volumes", "volumeMounts") else listed
    return str(Quantity.parse(str(value)).canonical()) if key == "sizeLimit" else value


def pods(template: JSONObject | None) -> Any:
    """A pod template in the form of the recordings."""
    if template is None:
        return None
    spec = {name: found for name, found in template["spec"].items() if not (name == "schedulerName" and found == "default-scheduler")}
    metadata = template.get("metadata") or {}
    return normalised({**{name: metadata.get(name) for name in ("labels", "annotations")}, "spec": spec})


def workload(found: JSONObject) -> Any:
    """A predicted LeaderWorkerSet in the form of the recordings."""
    spec = found["spec"]
    template = spec["leaderWorkerTemplate"]
    return normalised(
        {
            "name": name_of(found),
            "replicas": spec["replicas"],
            "restartPolicy": template["restartPolicy"],
            "rolloutStrategy": spec["rolloutStrategy"],
            "size": template["size"],
            "startupPolicy": spec["startupPolicy"],
            "leader": pods(template.get("leaderTemplate")),
            "worker": pods(template.get("workerTemplate")),
            "subGroupPolicy": template.get("subGroupPolicy"),
        }
    )


def flat_probes(value: Any) -> Any:
    """HTTP probes with their path and port next to the other fields, as in the recordings."""
    if isinstance(value, dict):
        out = {name: flat_probes(found) for name, found in value.items() if name != "httpGet"}
        return {**out, **value["httpGet"]} if isinstance(value.get("httpGet"), dict) else out
    return [flat_probes(found) for found in value] if isinstance(value, list) else value


def named(objects: list[JSONObject], name: str) -> list[JSONObject]:
    return [found for found in objects if found["name"] == name]


def differences(case: Replayed) -> dict[str, tuple[Any, Any]]:
    """The differing values, predicted and recorded, by their names."""
    name, outcome, kind = name_of(case.object), case.outcome, case.object["kind"]
    if kind == "Playground" and not named(outcome.get("service", []), name):
        # The object of its name belongs to another Service.
        outcome = {what: outcome[what] for what in ("status", "errors") if what in outcome}
    made = {
        kind: [found for found in case.effective.objects if found["kind"] == kind]
        for kind in ("LeaderWorkerSet", "HorizontalPodAutoscaler")
    }
    pairs: dict[str, tuple[Any, Any]] = {
        "status": (case.effective.status, outcome["status"].get(f"{kind}/{name}")),
        "workload": (
            [flat_probes(workload(found)) for found in made["LeaderWorkerSet"]],
            [normalised(flat_probes(found)) for found in named(outcome.get("lws", []), name)],
        ),
        "autoscaler": (
            [normalised(found["spec"]) for found in made["HorizontalPodAutoscaler"]],
            [normalised(found["spec"]) for found in named(outcome.get("hpas", []), name)],
        ),
        "balancer": (balancers(case), [normalised(found) for found in named(outcome.get("services", []), f"{name}-lb")]),
    }
    if kind == "Playground":
        pairs["service"] = services(case), [plain(found) for found in named(outcome.get("service", []), name)]
    errors = [entry.get("error", "") for entry in outcome.get("errors", ())]
    if case.effective.failure or errors:
        failure = case.effective.failure
        is_recorded = any(failure in error for error in errors) or failure in str(outcome["status"])
        pairs["failure"] = (failure, failure if is_recorded else errors)
    return {what: pair for what, pair in pairs.items() if pair[0] != pair[1]}


def services(case: Replayed) -> list[JSONObject]:
    """The Service of llmaz that is created for a Playground, in the form of the recordings."""
    found = [obj for obj in case.effective.objects if obj["kind"] == "Service" and obj["apiVersion"] != "v1"]
    return [
        plain(
            {
                "name": name_of(obj),
                **{key: obj["metadata"].get(key) for key in ("labels", "annotations")},
                **{key: obj["spec"][key] for key in ("modelClaims", "replicas", "rolloutStrategy")},
                **{key: obj["spec"]["workloadTemplate"][key] for key in ("restartPolicy", "size")},
                "pod": pods(obj["spec"]["workloadTemplate"]["workerTemplate"]),
            }
        )
        for obj in found
    ]


def plain(found: JSONObject) -> Any:
    """A Service of llmaz with flat probes."""
    return normalised(flat_probes(found))


def balancers(case: Replayed) -> list[JSONObject]:
    found = [obj for obj in case.effective.objects if obj["kind"] == "Service" and obj["apiVersion"] == "v1"]
    return [
        normalised(
            {
                "name": name_of(obj),
                "annotations": obj["metadata"]["annotations"],
                **{key: obj["spec"][key] for key in ("ports", "selector", "type")},
            }
        )
        for obj in found
    ]


def test_every_recorded_object_comes_out_as_predicted(shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[tuple[str, str], tuple[Any, Any]] = {}
    counts: Counter[str] = Counter()
    for record in records():
        for case in replay(record):
            counts["all"] += 1
            found = differences(case)
            counts["agree"] += not found
            wrong |= {(record["id"], what): pair for what, pair in found.items()}
    assert wrong == {}
    count_vectors("llmaz predictions", counts["agree"], counts["all"])
