"""The migration of kinds that the Inference Extension has removed.

v1.0.0 removed InferenceModel. Its criticality becomes the priority of an InferenceObjective, which a request names in a header. Its target
models become those of an InferenceModelRewrite or, before v1.2.0, which brought rewrites, the weights of an HTTPRoute. v1.5.0 removed the
pool of group inference.networking.x-k8s.io. Since v1.6.0 objectives and rewrites are llm-d's; its CRDs have the same fields and another
default for the group of the pool. `inferenceExtension.version` is the version to which objects are migrated. Source:
gateway-api-inference-extension v1.5.0, site-src/guides/ga-migration.md; v1.4.0, apix/v1alpha2/inferencepool_conversion.go; v0.1.0,
api/v1alpha1/inferencemodel_types.go; llm-d-router 9fab645, config/crd/bases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.settings import InferenceExtension
from weighbridge.policies.families.migration import Add, Migration, Move, Remark, Remove, SetTo, Table, Told
from weighbridge.policies.families.upstream_versions import Version, parse_version
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, metadata_of, name_of

OLD: Final = "inference.networking.x-k8s.io"
NEW: Final = "inference.networking.k8s.io"
ROUTES: Final = "gateway.networking.k8s.io"
#: The kinds that refer to pools by group and kind: routes, grants, and policies of GKE and Envoy AI Gateway.
_REFERRERS: Final = (
    (ROUTES, "HTTPRoute"),
    (ROUTES, "GRPCRoute"),
    (ROUTES, "ReferenceGrant"),
    ("networking.gke.io", "GCPBackendPolicy"),
    ("networking.gke.io", "HealthCheckPolicy"),
    ("aigateway.envoyproxy.io", "AIGatewayRoute"),
)
#: The metadata that an object shares with a new one that replaces it.
_OF_BOTH: Final = ("name", "generateName", "namespace", "labels")

LLM_D: Final = "llm-d.ai"
_POOL: Final = {"group": NEW, "kind": "InferencePool"}

#: Upstream's samples turned Critical into 2 and Standard into 1; requests with a priority below 0 are dropped first when a pool is
#: saturated. v0.1.0 called Standard Default.
PRIORITIES: Final = {"Critical": 2, "Standard": 1, "Default": 1, "Sheddable": -1}
#: The default port of an endpoint picker in the old group.
_PICKER_PORT: Final = 9002
_HEADER: Final = "x-gateway-inference-objective"
#: The headers with the model that a request names, as body-based routing sets it, and with the model that a picker chooses.
_MODEL_HEADER: Final = "X-Gateway-Model-Name"
_REWRITE_HEADER: Final = "X-Gateway-Model-Name-Rewrite"
#: InferenceModelRewrite came with v1.2.0, and v1.3.0 renamed its `split`. Objectives came with v1.0.0, and both went to llm-d with v1.6.0,
#: in which pools need no picker.
_WITH_OBJECTIVES: Final = (1, 0, 0)
_WITH_REWRITES: Final = (1, 2, 0)
_WITH_TARGETS: Final = (1, 3, 0)
_WITHOUT_OBJECTIVES: Final = (1, 6, 0)
#: The version to which objects are migrated unless the configuration names one: the last that ships every successor kind.
_LAST: Final = (1, 5, 0)


def _wanted(config: Configuration) -> Version:
    return parse_version(config.settings_of(InferenceExtension).version or "") or _LAST


def _api_version(version: Version) -> str:
    """The API version of objectives and rewrites."""
    return f"{LLM_D if version >= _WITHOUT_OBJECTIVES else OLD}/v1alpha2"


def _model(obj: JSONObject, config: Configuration) -> Migration:
    migration, spec = Migration(), spec_of(obj)
    version = _wanted(config)
    if version < _WITH_OBJECTIVES:
        return migration
    pool = spec.get("poolRef")
    if not isinstance(pool, dict) or not isinstance(pool.get("name"), str):
        migration.leave(("spec", "poolRef"), "an InferenceObjective needs a pool; name it, then migrate")
        return migration
    migration.changes += [SetTo(("apiVersion",), _api_version(version)), SetTo(("kind",), "InferenceObjective")]
    # Pickers only ever read the pool's name in the reference.
    migration.changes += [SetTo(("spec", "poolRef", key), value) for key, value in _POOL.items() if pool.get(key, value) != value]
    _names_group(migration, pool, version)
    _criticality(migration, spec)
    _targets(migration, obj, spec, version)
    if "modelName" in spec:
        migration.changes.append(Remove(("spec", "modelName")))
        name = name_of(obj) or "its name"
        reason = f"requests choose an objective by the header {_HEADER}: {name}, no longer by the model's name; send it"
        migration.note(("spec", "modelName"), reason)
    if "status" in obj:
        migration.changes.append(Remove(("status",)))
    return migration


def _names_group(migration: Migration, pool: JSONObject, version: Version) -> None:
    """Name the pool's group, because llm-d's kinds default it to llm-d's own group."""
    if version >= _WITHOUT_OBJECTIVES and "group" not in pool:
        migration.changes.append(Add(("spec", "poolRef"), "group", NEW))


