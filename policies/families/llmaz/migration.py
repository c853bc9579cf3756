"""The new forms of llmaz's fields that were renamed or moved within v1alpha1.

llmaz has only ever had this version, whose fields have changed: an API server silently prunes the old ones. The old forms are those of
v0.0.1 to v0.1.2, the new ones those of 3c13ff3. Source: llmaz, api/core/v1alpha1/model_types.go, api/inference/v1alpha1
(playground_types.go, service_types.go, backendruntime_types.go, config_types.go) and docs/examples of these versions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import CORE, DEFAULT_CONFIG, DRAFT, INFERENCE, MAIN, OPEN_MODEL
from weighbridge.policies.families.migration import Add, Lift, Lone, Migration, Move, Remove, SetTo, Table, Wrap
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, metadata_of

_SPEC: Final[Path] = ("spec",)
_TEMPLATE: Final[Path] = ("spec", "workloadTemplate")
#: Fields of the LeaderWorkerSet that old templates had and a Service of llmaz no longer has.
_OF_THE_SET: Final = ("networkConfig", "startupPolicy")


def _model(obj: JSONObject) -> Migration:
    migration, spec = Migration(), spec_of(obj)
    if "dataSource" in spec:
        migration.leave(("spec", "dataSource"), "models are named otherwise now; write spec.familyName and spec.source by hand")
        return migration
    if obj.get("kind") != OPEN_MODEL.kind:
        migration.changes.append(SetTo(("kind",), OPEN_MODEL.kind))
        if "namespace" in metadata_of(obj):
            migration.changes.append(Remove(("metadata", "namespace")))
            migration.note(("metadata", "namespace"), "an OpenModel belongs to the whole cluster; no two may have one name")
    old, config = "inferenceFlavors", part(spec, "inferenceConfig")
    if old in spec and not config:
        _flavors(migration, spec, ("spec", old))
        if "inferenceConfig" in spec:
            migration.changes.append(Remove(("spec", "inferenceConfig")))
        migration.changes.append(Move(("spec", old), "inferenceConfig", ("flavors",)))
    elif old in spec:
        migration.drop(("spec", old), "spec.inferenceConfig has the flavors")
    _flavors(migration, config, ("spec", "inferenceConfig", "flavors"))
    return migration


def _maps(parent: JSONObject, key: str) -> list[tuple[int, JSONObject]]:
    """The maps in the list under a key, each with its index."""
    found = parent.get(key)
    return [(place, one) for place, one in enumerate(found) if isinstance(one, dict)] if isinstance(found, list) else []


def _flavors(migration: Migration, parent: JSONObject, path: Path) -> None:
    for place, flavor in _maps(parent, str(path[-1])):
        if "requests" in flavor and "limits" in flavor:
            migration.drop((*path, place, "requests"), "limits say it, which are the requests of the pods, too")
        elif "requests" in flavor:
            migration.changes.append(Move((*path, place, "requests"), "limits"))


def _claims(migration: Migration, spec: JSONObject) -> bool:
    """The claimed models, each with its role, and whether the roles are certain."""
    for old in ("multiModelsClaim", "multiModelsClaims"):
        if old not in spec:
            continue
        given: JSONValue = spec[old]
        path: Path = ("spec", old)
        if "modelClaims" in spec:
            migration.drop(path, "spec.modelClaims names the models")
            continue
        inner = path
        if isinstance(given, list):
            if len(given) != 1:
                migration.leave(path, "there is one claim now, for a main model and its draft; write spec.modelClaims by hand")
                return False
            migration.changes.append(Lone(path))
            given, inner = given[0], (*path, 0)
        names = given.get("modelNames") if isinstance(given, dict) else None
        if not isinstance(given, dict) or not isinstance(names, list) or not _names_models(names):
            migration.leave(path, "it names neither one model nor a main model and its draft; write spec.modelClaims by hand")
            return False
        for place, role in zip(range(len(names)), (MAIN, DRAFT), strict=False):
            migration.changes.append(Wrap((*inner, "modelNames", place), "name", (("role", role),)))
        migration.changes += [Move((*inner, "modelNames"), "models"), Move(path, "modelClaims")]
        for key in ("inferenceMode", "rate"):
            if key in given:
                migration.changes.append(Remove((*inner, key)))
        if "rate" in given:
            migration.note(path, "models no longer share replicas by a rate")
    return True


def _names_models(names: list[JSONValue]) -> bool:
    return 1 <= len(names) <= 2 and all(isinstance(name, str) for name in names)


def _playground(obj: JSONObject) -> Migration:
    migration, spec = Migration(), spec_of(obj)
    if not _claims(migration, spec):
        return Migration(remarks=migration.remarks)
    for key in ("backendConfig", "backendRuntimeConfig"):
        if key == "backendConfig" and key in spec and "backendRuntimeConfig" in spec:
            migration.drop(("spec", key), "spec.backendRuntimeConfig says it")
        elif isinstance(spec.get(key), dict):
            _backend(migration, spec[key], ("spec", key))
            if key == "backendConfig":
                migration.changes.append(Move(("spec", key), "backendRuntimeConfig"))
    if "scaleTriggerRef" in part(spec, "elasticConfig"):
        path: Path = ("spec", "elasticConfig", "scaleTriggerRef")
        migration.drop(path, "each recommended configuration has one trigger; choose it by spec.backendRuntimeConfig.configName")
    return migration


def _backend(migration: Migration, backend: JSONObject, path: Path) -> None:
    if "name" in backend and "backendName" not in backend:
        migration.changes.append(Move((*path, "name"), "backendName"))
    arguments = backend.get("args")
    if not isinstance(arguments, dict):
        return
    for old, new in (("name", "configName"), ("flags", "args")):
        if old in arguments:
            migration.changes.append(Move((*path, "args", old), new))
    migration.changes.append(Lift((*path, "args")))


def _service(obj: JSONObject) -> Migration:
    migration, spec = Migration(), spec_of(obj)
    if not _claims(migration, spec):
        return Migration(remarks=migration.remarks)
    template = part(spec, "workloadTemplate")
    if "leaderWorkerTemplate" in template:
        inner = template["leaderWorkerTemplate"]
        path = (*_TEMPLATE, "leaderWorkerTemplate")
        if not isinstance(inner, dict) or not isinstance(inner.get("workerTemplate"), dict):
            found = Migration()
            found.leave(path, "it has no template of workers, which a Service needs; write spec.workloadTemplate.workerTemplate")
            return found
        migration.changes.append(Lift(path))
    for key in ("replicas", "rolloutStrategy"):
        if key in template:
            migration.changes.append(Remove((*_TEMPLATE, key)))
            if key not in spec:
                migration.changes.append(Add(_SPEC, key, template[key]))
    for key in _OF_THE_SET:
        if key in template:
            migration.drop((*_TEMPLATE, key), "a Service of llmaz has no field for it; the LeaderWorkerSet gets its default")
    if "elasticConfig" in spec:
        reason = "a Service isn't scaled by llmaz; write a HorizontalPodAutoscaler of it, or a Playground"
        migration.drop(("spec", "elasticConfig"), reason)
    return migration


def _runtime(obj: JSONObject) -> Migration:
    migration, spec = Migration(), spec_of(obj)
    if "commands" in spec and "command" not in spec:
        migration.changes.append(Move(("spec", "commands"), "command"))
    if "multiHostCommands" in spec:
        reason = "a Playground's pods no longer span nodes; write a Service with a leader's and a worker's template"
        migration.drop(("spec", "multiHostCommands"), reason)
    triggers = items(spec, "scaleTriggers")
    shared: dict[str, JSONValue] = {"resources": spec["resources"]} if "resources" in spec else {}
    if triggers and "hpa" in triggers[0]:
        shared["scaleTrigger"] = {"hpa": triggers[0]["hpa"]}
    if len(triggers) > 1:
        migration.note(
            ("spec", "scaleTriggers"), "each recommended configuration has one trigger: the first; write the others where they belong"
        )
    migration.changes += [Remove(("spec", key)) for key in ("resources", "scaleTriggers") if key in spec]
    _configurations(migration, spec, shared)
    return migration


def _configurations(migration: Migration, spec: JSONObject, shared: dict[str, JSONValue]) -> None:
    """The settings that all arguments shared now belong to each configuration."""
    old, new = "args", "recommendedConfigs"
    if old in spec and new in spec:
        migration.drop(("spec", old), f"spec.{new} has the arguments")
    key = new if new in spec or old not in spec else old
    for place, config in _maps(spec, key):
        path: Path = ("spec", key, place)
        if key == old and "flags" in config:
            migration.changes.append(Move((*path, "flags"), "args"))
        named = {} if "name" in config else {"name": DEFAULT_CONFIG}
        migration.changes += [Add(path, name, value) for name, value in {**named, **shared}.items() if name not in config]
    alone = [{"name": DEFAULT_CONFIG, **shared}]
    if _maps(spec, key):
        migration.changes += [Move(("spec", old), new)] if key == old else []
    elif key in spec and shared:
        migration.changes += [SetTo(("spec", key), alone), *([Move(("spec", old), new)] if key == old else [])]
    elif key == old and old in spec:
        migration.changes.append(Remove(("spec", old)))
    elif shared:
        migration.changes.append(Add(_SPEC, new, alone))


def _with(migrate: Callable[[JSONObject], Migration]) -> Callable[[JSONObject, Configuration], Migration]:
    return lambda obj, _config: migrate(obj)


TABLE: Final[Table] = {
    (CORE, "Model"): _with(_model),
    (CORE, OPEN_MODEL.kind): _with(_model),
    (INFERENCE, "Playground"): _with(_playground),
    (INFERENCE, "Service"): _with(_service),
    (INFERENCE, "BackendRuntime"): _with(_runtime),
}
