"""What the InferenceService of a service runs: environment, resources, node affinity, replicas.

Source: kaiwo dbca1b55, internal/controller/aim/shared/kserve.go; aim-engine v0.2.1, internal/aimservice/kserve.go.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, is_paused
from weighbridge.policies.families.aim.predictions.caches import kv_cache
from weighbridge.policies.families.aim.predictions.environment import layered, repeated, variables
from weighbridge.policies.families.aim.predictions.go_form import variables_in_go
from weighbridge.policies.families.aim.subject.gpus import DEVICE_ID, RESOURCE, device_ids, fitting_ids, normalised
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import amount, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of
from weighbridge.policies.ground.quantity import Format, Quantity
from weighbridge.policies.ground.records import dataclass

PORT: Final = 8000
_KEDA: Final = "keda"
_GI: Final = 2**30
#: The variables that aim-engine sets from fields of a template.
_FIELDS: Final = {"AIM_PROFILE_ID": "profileId", "AIM_METRIC": "metric", "AIM_PRECISION": "precision"}


@dataclass(frozen=True)
class Work:
    """A service with the objects that were found for it; `name` is the name of its InferenceService."""

    service: JSONObject
    dialect: Dialect
    model: JSONObject
    template: JSONObject
    config: JSONObject
    name: str
    facts: Facts

    @cached_property
    def spec(self) -> JSONObject:
        """The service's spec."""
        return spec_of(self.service)

    @cached_property
    def template_spec(self) -> JSONObject:
        """The template's spec."""
        return spec_of(self.template)

    @cached_property
    def environment(self) -> list[JSONObject]:
        """The result of `environment`, which several rules and objects need."""
        return _environment(self)

    @cached_property
    def resources(self) -> JSONObject:
        """The result of `resources`."""
        return _resources(self)

    @cached_property
    def is_as_written(self) -> bool:
        """The result of `is_as_written` for the template."""
        return is_as_written(self.template, self.dialect)

    @cached_property
    def sources(self) -> list[JSONObject]:
        """The result of `sources_of`."""
        return sources_of_template(self.template, self.dialect)

    @property
    def profile(self) -> JSONObject:
        """The profile that discovery found for the template."""
        return part(self.template, "status", "profile")


def is_as_written(template: JSONObject, dialect: Dialect) -> bool:
    """Whether the operator takes a template's status as it is.

    aim-engine writes an empty status anew, and the status of a template that names its sources, unless that is paused.
    """
    has_status = bool(text(part(template, "status"), "status"))
    return dialect.is_aim_engine and has_status and (is_paused(template, dialect) or not items(spec_of(template), "modelSources"))


def sources_of(work: Work) -> list[JSONObject]:
    """The sources of the weights of a service."""
    return work.sources


def sources_of_template(template: JSONObject, dialect: Dialect) -> list[JSONObject]:
    """The sources of the weights: those that discovery found, else those that the template names."""
    found = items(template, "status", "modelSources")
    return found if found or is_as_written(template, dialect) else items(spec_of(template), "modelSources")


def layers(work: Work) -> list[tuple[str, list[JSONObject]]]:
    """The layers that set variables of the container, the lowest first; a variable replaces those of the same name in lower layers."""
    template, own = f"{text(work.template, 'kind')} {name_of(work.template)}", ("AIMService spec.env", items(work.spec, "env"))
    of_template = (f"{template} spec.env", items(work.template_spec, "env"))
    if not work.dialect.is_aim_engine:
        profile = [{"name": name, "value": value} for name, value in part(work.profile, "env_vars").items() if isinstance(value, str)]
        return [
            (work.dialect.title, variables(AIM_CACHE_PATH="/workspace/model-cache")),
            (f"{template} spec.profileId", variables(AIM_PROFILE_ID=text(work.template_spec, "profileId"))),
            of_template,
            ("AIMService spec.kvCache", kv_cache.ENVIRONMENT if kv_cache.asked(work.service) else []),
            (f"{template} status.profile.env_vars", profile),
            own,
        ]
    first = next(iter(items(work.template_spec, "modelSources")), {})
    return [
        (work.dialect.title, variables(AIM_CACHE_PATH="/workspace/cache", VLLM_ENABLE_METRICS="true")),
        ("runtime config spec.env", items(work.config, "env")),
        *((f"{template} spec.{field}", variables(**{name: text(work.template_spec, field)})) for name, field in _FIELDS.items()),
        of_template,
        (f"{template} spec.modelSources[0].modelId", variables(AIM_MODEL_ID=text(first, "modelId"))),
        own,
    ]


def environment(work: Work) -> list[JSONObject]:
    """The variables of the container, sorted by name. If the operator writes a name twice, it is here twice; the API server refuses
    that.
    """
    return work.environment


def _environment(work: Work) -> list[JSONObject]:
    out, clashing = layered(*(entries for _, entries in layers(work))), set(clashes(work))
    again = [entry for spec in (work.config, work.template_spec) for entry in items(spec, "env") if text(entry, "name") in clashing]
    return sorted(variables_in_go([*out, *again]), key=lambda entry: text(entry, "name").encode())


def clashes(work: Work) -> list[str]:
    """The variables that aim-engine would write twice: set by a field of the template, and by the environment of a lower layer."""
    if not work.dialect.is_aim_engine:
        return []
    config, template = ({text(entry, "name") for entry in items(spec, "env")} for spec in (work.config, work.template_spec))
    # A higher layer replaces only the first of the two.
    found = [name for name, field in _FIELDS.items() if text(work.template_spec, field) and name in config]
    if items(work.template_spec, "modelSources") and "AIM_MODEL_ID" in config | template:
        found.append("AIM_MODEL_ID")
    return found