def _successor(obj: JSONObject, config: Configuration) -> Migration:
    """Migrate an objective or a rewrite, which keeps its name: its pool gets the new group, and since v1.6.0 the object itself gets
    llm-d's.
    """
    migration, spec = Migration(), spec_of(obj)
    version = _wanted(config)
    if version < _WITH_OBJECTIVES:
        return migration
    given = spec.get("poolRef")
    pool: JSONObject = given if isinstance(given, dict) else {}
    if version >= _WITHOUT_OBJECTIVES:
        migration.changes.append(SetTo(("apiVersion",), _api_version(version)))
    if pool.get("group") == OLD:
        migration.changes.append(SetTo(("spec", "poolRef", "group"), NEW))
    if pool:
        _names_group(migration, pool, version)
    rules = spec.get("rules")
    for number, rule in enumerate(rules if isinstance(rules, list) else []):
        if version >= _WITH_TARGETS and isinstance(rule, dict) and "split" in rule and "targets" not in rule:
            migration.changes.append(Move(("spec", "rules", number, "split"), "targets"))
    return migration


def _criticality(migration: Migration, spec: JSONObject) -> None:
    path: Path = ("spec", "criticality")
    if "criticality" not in spec:
        return
    priority = PRIORITIES.get(spec["criticality"]) if isinstance(spec["criticality"], str) else None
    if priority is None:
        migration.drop(path, f"it is none of {', '.join(PRIORITIES)}; set spec.priority yourself")
    else:
        migration.changes += [SetTo(path, priority), Move(path, "priority")]


def _targets(migration: Migration, obj: JSONObject, spec: JSONObject, version: Version) -> None:
    """Add the target models of the requests; none are added if the model's name doesn't change."""
    if "targetModels" not in spec:
        return
    path: Path = ("spec", "targetModels")
    migration.changes.append(Remove(path))
    model, given = spec.get("modelName"), spec["targetModels"]
    targets = _drawn([target for target in given if isinstance(target, dict)] if isinstance(given, list) else [])
    is_route = version < _WITH_REWRITES
    what = "an HTTPRoute" if is_route else "an InferenceModelRewrite"
    if not isinstance(model, str) or not model:
        migration.note(path, f"a rewrite needs the model that requests name; write {what} for these models")
        return
    if given and not targets:
        migration.remarks.append(Remark(Told.REMOVED, path, "weights of 0 kept the name from being served; nothing else does"))
    if not targets or [target["modelRewrite"] for target in targets] == [model]:
        return
    pool: JSONObject = {key: _POOL.get(key, value) for key, value in spec["poolRef"].items()}
    metadata: JSONObject = {key: metadata_of(obj)[key] for key in _OF_BOTH if key in metadata_of(obj)}
    if is_route:
        # Routes are often named after the model already.
        named: JSONObject = {"name": f"{name_of(obj)}-split"} if name_of(obj) else {}
        migration.beside.append(_weighed({**metadata, **named}, model, pool, targets))
        reason = f"name your Gateway in parentRefs of the HTTPRoute; it matches the header {_MODEL_HEADER}, which body-based routing sets"
        migration.note(path, reason)
        return
    if version >= _WITHOUT_OBJECTIVES:
        pool.setdefault("group", NEW)
    key = "targets" if version >= _WITH_TARGETS else "split"
    rules = [{"matches": [{"model": {"type": "Exact", "value": model}}], key: targets}]
    rewrite = {"apiVersion": _api_version(version), "kind": "InferenceModelRewrite", "metadata": metadata}
    migration.beside.append({**rewrite, "spec": {"poolRef": pool, "rules": rules}})


def _drawn(given: list[JSONObject]) -> list[JSONObject]:
    """The targets that got requests. In v0.1.0 a target with weight 0 got none, and one without a weight counted as 1 if others had one."""
    is_weighed = any("weight" in target for target in given)
    return [
        {"modelRewrite": target.get("name"), **({"weight": target.get("weight", 1)} if is_weighed else {})}
        for target in given
        if target.get("weight", 1) != 0
    ]


