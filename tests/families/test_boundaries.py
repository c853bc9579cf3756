"""The boundaries of rules: the last value without a finding, and the first with one.

The finding is in `tests/families/words`.
"""

from __future__ import annotations

import pytest

from tests.families.examples import example_facts, example_request
from tests.families.test_catalogue import RULES
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Finding

BY_ID = {rule.id: (family, rule) for family, rule in RULES}
_OLD = "apiVersion: aim.silogen.ai/v1alpha1\n"
_NEW = "apiVersion: aim.eai.amd.com/v1alpha1\n"
_AIM = "spec: {model: {name: llama}}"
_GPU = "hardware: {{gpu: {{model: {}}}}}"
_OME = "spec: {model: {name: llama}, engine: {}}"
_LLMAZ = "spec: {modelClaim: {modelName: opt}}"
_SERVICE = "modelClaims: {models: [{name: opt}]}\n"
_WORKER = 'workerTemplate: {spec: {containers: [{name: model-runner, image: "engine:v1"}]}}'
_AT_LEAST = (
    'model: {{name: llama}}\nacceleratorSelector: {{policy: FirstAvailable, constraints: {{minArchitectureVersion: "{}"}}}}\nengine: {{}}'
)
_FORMATS = "supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]\n"
_RUNNER = 'name: ome-container, image: "sglang:1"'
_CLASS = "discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}\n"
_BENCHMARK = (
    'endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}\ntask: text-to-text\n'
    'outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}\nmaxTimePerIteration: 15\nmaxRequestsPerIteration: 100\n'
)


def _named(name: str, spec: str, namespace: str = "default") -> str:
    return f"metadata: {{name: {name}, namespace: {namespace}}}\n{spec}"


def _rolled(update: str) -> str:
    template = f"workloadTemplate: {{size: 1, {_WORKER}}}"
    return f"{_SERVICE}replicas: 2\n{template}\nrolloutStrategy: {{rollingUpdateConfiguration: {{{update}}}}}"


def _two(first: str, second: str, custom: str = "") -> str:
    return f'image: "ghcr.io/acme/x:1.0"\ncustom: {{{custom}}}\ncustomTemplates: [{{{first}}}, {{{second}}}]'


def _with_minimum(template: str) -> str:
    hardware = "{gpu: {requests: 1, minVram: 80Gi}}"
    return f'image: "ghcr.io/acme/x:1.0"\ncustom: {{hardware: {hardware}}}\ncustomTemplates: [{{{template}}}]'


def _scaled_to(percent: str) -> str:
    annotations = f'ome.io/autoscalerClass: hpa, ome.io/targetUtilizationPercentage: "{percent}"'
    return f"metadata: {{annotations: {{{annotations}}}}}\n{_OME}"


