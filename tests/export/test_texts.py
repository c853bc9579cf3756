"""Expressions that read texts have the findings of their rules on texts that no case has: random texts from the pieces that matter."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from tests.export.comparison import findings_of, is_discreet, told_of
from tests.export.parts import exported, facts
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import JSONObject

#: Texts for each rule.
COUNT: Final = 60
_GPUS: Final = ["A", "M", "MI300X", "mi", "H100", "_", " ", "-", "Tesla", "RTX", "NVIDIA", "instinct", "L40S", "3", ":", "V100"]
_FILTER: Final = ["a", "A", "*", ":", "/", "@", "é", "É", " ", "docker.io", "."]
_WEIGHTS: Final = ["Q4_K_M", "q8_0", "Q2_K", "_", "-", "UD-", "F16", "a", "B", "/", ".", "3"]

Draw = Callable[["Texts"], JSONObject]


class Texts:
    """Draws texts."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def of(self, *pieces: str, most: int = 8) -> str:
        """A text of some of these pieces."""
        return "".join(self._random.choice(pieces) for _ in range(self._random.randint(1, most)))

    def one(self, *values: object) -> object:
        """One of these values."""
        return self._random.choice(values)


def _aim(kind: str, old: bool = False, **spec: Any) -> JSONObject:
    group = "aim.silogen.ai" if old else "aim.eai.amd.com"
    return {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": {"name": "drawn"}, "spec": spec}


def _source(old: bool = False, **spec: Any) -> JSONObject:
    found = _aim("AIMClusterModelSource", old)
    return {**found, "spec": {"filters": [{"image": "acme/llama"}], **spec}}


def _config(**spec: Any) -> JSONObject:
    return _aim("AIMClusterRuntimeConfig", **spec)


def _template(model: str, resource: object, precision: object) -> JSONObject:
    gpu = {"count": 1, "model": model, "resourceName": resource}
    return _aim("AIMClusterServiceTemplate", old=True, modelName="llama", precision=precision, gpuSelector=gpu)


def _llmkube(kind: str, **spec: Any) -> JSONObject:
    metadata = {"name": "drawn", "namespace": "default"}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def _model(**gpu: Any) -> JSONObject:
    return _llmkube("Model", source="https://example.com/a.gguf", hardware={"gpu": gpu})


def _quota(text: Texts) -> JSONObject:
    key, value = (text.of("a", "A", "/", ".", "-", "_", "b" * 60, "é", "") for _ in range(2))
    values = [text.of("a", "-", "b" * 60)] * len(str(text.one("", "a")))
    wanted = {"key": key, "operator": text.one("In", "NotIn", "Exists", "in"), "values": values}
    return _llmkube("GPUQuota", gpuCount=1, selector={"matchLabels": {value: key}, "matchExpressions": [wanted]})


DRAWN: Final[dict[str, Draw]] = {
    "AIM-007": lambda text: _config(routing={"pathTemplate": text.of("{", "}", "{a}", "/", "\n", ".status")}),
    "AIM-022": lambda text: _aim(
        "AIMClusterModel", image=text.of("a", "A", "-", ".", "_", "__", "/", ":", "1", f"@sha256:{'a' * 32}", "ghcr.io", " ")
    ),
    "AIM-032": lambda text: _config(labelPropagation={"match": [text.of(*"[]^-\\a*?b/", most=12)]}),
    "AIM-036": lambda text: _config(pvcHeadroomPercent=text.one(100, 101, 105, 110, 150, 199, 200, 201, 305, 999, 2**31, 2**62)),
    "AIM-042": lambda text: _template(text.of(*_GPUS, most=4), text.one("nvidia.com/gpu", "amd.com/gpu"), "fp16"),
    "AIM-044": lambda text: _aim("AIMArtifact", sourceUri="hf://a/b", size=text.one("-1Gi", 0, "0", "1Gi", "-0", -5, "1e-3", "1e1.5")),
    "AIM-045": lambda text: _aim("AIMArtifact", sourceUri=f"{text.one('hf', 's3')}://{text.of('a', '/', '//', 'b', '://', most=5)}"),
    "AIM-053": lambda text: _template(text.of(*_GPUS, most=4), "amd.com/gpu", text.one("fp4", "fp8", "bf16")),
    "AIM-060": lambda text: _source(versions=[text.of(*"><=! 12.x*|-+a", "||", "1.0", "1.2.3", ">= ", "> =")]),
    "AIM-061": lambda text: _source(filters=[{"image": text.of(*_FILTER)}]),
    "AIM-062": lambda text: _source(filters=[{"image": text.of(*_FILTER), "versions": ["1.0"]}]),
    "AIM-063": lambda text: _source(syncInterval=text.of("1", "0", "5", ".", "ms", "s", "m", "h", "-", "+", most=5)),
    "AIM-065": lambda text: _source(registry=text.of("a", "A", ".", "-", ":", "1", "[", "]", "::", "/", "//", "localhost", " ")),
    "AIM-066": lambda text: _source(filters=[{"image": text.of(*_FILTER), "exclude": ["acme/old"]}]),
    "AIM-067": lambda text: _source(old=True, registry=text.one("", "docker.io", "ghcr.io"), filters=[{"image": text.of(*_FILTER)}]),
    "AIM-071": lambda text: _config(
        env=[
            {
                "name": text.of("A_", "TOKEN", "API", "_KEY", "token", "X", most=3),
                "value": text.of("hf", "_", "-", "---", "a" * 16, "b" * 13, "sk-", "ghp_", "$(A)", "http://", "1.5", "x" * 8, "\n", most=4),
            }
        ]
    ),
    "AIM-075": lambda text: _aim(
        "AIMClusterServiceTemplate",
        modelName="llama",
        hardware={"gpu": {"requests": text.one(0, 1, 2)}},
        resources={side: {"amd.com/gpu": text.one("1", 1, 2, "2000m", "1e", "x")} for side in ("requests", "limits") if text.one(0, 1)},
    ),
    "AIM-080": lambda text: _config(routing={"pathTemplate": text.of("{", "}", "{.status}", "{ .status.x }", "/", "{.spec}")}),
    "LLMKUBE-006": lambda text: _model(
        resourceName=f"{text.of('a', '-', '.', 'requests', 'b' * 60, most=4)}/{text.of('a', '-', '.', '_', 'b' * 60, most=4)}"
    ),
    "LLMKUBE-011": lambda text: _model(count=2, sharding={"layerSplit": [text.of("0-1", "2", " ", "-", "x", "3-05", most=2), "0-15"]}),
    "LLMKUBE-012": lambda text: _model(memory=text.of("0", "1", "-", "Gi", "G", ".", "e", "m", " ", "B", most=5)),
    "LLMKUBE-030": lambda text: _llmkube(
        "Model",
        source=f"https://example.com/{text.of(*_WEIGHTS, most=4)}-00001-of-00002.gguf",
        quantization=text.of(*_WEIGHTS, most=2),
    ),
    "LLMKUBE-037": lambda text: _llmkube(
        "Model", source="hf://acme/llama", files=[text.of("a", ".gguf", ".pt", ".bin", "/", "..", "*", "[", most=4)] * 2, mmproj="b.pt"
    ),
    "LLMKUBE-104": lambda text: _llmkube(
        "ModelRouter", backends=[{"name": "a"}], defaultRoute=text.of("a", '"', "\\", "\t", "é", "'", most=3)
    ),
    "LLMKUBE-121": _quota,
}


@pytest.mark.parametrize("rule", DRAWN)
def test_a_text_is_read_alike(rule: str) -> None:
    policies, text = facts(*exported(DEFAULT, rule).objects), Texts(1)
    spoken = 0
    for _ in range(COUNT):
        obj = DRAWN[rule](text)
        mine = findings_of(obj, None, {rule}).get(rule, set())
        told = told_of(obj, None, policies).get(rule, set())
        # A message with a line break is none to the API server, and one with a credential is none in the export.
        is_same = told <= mine if not any("\n" in said[1] or is_discreet(said) for said in mine) else bool(told)
        assert (bool(told), is_same) == (bool(mine), True), f"{obj}: {mine} {told}"
        spoken += bool(mine)
    assert 0 < spoken < COUNT
