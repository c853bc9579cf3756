"""What the kinds that the Inference Extension has removed become.

InferenceModel went with v1.0.0: its criticality is the priority of an InferenceObjective, which a request names in a header. Its target
models are those of an InferenceModelRewrite, or the weights of an HTTPRoute before v1.2.0, which had no rewrites yet. The pool of group
inference.networking.x-k8s.io went with v1.5.0. `inferenceExtension.version` says what is migrated to. Source:
gateway-api-inference-extension v1.5.0, site-src/guides/ga-migration.md; v1.4.0, apix/v1alpha2/inferencepool_conversion.go.
"""

from __future__ import annotations

from typing import Final

from policies.config import Configuration
from policies.families.inference_extension.settings import InferenceExtension
from policies.families.migration import Add, Migration, Move, Remove, SetTo, Table
from policies.families.upstream_versions import Version, parse_version
from policies.objects import JSONObject, JSONValue, Path, metadata_of, name_of

OLD: Final = "inference.networking.x-k8s.io"
NEW: Final = "inference.networking.k8s.io"
ROUTES: Final = "gateway.networking.k8s.io"

#: Upstream's samples turned Critical into 2 and Standard into 1; what is below 0 is dropped first when a pool is saturated.
PRIORITIES: Final = {"Critical": 2, "Standard": 1, "Sheddable": -1}
#: The port that was assumed of an endpoint picker without one.
_PICKER_PORT: Final = 9002
_HEADER: Final = "x-gateway-inference-objective"
#: What body-based routing makes of the model that a request names, and what a picker makes the request name.
_MODEL_HEADER: Final = "X-Gateway-Model-Name"
_REWRITE_HEADER: Final = "X-Gateway-Model-Name-Rewrite"
#: InferenceModelRewrite came with v1.2.0. Objectives came with v1.0.0, and both went to llm-d with v1.6.0.
_WITH_OBJECTIVES: Final = (1, 0, 0)
_WITH_REWRITES: Final = (1, 2, 0)
_WITHOUT_OBJECTIVES: Final = (1, 6, 0)
#: Which version is migrated to unless the configuration names one: the last that ships all that may come of it.
_LAST: Final = (1, 5, 0)


def _wanted(config: Configuration) -> Version:
    return parse_version(config.settings_of(InferenceExtension).version or "") or _LAST


def _spec(obj: JSONObject) -> JSONObject:
    spec = obj.get("spec")
    return spec if isinstance(spec, dict) else {}


def _model(obj: JSONObject, config: Configuration) -> Migration:
    migration, spec = Migration(), _spec(obj)
    version = _wanted(config)
    if version >= _WITHOUT_OBJECTIVES:
        migration.leave(("kind",), "InferenceObjective belongs to llm-d since v1.6.0; migrate to v1.5.0, or write llm-d's objects")
        return migration
    if version < _WITH_OBJECTIVES:
        return migration
    pool = spec.get("poolRef")
    if not isinstance(pool, dict) or not isinstance(pool.get("name"), str):
        migration.leave(("spec", "poolRef"), "an InferenceObjective needs a pool; name it, then migrate")
        return migration
    migration.changes += [SetTo(("apiVersion",), f"{OLD}/v1alpha2"), SetTo(("kind",), "InferenceObjective")]
    if pool.get("group") == OLD:
        migration.changes.append(SetTo(("spec", "poolRef", "group"), NEW))
    _criticality(migration, spec)
    _targets(migration, obj, spec, is_route=version < _WITH_REWRITES)
    if "modelName" in spec:
        migration.changes.append(Remove(("spec", "modelName")))
        reason = f"requests choose an objective by the header {_HEADER}: {name_of(obj)}, no longer by the model's name; send it"
        migration.note(("spec", "modelName"), reason)
    if "status" in obj:
        migration.changes.append(Remove(("status",)))
    return migration


def _criticality(migration: Migration, spec: JSONObject) -> None:
    path: Path = ("spec", "criticality")
    if "criticality" not in spec:
        return
    priority = PRIORITIES.get(spec["criticality"]) if isinstance(spec["criticality"], str) else None
    if priority is None:
        migration.drop(path, f"it is none of {', '.join(PRIORITIES)}; set spec.priority to what is meant")
    else:
        migration.changes += [SetTo(path, priority), Move(path, "priority")]


