"""The messages about a service or a benchmark at which OME stops, and what can't be known if not all of the cluster is."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.ome.records import DEFINITIONS, KINDS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.ome.family import FAMILY
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.failures import failure_of, refusal_of
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.ground.objects import JSONObject

_OBJECTS: dict[str, str] = {
    "model": 'kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {modelFormat: {name: st}, storage: {path: /m, storageUri: "hf://a"}}',
    "own model": "kind: BaseModel\nmetadata: {name: llama, namespace: shop}\nspec: {modelFormat: {name: st}}",
    "no format": "kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {}",
    "skipped": ('kind: ClusterBaseModel\nmetadata: {name: llama, annotations: {ome.oracle.com/skip-config-parsing: "True"}}\nspec: {}'),
    "on a claim": 'kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {storage: {storageUri: "pvc://shop:claim/m"}}',
    "of a vendor": (
        'kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {modelFormat: {name: st}, storage: {storageUri: "vendor://a/b/c"}}'
    ),
    "versioned": (
        "kind: ClusterServingRuntime\nmetadata: {name: versioned}\nspec: "
        '{supportedModelFormats: [{modelFormat: {name: st, version: "1.0.0"}, autoSelect: true}]}'
    ),
    "exact": (
        "kind: ClusterServingRuntime\nmetadata: {name: exact}\nspec: "
        "{supportedModelFormats: [{modelFormat: {name: st}, modelArchitecture: Qwen3, autoSelect: true}]}"
    ),
    "disabled": "kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {modelFormat: {name: st}, disabled: true}",
    "runtime": (
        "kind: ClusterServingRuntime\nmetadata: {name: srt}\nspec: "
        "{supportedModelFormats: [{modelFormat: {name: st}, autoSelect: true}], acceleratorRequirements: {acceleratorClasses: [a, b]}}"
    ),
    "half": (
        "kind: ServingRuntime\nmetadata: {name: half, namespace: shop}\n"
        "spec: {supportedModelFormats: [{modelFormat: {name: st}, autoSelect: true}], modelSizeRange: {min: 1B}}"
    ),
    "half of all": (
        "kind: ClusterServingRuntime\nmetadata: {name: open}\n"
        "spec: {supportedModelFormats: [{modelFormat: {name: st}, autoSelect: true}], modelSizeRange: {max: 9B}}"
    ),
    "sized": "kind: ClusterBaseModel\nmetadata: {name: llama}\nspec: {modelFormat: {name: st}, modelParameterSize: 8B}",
    "other": "kind: ClusterServingRuntime\nmetadata: {name: other}\nspec: {supportedModelFormats: [{modelFormat: {name: onnx}}]}",
    "a": "kind: AcceleratorClass\nmetadata: {name: a}\nspec: {}",
    "b": "kind: AcceleratorClass\nmetadata: {name: b}\nspec: {}",
    "weight": "kind: FineTunedWeight\nmetadata: {name: llama}\nspec: {baseModelRef: {name: base, namespace: shop}}",
    "service": (
        "kind: InferenceService\nmetadata: {name: chat, namespace: shop}\nspec: {model: {name: llama}, engine: {}}\n"
        'status: {url: "http://chat", conditions: [{type: Ready, status: "True"}]}'
    ),
}


def _object(text: str) -> JSONObject:
    return {"apiVersion": f"{GROUP}/v1beta1", **yaml.safe_load(text)}


def cluster(held: str, *, whole: bool = True) -> Facts:
    facts = from_objects([_object(_OBJECTS[name]) for name in held.split(", ") if name], DEFINITIONS)
    if whole:
        facts.objects.complete(besides=[(GROUP, kind) for kind in KINDS])
    return facts


def service(spec: str) -> JSONObject:
    return {**_object("kind: InferenceService\nmetadata: {name: chat, namespace: shop}"), "spec": yaml.safe_load(spec)}


def served(spec: str, facts: Facts) -> Service:
    found = service_of(request_for(service(spec)), facts, DEFAULT)
    assert found is not None
    return found


_PLAIN = "{model: {name: llama}, engine: {}}"
_NAMED = "{model: {name: llama}, runtime: {name: RUNTIME}, engine: {}}"
_MISSING = "model llama exists neither in namespace shop nor in the cluster"
_NO_FORMAT = "ClusterBaseModel llama has no modelFormat"
_LACKS_FORMAT = "the model has no modelFormat, the runtime wants st"


@pytest.mark.parametrize(
    ("spec", "held", "refusal", "failure"),
    [
        (_PLAIN, "model, runtime", "", ""),
        (_PLAIN, "runtime", _MISSING, _MISSING),
        ("{engine: {}}", "", *["it names neither a model nor a runtime, and its engine has no runner with an image"] * 2),
        ("{engine: {runner: {image: x}}}", "", "", "it names no model, and OME's controller creates nothing without one"),
        ("{model: {}}", "", "", "it names no model, and OME's controller creates nothing without one"),
        (_PLAIN, "disabled, runtime", *["ClusterBaseModel llama is disabled"] * 2),
        ("{model: {name: llama}}", "disabled, runtime", "", "ClusterBaseModel llama is disabled"),
        (_PLAIN, "no format, runtime", *[f"{_NO_FORMAT} yet, by which a runtime is selected"] * 2),
        (_PLAIN, "model, other", *["no runtime can be selected for ClusterBaseModel llama"] * 2),
        (_PLAIN, "sized, half, runtime", *["OME panics on ServingRuntime half: the modelSizeRange has one bound only"] * 2),
        (
            _PLAIN,
            "sized, half, half of all",
            *["OME panics on ServingRuntime half, ClusterServingRuntime open: the modelSizeRange has one bound only"] * 2,
        ),
        (
            _NAMED.replace("RUNTIME", "none"),
            "model, runtime",
            "",
            "runtime none is neither in namespace shop nor in the cluster",
        ),
        (
            _NAMED.replace("RUNTIME", "other"),
            "model, other",
            "",
            "ClusterServingRuntime other can't serve ClusterBaseModel llama: the model has modelFormat st, the runtime onnx",
        ),
        (_NAMED.replace("RUNTIME", "srt"), "no format, runtime", "", ""),
        (
            _NAMED.replace("RUNTIME", "srt"),
            "skipped, runtime",
            "",
            f"ClusterServingRuntime srt can't serve ClusterBaseModel llama: {_LACKS_FORMAT}",
        ),
        (_PLAIN, "skipped, runtime", *["no runtime can be selected for ClusterBaseModel llama"] * 2),
        (_PLAIN, "model, exact", *["ClusterBaseModel llama has no modelArchitecture yet, by which a runtime is selected"] * 2),
        (_NAMED.replace("RUNTIME", "srt"), "model, runtime", "", ""),
        (
            "{model: {name: llama, kind: BaseModel}, engine: {}}",
            "model, runtime",
            "",
            "BaseModel llama doesn't exist, which spec.model.kind names",
        ),
        (_PLAIN, "own model, runtime", "", "ClusterBaseModel llama doesn't exist, which spec.model.kind names"),
        (
            "{model: {name: llama, kind: FineTunedWeight}, engine: {}}",
            "model, runtime",
            "",
            "FineTunedWeight llama doesn't exist, which spec.model.kind names",
        ),
        (
            "{model: {name: llama, kind: FineTunedWeight}, engine: {}}",
            "model, runtime, weight",
            "",
            "BaseModel base doesn't exist, which spec.model.kind names",
        ),
        (
            "{model: {name: llama}, acceleratorSelector: {policy: BestFit}, engine: {}}",
            "model, runtime, a, b",
            "",
            "OME's controller panics on policy BestFit without constraints",
        ),
        ("{model: {name: llama}, acceleratorSelector: {policy: BestFit, constraints: {}}, engine: {}}", "model, runtime, a, b", "", ""),
        (
            "{model: {name: llama}, acceleratorSelector: {acceleratorClass: b}, engine: {}}",
            "model, runtime, a",
            "",
            "AcceleratorClass b doesn't exist",
        ),
    ],
)
def test_a_service_ends_where_ome_ends_it(spec: str, held: str, refusal: str, failure: str) -> None:
    found = served(spec, cluster(held))
    assert (refusal_of(found), failure_of(found)) == (refusal, failure)
    virtual = service(spec)
    virtual["metadata"]["annotations"] = {"ome.io/deploymentMode": "VirtualDeployment"}
    made_of_nothing = service_of(request_for(virtual), cluster(held), DEFAULT)
    assert made_of_nothing is not None
    assert failure_of(made_of_nothing) == refusal


@pytest.mark.parametrize(
    ("spec", "held", "reasons"),
    [
        (_PLAIN, "", ["not all BaseModels of the cluster are known", "not all ServingRuntimes of the cluster are known"]),
        (_PLAIN, "own model", ["not all ServingRuntimes of the cluster are known"]),
        (_NAMED.replace("RUNTIME", "srt"), "own model", ["not all ServingRuntimes of the cluster are known"]),
        (_NAMED.replace("RUNTIME", "srt"), "model, runtime, own model", []),
        (
            "{model: {name: llama}, runtime: {name: srt}, acceleratorSelector: {acceleratorClass: b}, engine: {}}",
            "model, runtime, own model",
            ["not all AcceleratorClasses of the cluster are known"],
        ),
        (
            "{model: {name: llama}, runtime: {name: srt}, acceleratorSelector: {policy: Cheapest}, engine: {}}",
            "model, runtime, own model",
            ["not all AcceleratorClasses of the cluster are known"],
        ),
    ],
)
def test_what_decides_and_isn_t_known_is_said(spec: str, held: str, reasons: list[str]) -> None:
    found = FAMILY.predict["InferenceService"](request_for(service(spec)), cluster(held, whole=False), DEFAULT)
    assert found is not None
    assert [(one.subject, one.reason) for one in found.unchecked] == [("what OME does with it", reason) for reason in reasons]


def _benchmark(endpoint: Any, uri: str = "oci://n/ns/b/bucket/o/results") -> JSONObject:
    spec = {"endpoint": endpoint, "task": "text-to-text", "outputLocation": {"storageUri": uri}}
    return {**_object("kind: BenchmarkJob\nmetadata: {name: bench, namespace: shop}"), "spec": spec}


_CHAT = {"inferenceService": {"name": "chat", "namespace": "shop"}}
_ADDRESS = {"endpoint": {"url": "http://chat", "apiFormat": "openai"}}


@pytest.mark.parametrize(
    ("job", "held", "failure"),
    [
        (_benchmark(_CHAT), "service, model", ""),
        (_benchmark(_CHAT), "model", "InferenceService shop/chat doesn't exist"),
        (_benchmark(_CHAT), "service", "model llama of InferenceService shop/chat doesn't exist"),
        (_benchmark(_CHAT), "service, own model", "model llama names no storage.path"),
        (_benchmark(_ADDRESS), "", ""),
        (_benchmark(_ADDRESS, "hf://a"), "", "results can't be written to hf://"),
        (_benchmark(_ADDRESS, "gs://"), "", "the results' storageUri can't be read: it must read gs://BUCKET/OBJECT"),
    ],
)
def test_a_benchmark_ends_where_ome_ends_it(job: JSONObject, held: str, failure: str) -> None:
    found = FAMILY.predict["BenchmarkJob"](request_for(job), cluster(held), DEFAULT)
    assert found is not None
    assert (found.failure, bool(found.objects), list(found.unchecked)) == (failure, not failure, [])


@pytest.mark.parametrize(
    ("job", "held", "reasons"),
    [
        (_benchmark(_CHAT), "", ["the InferenceService isn't known"]),
        (_benchmark(_CHAT), "service", ["not all BaseModels of the cluster are known"]),
        (_benchmark(_ADDRESS, "gs://bucket/a"), "", []),
        (_benchmark(_ADDRESS, "pvc://claim/a"), "", ["not all PersistentVolumeClaims of the cluster are known"]),
        (_benchmark(_ADDRESS, "gs://"), "", []),
        (_benchmark(_ADDRESS, "hf://a"), "", []),
    ],
)
def test_what_isn_t_known_of_a_benchmark_is_said(job: JSONObject, held: str, reasons: list[str]) -> None:
    found = FAMILY.predict["BenchmarkJob"](request_for(job), cluster(held, whole=False), DEFAULT)
    assert found is not None
    assert [one.reason for one in found.unchecked] == reasons
