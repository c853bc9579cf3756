"""Small services and Models, and the functions that launch them."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines import Launch, launch
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage
from weighbridge.policies.families.llmkube.subject.gpu import pod_gpus
from weighbridge.policies.ground.objects import JSONObject

NEWEST = KnownOperator()
SEED = KnownOperator(version=(0, 9, 5))
#: The object with the values of a launch.
CONTAINER = "spec.template.spec.containers[0]"
STORED = Storage(model_path="/models/k/m.gguf")
NOT_STORED = Storage()


def model(gpu: JSONObject | None = None, **spec: Any) -> JSONObject:
    """A Model named ``m`` with a GPU block."""
    hardware = {"hardware": {"gpu": gpu}} if gpu is not None else {}
    return {"kind": "Model", "metadata": {"name": "m"}, "spec": {"source": "https://models.example.com/m.gguf", **hardware, **spec}}


def service(runtime: str = "llamacpp", **spec: Any) -> JSONObject:
    """An InferenceService named ``svc`` of the Model ``m``."""
    return {"kind": "InferenceService", "metadata": {"name": "svc"}, "spec": {"modelRef": "m", "runtime": runtime, **spec}}


def launched(of: JSONObject, on: JSONObject | None = None, operator: KnownOperator = NEWEST, stored: Storage = STORED) -> Launch:
    """The launch of a service, with a Model without GPUs unless one is given."""
    used = on or model()
    return launch(used, of, operator, pod_gpus(used, of, operator), stored)


def args(of: JSONObject, on: JSONObject | None = None, operator: KnownOperator = NEWEST, stored: Storage = STORED) -> list[str]:
    """The arguments of a launch."""
    return list(launched(of, on, operator, stored).args)


def after(found: list[str], flag: str) -> str:
    """The word after a flag."""
    return found[found.index(flag) + 1]
