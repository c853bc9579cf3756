"""The requests of the soak, each with the expected answer.

Most are dry runs, which call the webhooks like other requests and leave nothing behind. Some objects are really created, changed and
deleted, so that the replicas, which follow the cluster, get changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

import orjson

from tests.programs.soak import bodies
from tests.programs.soak.api import APPLY_PATCH, JSON, MERGE_PATCH, Answer, APIClient
from tests.programs.soak.bodies import FILLED_MODEL, NAMESPACE, Values
from weighbridge.policies.ground.objects import JSONObject

_DRY: Final = "dryRun=All"
_PLURALS: Final = {
    "Model": "models",
    "InferenceService": "inferenceservices",
    "InferenceModel": "inferencemodels",
}
_REFUSED: Final = 403


@dataclass(frozen=True, slots=True)
class Expected:
    """The status of an answer, values in its body, words in its message, the beginning of one of its warnings."""

    status: int
    values: Values = field(default_factory=dict)
    words: str = ""
    warning: str = ""

    def fault(self, answer: Answer) -> str:
        """What is wrong with the answer; empty if nothing is."""
        if answer.status != self.status:
            return f"{answer.status} in place of {self.status}: {answer.json.get('message', '')}"
        body = answer.json
        for path, value in self.values.items():
            if bodies.at(body, path) != value:
                return f"{'.'.join(path)} isn't what it has to be: {str(bodies.at(body, path))[:60]}"
        if self.words not in body.get("message", ""):
            return f"refused with other words: {body.get('message', '')}"
        if self.warning and not any(self.warning in warning for warning in answer.warnings):
            return f"no warning {self.warning}"
        return ""


@dataclass(frozen=True, slots=True)
class Call:
    """One request; `done` is called once it is answered as expected."""

    what: str
    method: str
    path: str
    body: bytes
    expected: Expected
    content_type: str = JSON
    done: Callable[[], None] = lambda: None


class Workload:
    """Draws random requests; the same `seed` gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._number = 0
        self._versions: dict[str, str] = {}
        self._to_change: deque[str] = deque()
        self._to_delete: deque[str] = deque()
        self._kinds: Final[dict[Callable[[], Call], int]] = {
            self._create_model: 24,
            self._create_refused_model: 10,
            self._create_service: 16,
            self._create_refused_service: 8,
            self._create_inference_model: 8,
            self._create_refused_inference_model: 4,
            self._patch_model: 8,
            self._put_model: 6,
            self._apply_model: 4,
            self._patch_service_to_be_refused: 4,
            self._scale: 4,
            self._really: 4,
        }

    async def furnish(self, api: APIClient) -> None:
        """Create the namespace, and the Node that decides what is filled in."""
        await api.apply(f"/api/v1/namespaces/{NAMESPACE}", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        node = bodies.node()
        await api.apply("/api/v1/nodes/soak-gpus", node)
        await api.apply("/api/v1/nodes/soak-gpus/status", node)

    async def store(self, api: APIClient) -> None:
        """Store the objects that the requests refer to and change, as the webhooks fill them in; they replace those of an earlier soak."""
        for kept in (bodies.model("m"), bodies.service("s"), bodies.inference_model("i", "stored")):
            await api.call("DELETE", path_of(kept).rpartition("/")[0])
            stored = await api.apply(path_of(kept), kept)
            self._versions[stored["kind"]] = stored["metadata"]["resourceVersion"]

    def next(self) -> Call:
        """The next request."""
        self._number += 1
        return self._random.choices(list(self._kinds), list(self._kinds.values()))[0]()

    def first_probes(self) -> list[Call]:
        """A request that only the mutating webhook answers like this, and one that only the validating webhook refuses."""
        return [self._create_model(), self._create_refused_model()]

    def probes(self) -> list[Call]:
        """Requests that depend on the stored objects, so many that each replica is called."""
        return [self._create_service(), self._create_refused_service(), self._create_refused_inference_model()] * 4

    def _name(self) -> str:
        return f"soak-{self._number}"

    def _create(self, what: str, obj: JSONObject, expected: Expected) -> Call:
        sized = bodies.sized(obj, bodies.size(self._random))
        if expected.status != _REFUSED:
            expected = Expected(201, {**expected.values, **sized.values}, warning=expected.warning)
        collection = path_of(obj).rpartition("/")[0]
        return Call(f"create {what}", "POST", f"{collection}?{_DRY}&fieldValidation=Strict", orjson.dumps(sized.obj), expected)

    def _create_model(self) -> Call:
        return self._create("Model", bodies.model(self._name()), Expected(201, FILLED_MODEL))

    def _create_refused_model(self) -> Call:
        obj = bodies.model(self._name(), source="pvc://models")
        return self._create("Model, refused", obj, Expected(_REFUSED, words='"pvc://models" is incomplete'))

    def _create_service(self) -> Call:
        values: Values = {("spec", "priority"): "normal", ("spec", "runtime"): "llamacpp", ("spec", "modelRef"): "m"}
        return self._create("InferenceService", bodies.service(self._name()), Expected(201, values, warning="LLMKUBE-069"))

    def _create_refused_service(self) -> Call:
        obj = bodies.service(self._name(), vllmConfig={"tensorParallelSize": 4})
        return self._create("InferenceService, refused", obj, Expected(_REFUSED, words="exceeds the 1 GPU(s) this pod requests"))

    def _create_inference_model(self) -> Call:
        values: Values = {("spec", "poolRef", "kind"): "InferencePool", ("spec", "modelName"): self._name()}
        return self._create("InferenceModel", bodies.inference_model(self._name(), self._name()), Expected(201, values))

    def _create_refused_inference_model(self) -> Call:
        obj = bodies.inference_model(self._name(), "stored")
        return self._create("InferenceModel, refused", obj, Expected(_REFUSED, words='"stored"'))

    def _patch_model(self) -> Call:
        patch = {"spec": {"hardware": {"gpu": {"count": 2}}}, "metadata": {"labels": {"soak": self._name()}}}
        values: Values = {**FILLED_MODEL, ("spec", "hardware", "gpu", "count"): 2, ("metadata", "labels", "soak"): self._name()}
        path = f"{path_of(bodies.model('m'))}?{_DRY}"
        return Call("patch Model", "PATCH", path, orjson.dumps(patch), Expected(200, values), MERGE_PATCH)

    def _put_model(self) -> Call:
        sized = bodies.annotated(bodies.model("m"), bodies.size(self._random))
        sized.obj["metadata"]["resourceVersion"] = self._versions["Model"]
        expected = Expected(200, {**FILLED_MODEL, **sized.values})
        return Call("update Model", "PUT", f"{path_of(sized.obj)}?{_DRY}", orjson.dumps(sized.obj), expected)

    def _apply_model(self) -> Call:
        sized = bodies.annotated(bodies.model("m", quantization="Q5_K_M"), bodies.size(self._random))
        values: Values = {**FILLED_MODEL, **sized.values, ("spec", "quantization"): "Q5_K_M"}
        path = f"{path_of(sized.obj)}?{_DRY}&fieldManager=soak&force=true"
        return Call("apply Model", "PATCH", path, orjson.dumps(sized.obj), Expected(200, values), APPLY_PATCH)

    def _patch_service_to_be_refused(self) -> Call:
        patch = {"spec": {"vllmConfig": {"tensorParallelSize": 4}}}
        expected = Expected(_REFUSED, words="exceeds the 1 GPU(s) this pod requests")
        path = f"{path_of(bodies.service('s'))}?{_DRY}"
        return Call("patch InferenceService, refused", "PATCH", path, orjson.dumps(patch), expected, MERGE_PATCH)

    def _scale(self) -> Call:
        path = f"{path_of(bodies.service('s'))}/scale?{_DRY}"
        replicas = self._random.randint(2, 6)
        expected = Expected(200, {("spec", "replicas"): replicas})
        return Call("scale", "PATCH", path, orjson.dumps({"spec": {"replicas": replicas}}), expected, MERGE_PATCH)

    def _really(self) -> Call:
        """Create a Model, or change or delete one that was created."""
        if self._to_delete:
            path = path_of(bodies.model(self._to_delete.popleft()))
            return Call("really delete", "DELETE", path, b"", Expected(200))
        if self._to_change:
            name = self._to_change.popleft()
            patch = orjson.dumps({"spec": {"quantization": "Q8_0"}})
            expected = Expected(200, {**FILLED_MODEL, ("spec", "quantization"): "Q8_0"})
            path = path_of(bodies.model(name))
            return Call("really change", "PATCH", path, patch, expected, MERGE_PATCH, lambda: self._to_delete.append(name))
        obj = bodies.model(self._name())
        collection = path_of(obj).rpartition("/")[0]
        return Call(
            "really create",
            "POST",
            collection,
            orjson.dumps(obj),
            Expected(201, FILLED_MODEL),
            done=lambda: self._to_change.append(obj["metadata"]["name"]),
        )


def path_of(obj: JSONObject) -> str:
    """The API path of an object."""
    return f"/apis/{obj['apiVersion']}/namespaces/{NAMESPACE}/{_PLURALS[obj['kind']]}/{obj['metadata']['name']}"