def _weighed(metadata: JSONObject, model: str, pool: JSONObject, targets: list[JSONObject]) -> JSONObject:
    """A route that spreads the requests for a model: its backends are the same pool several times, each with another model's name in a
    header.
    """
    backends = []
    for target in targets:
        headers = [{"name": _REWRITE_HEADER, "value": target["modelRewrite"]}]
        backend = {"group": pool.get("group", NEW), "kind": pool.get("kind", "InferencePool"), "name": pool["name"]}
        backend |= {"weight": target["weight"]} if "weight" in target else {}
        backends.append({**backend, "filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": headers}}]})
    matches = [{"headers": [{"type": "Exact", "name": _MODEL_HEADER, "value": model}]}]
    spec = {"parentRefs": [], "rules": [{"matches": matches, "backendRefs": backends}]}
    return {"apiVersion": f"{ROUTES}/v1", "kind": "HTTPRoute", "metadata": metadata, "spec": spec}


def _pool(obj: JSONObject, config: Configuration) -> Migration:
    """A pool of the old group, or one of the new group that still has the old fields."""
    migration, spec, version = Migration(), spec_of(obj), _wanted(config)
    if version < _WITH_OBJECTIVES:
        return migration
    is_old, selector = str(obj["apiVersion"]).startswith(f"{OLD}/"), spec.get("selector")
    if is_old:
        if not isinstance(selector, dict) or not selector:
            migration.leave(("spec", "selector"), f"a pool of {NEW} selects by at least one label; name one, then migrate")
            return migration
        migration.changes.append(SetTo(("apiVersion",), f"{NEW}/v1"))
    if isinstance(selector, dict) and selector and not isinstance(selector.get("matchLabels"), dict):
        migration.changes.append(Move(("spec", "selector"), "selector", ("matchLabels",)))
    if "targetPortNumber" in spec and "targetPorts" in spec:
        migration.drop(("spec", "targetPortNumber"), "spec.targetPorts says it")
    elif "targetPortNumber" in spec:
        migration.changes.append(Move(("spec", "targetPortNumber"), "targetPorts", (0, "number")))
    _picker(migration, spec)
    if is_old and version < _WITHOUT_OBJECTIVES and not any(spec.get(key) for key in ("extensionRef", "endpointPickerRef")):
        migration.note(("spec",), "before v1.6.0 each pool needs an endpoint picker; name its Service and port in endpointPickerRef")
    if is_old and "status" in obj:
        migration.changes.append(Remove(("status",)))
    return migration


def _picker(migration: Migration, spec: JSONObject) -> None:
    old, new = "extensionRef", "endpointPickerRef"
    if old in spec and new in spec:
        migration.drop(("spec", old), f"spec.{new} says it")
    elif old in spec and spec[old] is None:
        migration.changes.append(Remove(("spec", old)))
    key = new if new in spec else old
    picker: JSONValue = spec.get(key)
    if not isinstance(picker, dict):
        return
    path: Path = ("spec", key)
    if key == old:
        migration.changes.append(Move(path, new))
    if "namespace" in picker:
        migration.drop((*path, "namespace"), "no pool ever had it: the picker's Service is in the pool's own namespace")
    # v0.1.0 had another name for the port, and upstream's page on v1 once had a third form.
    ports = [name for name in ("portNumber", "targetPortNumber", "port") if name in picker and not isinstance(picker[name], dict)]
    if isinstance(picker.get("port"), dict):
        migration.changes += [Remove((*path, name)) for name in ports]
    elif ports:
        migration.changes.append(Move((*path, ports[0]), "port", ("number",)))
        migration.changes += [Remove((*path, name)) for name in ports[1:]]
    elif key == old and picker.get("kind") in (None, "Service"):
        migration.changes.append(Add(path, "port", {"number": _PICKER_PORT}))
        migration.note(path, f"a Service needs its port named; {_PICKER_PORT} is what was assumed")


def _referrer(obj: JSONObject, config: Configuration) -> Migration:
    """Migrate an object that refers to pools of the old group, so that it refers to those of the new one."""
    migration = Migration()
    if _wanted(config) >= _WITH_OBJECTIVES:
        migration.changes += [SetTo((*path, "group"), NEW) for path in _references(obj.get("spec"), ("spec",))]
    return migration


def _references(value: JSONValue, path: Path) -> Iterator[Path]:
    """The places that name a pool of the old group, at any depth."""
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _references(item, (*path, at))
    elif isinstance(value, dict):
        if value.get("group") == OLD and value.get("kind") == "InferencePool":
            yield path
        for key, inner in value.items():
            yield from _references(inner, (*path, key))


TABLE: Final[Table] = {
    (OLD, "InferenceModel"): _model,
    (OLD, "InferenceObjective"): _successor,
    (OLD, "InferenceModelRewrite"): _successor,
    (OLD, "InferencePool"): _pool,
    (NEW, "InferencePool"): _pool,
    **dict.fromkeys(_REFERRERS, _referrer),
}
