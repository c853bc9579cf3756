"""The rules that are timed: eight of typical shapes, and the shapes that occur in the CRDs of the families, each with data that passes.

`wrong` is data that fails, which the test of the hand-written functions needs. The texts of rules from CRDs are unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.programs.benchmarks import written_fields as fields
from tests.programs.benchmarks import written_lists as lists
from tests.programs.benchmarks.answers import Answer
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_TEXT: Final[JSONObject] = {"type": "string"}
_COUNT: Final[JSONObject] = {"type": "integer"}


def _object(**properties: JSONObject) -> JSONObject:
    return {"type": "object", "properties": properties}


def _list(items: JSONObject) -> JSONObject:
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True)
class TimedRule:
    """One rule, the schema node it belongs to, the values it is timed on, and the same rule written by hand."""

    name: str
    text: str
    schema: JSONObject
    value: JSONValue
    by_hand: Callable[[Any, Any, int], Answer]
    old: JSONValue = None
    wrong: tuple[tuple[JSONValue, JSONValue], ...] = ()


_SUB_OBJECT: Final = _object(
    name=_TEXT, image=_TEXT, replicas=_COUNT, ready={"type": "boolean"}, args=_list(_TEXT), limits=_object(cpu=_TEXT, memory=_TEXT)
)


def _sub_objects() -> JSONObject:
    return {
        f"worker{number}": {
            "name": f"worker-{number}",
            "image": f"ghcr.io/example/worker:{number}",
            "replicas": number,
            "ready": number % 2 == 0,
            "args": ["--port", "8080", f"--id={number}"],
            "limits": {"cpu": "2", "memory": f"{number}Gi"},
        }
        for number in range(20)
    }


def _weights(count: int, without: int = -1) -> JSONValue:
    return [{"name": f"m{number}", **({} if number == without else {"weight": number})} for number in range(count)]


_HARDWARE: Final = _object(gpu=_object(model=_TEXT), cpu=_TEXT)
_GROUPS: Final = [{"ports": [{"number": 8000 + group * 3 + port} for port in range(3)]} for group in range(100)]

TYPICAL: Final = (
    TimedRule(
        "has guard",
        "!(has(self.resourceName) && has(self.resourceClaims) && self.resourceClaims.size() > 0)",
        _object(resourceName=_TEXT, resourceClaims=_list(_object(name=_TEXT))),
        {"resourceName": "amd.com/gpu", "resourceClaims": []},
        fields.one_of_name_or_claims,
        wrong=(({"resourceName": "a", "resourceClaims": [{"name": "b"}]}, None), ({}, None), ({"resourceName": "a"}, None)),
    ),
    TimedRule(
        "self == oldSelf, 20 sub-objects",
        "self == oldSelf",
        {"type": "object", "additionalProperties": _SUB_OBJECT},
        _sub_objects(),
        lists.unchanged,
        old=_sub_objects(),
        wrong=((_sub_objects(), {**_sub_objects(), "worker3": {"name": "other"}}), ({}, {})),
    ),
    TimedRule(
        "all(has) or all(not has), 10 items",
        "self.all(model, has(model.weight)) || self.all(model, !has(model.weight))",
        _list(_object(name=_TEXT, weight=_COUNT)),
        _weights(10),
        lists.weights_for_all_or_none,
        wrong=((_weights(10, 4), None), (_weights(10, 0), None), (_weights(10, 9), None), ([], None), ([{"name": "a"}], None)),
    ),
    TimedRule(
        "nested all, 100 x 3",
        "self.groups.all(g, g.ports.all(p, p.number > 0 && p.number < 65536))",
        _object(groups=_list(_object(ports=_list(_object(number=_COUNT))))),
        {"groups": _GROUPS},
        lists.ports_in_range,
        wrong=(
            ({"groups": [*_GROUPS[:3], {"ports": [{"number": 70000}, {"number": 1}]}, *_GROUPS[:1]]}, None),
            ({"groups": [{"ports": [{"number": 0}]}]}, None),
            ({"groups": []}, None),
        ),
    ),
    TimedRule(
        "regex and size",
        "self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.name.size() <= 63",
        _object(name=_TEXT),
        {"name": "meta-llama-3-1-8b-instruct"},
        fields.label_and_length,
        wrong=(({"name": "Not-a-label"}, None), ({"name": "a" * 64}, None), ({"name": ""}, None), ({"name": "a\n"}, None)),
    ),
    TimedRule(
        "string operations and in",
        "self.image.startsWith('ghcr.io/') && self.image.contains(':') && self.tier in ['gold', 'silver', 'bronze']",
        _object(image=_TEXT, tier=_TEXT),
        {"image": "ghcr.io/example/server:v1.2.3", "tier": "silver"},
        fields.registry_and_tier,
        wrong=(
            ({"image": "docker.io/a", "tier": "gold"}, None),
            ({"image": "ghcr.io/a", "tier": "gold"}, None),
            ({"image": "ghcr.io/a:b", "tier": "tin"}, None),
        ),
    ),
    TimedRule(
        "arithmetic and ternary",
        "self.replicas * self.gpus <= (has(self.limit) ? self.limit : 64)",
        _object(replicas=_COUNT, gpus=_COUNT, limit=_COUNT),
        {"replicas": 4, "gpus": 8, "limit": 32},
        fields.gpus_in_limit,
        wrong=(({"replicas": 9, "gpus": 8}, None), ({"replicas": 2, "gpus": 8, "limit": 15}, None), ({"replicas": 1, "gpus": 1}, None)),
    ),
    TimedRule(
        "all/exists_one, 16 items",
        "self.all(p1, self.exists_one(p2, p1.number == p2.number))",
        _list(_object(number=_COUNT)),
        [{"number": 8000 + number} for number in range(16)],
        lists.port_numbers_unique,
        wrong=(([{"number": 1}, {"number": 2}, {"number": 1}], None), ([{"number": 1}, {"number": 1}], None), ([], None)),
    ),
)

_DRAFT: Final = _object(type=_TEXT, draftModelRef=_TEXT, draftModel=_TEXT)
_GPU_SHARING: Final = _object(mode=_TEXT, profile=_TEXT, memoryLimitGiB=_COUNT)
_STORAGE: Final = _object(size=_TEXT, accessModes=_list(_TEXT))
_CLAIM: Final = _object(name=_TEXT, resourceClaimName=_TEXT, resourceClaimTemplateName=_TEXT)
_MODEL_SPEC: Final = _object(
    modelSources=_list(_TEXT), custom=_object(hardware=_HARDWARE), customTemplates=_list(_object(hardware=_HARDWARE))
)
_TEMPLATES: Final = [{"hardware": {"cpu": "4"}} for _ in range(3)]
_SELECTION: Final = _object(name=_TEXT, image=_TEXT, custom=_object(base=_TEXT))

FROM_CRDS: Final = (
    TimedRule(
        "GPUQuota: either, not both",
        "has(self.selector) != has(self.namespaceRef)",
        _object(selector=_object(matchLabels=_object(team=_TEXT)), namespaceRef=_TEXT),
        {"namespaceRef": "serving"},
        fields.selector_xor_reference,
        wrong=(({}, None), ({"selector": {}, "namespaceRef": "a"}, None), ({"selector": {}}, None)),
    ),
    TimedRule(
        "modelCache: no claim if ephemeral",
        "!(has(self.persistence) && self.persistence == 'Ephemeral' && has(self.claimName))",
        _object(persistence=_TEXT, claimName=_TEXT),
        {"persistence": "Ephemeral"},
        fields.ephemeral_without_claim,
        wrong=(
            ({"persistence": "Ephemeral", "claimName": "a"}, None),
            ({}, None),
            ({"persistence": ""}, None),
            ({"persistence": "a"}, None),
        ),
    ),
    TimedRule(
        "gpuSharing: profile if partitioned",
        "!has(self.mode) || self.mode != 'partitioned' || (has(self.profile) && self.profile.size() > 0)",
        _GPU_SHARING,
        {"mode": "partitioned", "profile": "mig-1g.10gb"},
        fields.profile_of_partition,
        wrong=(({"mode": "partitioned"}, None), ({"mode": "partitioned", "profile": ""}, None), ({}, None), ({"mode": "x"}, None)),
    ),
    TimedRule(
        "gpuSharing: limit only if shared",
        "!has(self.memoryLimitGiB) || (has(self.mode) && self.mode == 'shared')",
        _GPU_SHARING,
        {"mode": "shared", "memoryLimitGiB": 8},
        fields.memory_limit_of_shared,
        wrong=(({"memoryLimitGiB": 8}, None), ({"memoryLimitGiB": 8, "mode": ""}, None), ({}, None)),
    ),
    TimedRule(
        "slo: threshold for latency",
        "self.indicator != 'latency' || has(self.latencyThreshold)",
        _object(indicator=_TEXT, latencyThreshold=_TEXT),
        {"indicator": "latency", "latencyThreshold": "500ms"},
        fields.latency_with_threshold,
        wrong=(({"indicator": "latency"}, None), ({"indicator": ""}, None), ({"indicator": "errors"}, None)),
    ),
    TimedRule(
        "slo: number in a range",
        "double(self) >= 50.0 && double(self) <= 99.999",
        _TEXT,
        "99.5",
        fields.percentage_in_range,
        wrong=(("49", None), ("100", None)),
    ),
    TimedRule(
        "speculation: weights by type",
        "!(self.type in ['draft','draft-simple','draft-eagle3','draft-dflash','draft-dspark']) || "
        "((has(self.draftModelRef) && self.draftModelRef.size() > 0) || (has(self.draftModel) && self.draftModel.size() > 0))",
        _DRAFT,
        {"type": "draft-simple", "draftModel": "draft.gguf"},
        fields.draft_types_have_weights,
        wrong=(({"type": "draft"}, None), ({"type": "draft", "draftModelRef": "", "draftModel": ""}, None), ({"type": "ngram"}, None)),
    ),
    TimedRule(
        "speculation: one source of weights",
        "!((has(self.draftModelRef) && self.draftModelRef.size() > 0) && (has(self.draftModel) && self.draftModel.size() > 0))",
        _DRAFT,
        {"type": "draft", "draftModelRef": "small"},
        fields.one_source_of_weights,
        wrong=(
            ({"type": "a", "draftModelRef": "a", "draftModel": "b"}, None),
            ({"type": "a"}, None),
            ({"type": "a", "draftModelRef": ""}, None),
        ),
    ),
    TimedRule(
        "resourceClaims: one name each",
        "self.size() == 0 || self.all(c, (has(c.resourceClaimName) && !has(c.resourceClaimTemplateName)) || "
        "(!has(c.resourceClaimName) && has(c.resourceClaimTemplateName)))",
        _list(_CLAIM),
        [{"name": "a", "resourceClaimName": "gpu-a"}, {"name": "b", "resourceClaimTemplateName": "gpus"}],
        lists.claims_name_one,
        wrong=(
            ([{"name": "a"}, {"name": "b"}], None),
            ([{"resourceClaimName": "a", "resourceClaimTemplateName": "b"}], None),
            ([], None),
        ),
    ),
    TimedRule(
        "storage: size once set",
        "!has(oldSelf.size) || !has(self.size) || self.size == oldSelf.size",
        _STORAGE,
        {"size": "100Gi"},
        lists.size_once_set,
        old={"size": "100Gi"},
        wrong=(({"size": "1Gi"}, {"size": "2Gi"}), ({}, {}), ({}, {"size": "1Gi"}), ({"size": ""}, {"size": "1Gi"})),
    ),
    TimedRule(
        "storage: access modes once set",
        "!has(oldSelf.accessModes) || self.accessModes == oldSelf.accessModes",
        _STORAGE,
        {"accessModes": ["ReadWriteMany", "ReadOnlyMany"]},
        lists.access_modes_once_set,
        old={"accessModes": ["ReadWriteMany", "ReadOnlyMany"]},
        wrong=(({"accessModes": []}, {"accessModes": ["a"]}), ({"accessModes": ["b"]}, {"accessModes": ["a"]}), ({}, {})),
    ),
    TimedRule(
        "AIM model: one of three",
        "(has(self.name) ? 1 : 0) + (has(self.image) ? 1 : 0) + (has(self.custom) ? 1 : 0) == 1",
        _SELECTION,
        {"image": "ghcr.io/example/model:1"},
        fields.one_of_three,
        wrong=(({}, None), ({"name": "a", "custom": {}}, None)),
    ),
    TimedRule(
        "AIM model: unchanged",
        "self == oldSelf",
        _SELECTION,
        {"name": "llama-3-8b", "custom": {"base": "a"}},
        lists.unchanged,
        old={"name": "llama-3-8b", "custom": {"base": "a"}},
        wrong=(({"name": "a"}, {"name": "b"}), ({}, {}), ({"name": "a"}, {"name": "a", "image": "b"})),
    ),
    TimedRule(
        "AIM artifact: text unchanged",
        "self == oldSelf",
        _TEXT,
        "hf://meta-llama/Llama-3.1-8B-Instruct",
        lists.unchanged_text,
        old="hf://meta-llama/Llama-3.1-8B-Instruct",
        wrong=(("a", "b"), ("", "b")),
    ),
    TimedRule(
        "AIM model: hardware for sources",
        "!has(self.modelSources) || size(self.modelSources) == 0 || (has(self.custom) && has(self.custom.hardware)) || "
        "!has(self.customTemplates) || size(self.customTemplates) == 0 || "
        "self.customTemplates.all(t, has(t.hardware) || (has(self.custom) && has(self.custom.hardware)))",
        _MODEL_SPEC,
        {"modelSources": ["hf://a"], "customTemplates": _TEMPLATES},
        lists.hardware_for_sources,
        wrong=(
            ({"modelSources": ["a"], "customTemplates": [*_TEMPLATES, {}, {}]}, None),
            ({"modelSources": ["a"], "customTemplates": [{}], "custom": {}}, None),
            ({"modelSources": ["a"], "customTemplates": []}, None),
            ({"modelSources": ["a"], "custom": {"hardware": {}}}, None),
            ({"modelSources": []}, None),
            ({"modelSources": ["a"]}, None),
            ({}, None),
        ),
    ),
    TimedRule(
        "AIM model: a source at least",
        "size(self.modelSources) >= 1",
        _object(modelSources=_list(_object(uri=_TEXT))),
        {"modelSources": [{"uri": "hf://a"}]},
        lists.at_least_one_source,
        wrong=(({"modelSources": []}, None),),
    ),
    TimedRule(
        "AIM hardware: gpu or cpu",
        "has(self.gpu) || has(self.cpu)",
        _HARDWARE,
        {"gpu": {"model": "MI300X"}},
        fields.gpu_or_cpu,
        wrong=(({}, None), ({"cpu": "4"}, None)),
    ),
    TimedRule(
        "AIM gpu: model or memory",
        "!(has(self.model) && size(self.model) > 0 && has(self.minVram))",
        _object(model=_TEXT, minVram=_TEXT),
        {"model": "MI300X"},
        fields.model_or_memory,
        wrong=(({"model": "a", "minVram": "1Gi"}, None), ({}, None), ({"model": ""}, None)),
    ),
    TimedRule(
        "InferencePool: port of a Service",
        "self.kind != 'Service' || has(self.port)",
        _object(kind=_TEXT, port=_object(number=_COUNT)),
        {"kind": "Service", "port": {"number": 9002}},
        fields.service_with_port,
        wrong=(({"kind": "Service"}, None), ({"kind": ""}, None), ({"kind": "Pod"}, None)),
    ),
)