#: The rule, the object without a finding, and the object with one.
BOUNDARIES = [
    (
        "AIM-052",
        _with_minimum("hardware: {gpu: {requests: 1}}"),
        _with_minimum("hardware: {gpu: {requests: 1, model: MI300X}}"),
    ),
    (
        "AIM-055",
        _two("profile: {precision: fp8}", "profile: {precision: fp16}"),
        _two("profile: {precision: fp8}", "profile: {precision: fp8}"),
    ),
    ("AIM-055", _two("type: optimized", "type: preview"), _two("type: optimized", "type: optimized")),
    ("AIM-055", _two("type: preview", "", "type: optimized"), _two("type: optimized", "", "type: optimized")),
    ("AIM-055", _two(_GPU.format("MI300X"), _GPU.format("MI325X")), _two(_GPU.format("MI300X"), _GPU.format('" mi300x"'))),
    ("AIM-055", _two(_GPU.format("MI300X"), "", _GPU.format("MI325X")), _two(_GPU.format("MI300X"), "", _GPU.format("MI300X"))),
    ("LLMAZ-063", _rolled("maxUnavailable: 0, maxSurge: 1"), _rolled("maxUnavailable: 0, maxSurge: 0")),
    ("LLMAZ-063", _rolled("maxUnavailable: 100%"), _rolled("maxUnavailable: 101%")),
    ("LLMAZ-063", _rolled("maxUnavailable: 50%, maxSurge: 0"), _rolled("maxUnavailable: 49%, maxSurge: 0")),
    ("LLMAZ-063", _rolled("maxUnavailable: 0, maxSurge: 1%"), _rolled("maxUnavailable: 0, maxSurge: -1")),
    ("AIM-008", "model: {name: llama}\nreplicas: 1", "model: {name: llama}\nreplicas: 0"),
    ("AIM-008", "model: {name: llama}\nminReplicas: 2\nmaxReplicas: 2", "model: {name: llama}\nminReplicas: 3\nmaxReplicas: 2"),
    ("AIM-018", _named("s", _AIM, "n" * 42), _named("s", _AIM, "n" * 43)),
    ("AIM-027", f"{_OLD}spec: {{storage: {{size: 1Gi}}}}", f"{_OLD}spec: {{storage: {{size: 1073741823}}}}"),
    ("AIM-029", _named("n" * 36, _AIM), _named("n" * 37, _AIM)),
    ("AIM-036", "storage: {pvcHeadroomPercent: 100}", "storage: {pvcHeadroomPercent: 101}"),
    (
        "AIM-046",
        "modelName: l\nhardware: {gpu: {requests: 1, model: MI300X}}",
        "modelName: l\nhardware: {gpu: {requests: 0, model: MI300X}}",
    ),
    ("AIM-063", "filters: [{image: acme/x}]\nsyncInterval: 15m", "filters: [{image: acme/x}]\nsyncInterval: 14m59.999999999s"),
    ("AIM-063", "filters: [{image: acme/x}]\nsyncInterval: 0s", "filters: [{image: acme/x}]\nsyncInterval: 1ns"),
    ("OME-006", f"{_FORMATS}modelSizeRange: {{min: 9B, max: 9B}}", f"{_FORMATS}modelSizeRange: {{min: 9.1B, max: 9B}}"),
    ("OME-020", f"{_FORMATS}workers: {{size: 1}}", f"{_FORMATS}workers: {{size: 0}}"),
    ("OME-026", f"{_CLASS}capabilities: {{memoryGB: 1Gi}}", f"{_CLASS}capabilities: {{memoryGB: 1073741823}}"),
    (
        "OME-030",
        _named("m" * 63, 'spec: {storage: {storageUri: "hf://a/b", path: /m}}'),
        _named("m" * 64, 'spec: {storage: {storageUri: "hf://a/b", path: /m}}'),
    ),
    ("OME-047", _named("s" * 63, _OME), _named("s" * 64, _OME)),
    ("OME-049", _scaled_to("1"), _scaled_to("0")),
    ("OME-049", _scaled_to("100"), _scaled_to("101")),
    ("OME-061", _AT_LEAST.format("10.0"), _AT_LEAST.format("10.00")),
    (
        "OME-065",
        f'{_FORMATS}engineConfig: {{runner: {{{_RUNNER}, args: [--tp-size, "2"], resources: {{limits: {{nvidia.com/gpu: 2}}}}}}}}',
        f'{_FORMATS}engineConfig: {{runner: {{{_RUNNER}, args: [--tp-size, "3"], resources: {{limits: {{nvidia.com/gpu: 2}}}}}}}}',
    ),
    ("OME-111", f"{_BENCHMARK}numConcurrency: [1]", f"{_BENCHMARK}numConcurrency: [0]"),
    (
        "OME-149",
        "model: {name: llama}\nengine: {minReplicas: 2, maxReplicas: 2}",
        "model: {name: llama}\nengine: {minReplicas: 3, maxReplicas: 2}",
    ),
    ("OME-150", "model: {name: llama}\nengine: {canaryTrafficPercent: 0}", "model: {name: llama}\nengine: {canaryTrafficPercent: -1}"),
    ("OME-150", "model: {name: llama}\nengine: {canaryTrafficPercent: 100}", "model: {name: llama}\nengine: {canaryTrafficPercent: 101}"),
    ("OME-152", "model: {name: llama}\nengine: {scaleTarget: 1}", "model: {name: llama}\nengine: {scaleTarget: 0}"),
    ("OME-154", "model: {name: llama, fineTunedWeights: [a]}\nengine: {}", "model: {name: llama, fineTunedWeights: [a, b]}\nengine: {}"),
    (
        "LLMAZ-032",
        "modelClaim: {modelName: opt}\nelasticConfig: {minReplicas: 1, maxReplicas: 2, scaleTrigger: {hpa: {}}}",
        "modelClaim: {modelName: opt}\nelasticConfig: {minReplicas: 2, maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    ),
    (
        "LLMAZ-032",
        "modelClaim: {modelName: opt}\nelasticConfig: {minReplicas: 1, maxReplicas: 2, scaleTrigger: {hpa: {}}}",
        "modelClaim: {modelName: opt}\nelasticConfig: {minReplicas: 0, maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    ),
    ("LLMAZ-037", _named("p" * 60, _LLMAZ), _named("p" * 61, _LLMAZ)),
    ("LLMAZ-037", _named("p" * 64, _LLMAZ), _named("p" * 63, _LLMAZ)),
    (
        "LLMAZ-061",
        f"{_SERVICE}workloadTemplate: {{size: 2, leaderTemplate: {{}}, {_WORKER}}}",
        f"{_SERVICE}workloadTemplate: {{size: 1, leaderTemplate: {{}}, {_WORKER}}}",
    ),
    (
        "LLMAZ-063",
        f"{_SERVICE}replicas: 2147483647\nworkloadTemplate: {{size: 1, {_WORKER}}}",
        f"{_SERVICE}replicas: 1073741824\nworkloadTemplate: {{size: 2, {_WORKER}}}",
    ),
    ("LLMAZ-063", f"{_SERVICE}workloadTemplate: {{size: 1, {_WORKER}}}", f"{_SERVICE}workloadTemplate: {{size: 0, {_WORKER}}}"),
    ("LLMAZ-065", _named("p" * 52, _LLMAZ), _named("p" * 53, _LLMAZ)),
    ("LLMAZ-065", _named("p" * 61, _LLMAZ), _named("p" * 60, _LLMAZ)),
]


def spoken(family: Family, rule: Rule, text: str) -> list[Finding]:
    """The findings of a rule on an object."""
    said = rule.check(example_request(family, rule, text), example_facts(rule), DEFAULT)
    return [found for found in said if isinstance(found, Finding)]


@pytest.mark.parametrize(("rule", "passes", "fails"), BOUNDARIES, ids=[f"{rule}-{number}" for number, (rule, *_) in enumerate(BOUNDARIES)])
def test_a_rule_speaks_from_its_boundary_on(rule: str, passes: str, fails: str) -> None:
    assert spoken(*BY_ID[rule], passes) == []
    assert spoken(*BY_ID[rule], fails)
