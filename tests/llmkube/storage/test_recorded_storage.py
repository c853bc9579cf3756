"""The predicted storage of every recorded service equals the one that the real operator created."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tests.conftest import CountVectors
from tests.llmkube.model.recorded import Record, records
from tests.llmkube.normalised import NOT_RECORDED
from weighbridge.policies.families.llmkube.predictions.model.prefetch import prefetch
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage, storage
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of

#: The arguments with paths, by the meaning of the path.
_PATH_FLAGS: Final = {"mmproj_path": "--mmproj", "draft_path": "-md"}
#: Events of other parts of the prediction.
_OF_OTHERS: Final = {"MissingMemoryRequest"}
#: Services that stopped at their draft: the operator creates the claim only after that.
_WITHOUT_DRAFT: Final = {"llmkube/head/default/spec/draft-failed", "llmkube/head/default/spec/draft-other-ns"}


def _services(shared: Path) -> Iterator[tuple[Record, JSONObject, JSONObject, Storage]]:
    """Services whose Model was Ready, with that Model."""
    for record in records(shared):
        models = {(namespace_of(model), name_of(model)): model for model in record.of_kind("Model")}
        for service in record.of_kind("InferenceService"):
            model = models.get((namespace_of(service), service["spec"].get("modelRef", "")))
            if model is not None and (record.status(model) or {}).get("phase") == "Ready":
                yield record, model, service, storage(model, service, record.operator, record.facts)


def _given(pod: JSONObject, service: JSONObject) -> dict[str, list[JSONValue]]:
    """Init containers, volumes and mounts of a recorded pod, without the author's own volumes."""
    own = {volume["name"] for volume in service["spec"].get("extraVolumes", [])}
    volumes = [volume for volume in pod.get("volumes", []) if volume["name"] not in own]
    mounts = [mount for mount in pod["containers"][0].get("volumeMounts", []) if mount["name"] not in own]
    return {"initContainers": pod.get("initContainers", []), "volumes": volumes, "mounts": mounts}


def _recorded(containers: Iterable[JSONObject]) -> list[JSONValue]:
    """Containers without what the records lack."""
    return [{key: value for key, value in container.items() if key not in NOT_RECORDED} for container in containers]


def _predicted(found: Storage) -> dict[str, list[JSONValue]]:
    return {"initContainers": _recorded(found.init_containers), "volumes": list(found.volumes), "mounts": list(found.mounts)}


def _behind(args: list[str], flag: str) -> str:
    return args[args.index(flag) + 1] if flag in args else ""


def _model_argument(args: list[str], runtime: str) -> str:
    if runtime == "vllm":
        return args[0]
    return _behind(args, "--model" if runtime == "llamacpp" else "--model-path")


def test_every_recorded_pod_gets_the_predicted_containers_volumes_and_mounts(shared: Path, count_vectors: CountVectors) -> None:
    compared, wrong = 0, []
    for record, _, service, found in _services(shared):
        pod = record.deployment(service)
        if pod is None:
            continue
        compared += 1
        if _predicted(found) != _given(pod, service):
            wrong.append((record.id, _predicted(found), _given(pod, service)))
    assert not wrong
    assert compared > 600
    count_vectors("LLMKube storage of pods", compared, compared)


def test_engines_are_given_the_predicted_paths(shared: Path) -> None:
    compared = 0
    for record, _, service, found in _services(shared):
        pod, runtime = record.deployment(service), service["spec"].get("runtime", "llamacpp")
        if pod is None or not found.model_path or "args" not in pod["containers"][0] or "command" in service["spec"]:
            continue
        args = pod["containers"][0]["args"]
        compared += 1
        assert found.model_path == _model_argument(args, runtime), record.id
        if runtime == "llamacpp":
            assert {name: getattr(found, name) for name in _PATH_FLAGS} == {name: _behind(args, flag) for name, flag in _PATH_FLAGS.items()}
    assert compared > 400


def test_the_predicted_claims_are_made(shared: Path) -> None:
    made: dict[str, set[str]] = {}
    for record, _, _, found in _services(shared):
        claims = ({"name": claim["metadata"]["name"], "spec": claim["spec"]} for claim in found.claims)
        made.setdefault(record.id, set()).update(json.dumps(claim, sort_keys=True) for claim in claims)
    compared = 0
    for record in records(shared):
        for model in record.of_kind("Model"):
            started = prefetch(model, record.operator, record.facts)
            claims = ({"name": claim["metadata"]["name"], "spec": claim["spec"]} for claim in (started.claims if started else ()))
            made.setdefault(record.id, set()).update(json.dumps(claim, sort_keys=True) for claim in claims)
        if record.id in _WITHOUT_DRAFT:
            continue
        recorded = {json.dumps(claim, sort_keys=True) for claim in record.outcome.get("pvcs", [])}
        assert made.get(record.id, set()) == recorded, record.id
        compared += len(recorded)
    assert compared > 600


def test_the_predicted_warnings_are_told(shared: Path) -> None:
    told = 0
    for record, _, service, found in _services(shared):
        if len(list(record.of_kind("InferenceService"))) > 1:
            continue  # the record doesn't say which service an event is on
        noted = [(event["reason"], event["note"]) for event in record.outcome.get("events", []) if event["on"] == "InferenceService"]
        noted = sorted(event for event in noted if event[0] not in _OF_OTHERS)
        assert sorted((event.reason, event.note) for event in found.events) == noted, (record.id, name_of(service))
        told += len(noted)
    assert told > 50


def test_every_recorded_prefetch_is_predicted(shared: Path) -> None:
    found = {}
    for record in records(shared):
        jobs = record.outcome.get("jobs", [])
        for model in record.of_kind("Model"):
            started = prefetch(model, record.operator, record.facts)
            assert (started is not None) == bool(jobs), record.id
            if started is not None:
                found[record.id] = started.job
                assert started.job["metadata"]["name"] == jobs[0]["name"]
                assert started.job["metadata"]["labels"] == jobs[0]["labels"]
                spec = started.job["spec"]["template"]["spec"]
                assert {**spec, "initContainers": _recorded(spec["initContainers"])} == jobs[0]["pod"]["spec"], record.id
    assert len(found) >= 4