def _targets(migration: Migration, obj: JSONObject, spec: JSONObject, *, is_route: bool) -> None:
    """The models that requests are handed on to; none are written where the name stays what it is."""
    if "targetModels" not in spec:
        return
    path: Path = ("spec", "targetModels")
    migration.changes.append(Remove(path))
    model, given = spec.get("modelName"), spec["targetModels"]
    targets = [_target(target) for target in given if isinstance(target, dict)] if isinstance(given, list) else []
    what = "an HTTPRoute" if is_route else "an InferenceModelRewrite"
    if not isinstance(model, str) or not model:
        migration.note(path, f"a rewrite needs the model that requests name; write {what} for these models")
        return
    if not targets or [target["modelRewrite"] for target in targets] == [model]:
        return
    pool: JSONObject = {key: NEW if key == "group" and value == OLD else value for key, value in spec["poolRef"].items()}
    metadata: JSONObject = {key: metadata_of(obj)[key] for key in ("name", "namespace", "labels") if key in metadata_of(obj)}
    if is_route:
        # Routes are often named after the model already.
        migration.beside.append(_weighed({**metadata, "name": f"{name_of(obj)}-split"}, model, pool, targets))
        reason = f"name your Gateway in parentRefs of the HTTPRoute; it goes by the header {_MODEL_HEADER}, which body-based routing sets"
        migration.note(path, reason)
        return
    rules = [{"matches": [{"model": {"type": "Exact", "value": model}}], "targets": targets}]
    rewrite = {"apiVersion": f"{OLD}/v1alpha2", "kind": "InferenceModelRewrite", "metadata": metadata}
    migration.beside.append({**rewrite, "spec": {"poolRef": pool, "rules": rules}})


def _weighed(metadata: JSONObject, model: str, pool: JSONObject, targets: list[JSONObject]) -> JSONObject:
    """A route that spreads requests for a model over the same pool several times, each time with another model's name in a header."""
    backends = []
    for target in targets:
        headers = [{"name": _REWRITE_HEADER, "value": target["modelRewrite"]}]
        backend = {"group": pool.get("group", NEW), "kind": pool.get("kind", "InferencePool"), "name": pool["name"]}
        backend |= {"weight": target["weight"]} if "weight" in target else {}
        backends.append({**backend, "filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": headers}}]})
    matches = [{"headers": [{"type": "Exact", "name": _MODEL_HEADER, "value": model}]}]
    spec = {"parentRefs": [], "rules": [{"matches": matches, "backendRefs": backends}]}
    return {"apiVersion": f"{ROUTES}/v1", "kind": "HTTPRoute", "metadata": metadata, "spec": spec}


def _target(target: JSONObject) -> JSONObject:
    weight = {"weight": target["weight"]} if target.get("weight") else {}
    return {"modelRewrite": target.get("name"), **weight}


def _pool(obj: JSONObject, config: Configuration) -> Migration:
    migration, spec = Migration(), _spec(obj)
    if _wanted(config) < _WITH_OBJECTIVES:
        return migration
    selector = spec.get("selector")
    if not isinstance(selector, dict) or not selector:
        migration.leave(("spec", "selector"), f"a pool of {NEW} selects by at least one label; name one, then migrate")
        return migration
    migration.changes += [SetTo(("apiVersion",), f"{NEW}/v1"), Move(("spec", "selector"), "selector", ("matchLabels",))]
    if "targetPortNumber" in spec:
        migration.changes.append(Move(("spec", "targetPortNumber"), "targetPorts", (0, "number")))
    _picker(migration, spec.get("extensionRef"))
    if "status" in obj:
        migration.changes.append(Remove(("status",)))
    return migration


def _picker(migration: Migration, picker: JSONValue) -> None:
    if not isinstance(picker, dict):
        return
    path: Path = ("spec", "extensionRef")
    migration.changes.append(Move(path, "endpointPickerRef"))
    # v0.1.0 had another name for the port.
    ports = [key for key in ("portNumber", "targetPortNumber") if key in picker]
    if ports:
        migration.changes.append(Move((*path, ports[0]), "port", ("number",)))
        migration.changes += [Remove((*path, key)) for key in ports[1:]]
    elif picker.get("kind") in (None, "Service"):
        migration.changes.append(Add(path, "port", {"number": _PICKER_PORT}))
        migration.note(path, f"a Service needs its port named; {_PICKER_PORT} is what was assumed")


def _route(obj: JSONObject, config: Configuration) -> Migration:
    """Routes to the pools of the old group lead to those of the new one."""
    migration = Migration()
    if _wanted(config) < _WITH_OBJECTIVES:
        return migration
    rules = _spec(obj).get("rules")
    for number, rule in enumerate(rules if isinstance(rules, list) else []):
        backends = rule.get("backendRefs") if isinstance(rule, dict) else None
        for index, backend in enumerate(backends if isinstance(backends, list) else []):
            if isinstance(backend, dict) and backend.get("group") == OLD and backend.get("kind") == "InferencePool":
                migration.changes.append(SetTo(("spec", "rules", number, "backendRefs", index, "group"), NEW))
    return migration


TABLE: Final[Table] = {(OLD, "InferenceModel"): _model, (OLD, "InferencePool"): _pool, (ROUTES, "HTTPRoute"): _route}