def gpus_of(work: Work) -> tuple[str, int]:
    """The resource of the GPUs and the number of them in each pod, as discovery found it, else as the template requests it."""
    asked = lookup(work.template_spec, work.dialect.hardware)
    resource = text(asked, "resourceName") or RESOURCE
    if work.dialect.is_aim_engine:
        resolved = part(work.template, "status", "resolvedHardware", "gpu")
        if work.is_as_written:
            return text(resolved, "resourceName") or RESOURCE, whole(resolved, "requests")
        return text(resolved, "resourceName") or resource, whole(resolved or asked, "requests")
    if items(work.template_spec, "modelSources"):
        return resource, 0
    # Until discovery finds the number, the template's counts.
    default = 0 if text(part(work.template, "status"), "status") else whole(asked, "count")
    return resource, whole(part(work.profile, "metadata"), "gpuCount", default)


def resources(work: Work) -> JSONObject:
    """Requests and limits: default figures for each GPU, over these the objects' own, and the GPUs if no object names them."""
    return work.resources


def _resources(work: Work) -> JSONObject:
    resource, count = gpus_of(work)
    out: JSONObject = {"requests": {}, "limits": {}}
    if count > 0:
        out["requests"] = {"cpu": _printed(4 * count), "memory": _printed(32 * count * _GI, Format.BINARY_SI)}
        out["limits"] = {"memory": _printed(48 * count * _GI, Format.BINARY_SI)}
    if work.dialect.is_aim_engine:
        given = [part(work.template_spec, "resources"), part(work.spec, "resources")]
    else:
        # kaiwo takes the first one that exists, even if it is empty, and keeps its claims.
        picks = (spec.get("resources") for spec in (work.spec, work.template_spec, spec_of(work.model)))
        given = [next((pick for pick in picks if isinstance(pick, dict)), {})]
        if claims := items(given[0], "claims"):
            out["claims"] = claims
    for layer in given:
        for side in ("requests", "limits"):
            read = {name: amount(value) for name, value in part(layer, side).items()}
            out[side] |= {name: str(value) for name, value in read.items() if value is not None}
    if count > 0:
        for side in ("requests", "limits"):
            out[side].setdefault(resource, _printed(count))
    return {side: amounts for side, amounts in out.items() if amounts}


def _printed(value: int, form: Format = Format.DECIMAL_SI) -> str:
    """An amount as Go prints it: 1000 as 1k, 1024Gi as 1Ti."""
    return str(Quantity.from_int(value, form))


def unequal(work: Work) -> list[tuple[str, str, str]]:
    """The extended resources whose request isn't their limit, with both; the limit is empty if there is none."""
    found = resources(work)
    requests, limits = part(found, "requests"), part(found, "limits")
    # A limit without a request is one for both.
    return [(name, asked, limits.get(name, "")) for name, asked in sorted(requests.items()) if "/" in name and asked != limits.get(name)]


def node_affinity(work: Work) -> JSONObject | None:
    """The nodes to which the pod is bound, by the device ids of its GPU; `None` if the operator doesn't bind it."""
    if work.is_as_written:
        written = part(work.template, "status", "resolvedNodeAffinity")
        return {"nodeAffinity": written} if written else None
    asked = lookup(work.template_spec, work.dialect.hardware)
    model = text(asked, "model").strip()
    if work.dialect.is_aim_engine:
        least = amount(asked.get("minVram")) if isinstance(asked, dict) and whole(asked, "requests") > 0 else None
    else:
        # kaiwo reads no GPU from a template with sources of its own.
        is_inline = bool(items(work.template_spec, "modelSources"))
        model, least = "" if is_inline else model or text(part(work.profile, "metadata"), "gpu"), None
    if model:
        ids = device_ids(normalised(model, work.dialect))
    else:
        ids = fitting_ids(work.facts.inventory, least.value(), work.dialect) if least is not None and least.sign() > 0 else []
    if not ids:
        return None
    term = {"matchExpressions": [{"key": DEVICE_ID, "operator": "In", "values": ids}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def scales(work: Work) -> bool:
    """Whether the service gets an autoscaler; with kaiwo it gets one only for metrics."""
    fields = ("autoScaling", "minReplicas", "maxReplicas") if work.dialect.is_aim_engine else ("autoScaling",)
    return any(work.spec.get(field) is not None for field in fields)


def replicas(work: Work) -> JSONObject:
    """The bounds of the replicas; an unset one is left out."""
    least, most = work.spec.get("minReplicas"), work.spec.get("maxReplicas")
    if work.dialect.is_aim_engine and scales(work):
        low = whole(work.spec, "minReplicas", 1)
        return {"minReplicas": low, "maxReplicas": whole(work.spec, "maxReplicas", low)}
    if scales(work) or least is not None or most is not None:
        return {key: value for key, value in (("minReplicas", least), ("maxReplicas", most)) if value is not None}
    count = whole(work.spec, "replicas", 1)
    return {"minReplicas": count} | ({"maxReplicas": count} if count else {})


def scaling_annotations(work: Work) -> JSONObject:
    """KServe's annotations for scaling."""
    if not scales(work):
        return {"serving.kserve.io/autoscalerClass": "none"} if work.dialect.is_aim_engine else {}
    return {
        "prometheus.kserve.io/port": str(PORT),
        "serving.kserve.io/autoscalerClass": _KEDA,
        "sidecar.opentelemetry.io/inject": f"{work.name}-predictor",
    }


def repeats(environment: list[JSONObject]) -> list[str]:
    """The names that occur more than once in an environment."""
    return repeated(text(entry, "name") for entry in environment)
