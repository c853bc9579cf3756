"""The migration of AIM's first group to its successor, and of fields that have moved since.

The group aim.silogen.ai ended with kaiwo dbfc385a; its successor is aim.eai.amd.com of aim-engine v0.2.1, whose CRDs lack the
fields that are removed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.migration import Add, Migration, Move, Remove, SetTo, Table
from weighbridge.policies.ground.objects import JSONObject, Path

OLD: Final = "aim.silogen.ai"
NEW: Final = "aim.eai.amd.com"

_STORAGE: Final = ("defaultStorageClassName", "pvcHeadroomPercent")
#: Fields that path templates name, in their old form and in the new one.
_NAMED: Final = {
    ".spec.model.ref": ".spec.model.name",
    ".spec.aimModelName": ".spec.model.name",
    ".spec.aimImageName": ".spec.model.name",
    ".spec.templateRef": ".spec.template.name",
}


def _map(parent: JSONObject, key: str) -> JSONObject:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _gathered(migration: Migration, spec: JSONObject, key: str, fields: Mapping[str, str]) -> None:
    """Move fields of the spec into its map `key`; `fields` are their names in the map, by their old names."""
    given = {name: new for name, new in fields.items() if name in spec}
    if key in spec:
        present = _map(spec, key)
        for name, new in given.items():
            if new in present:
                migration.drop(("spec", name), f"spec.{key}.{new} says it")
            else:
                migration.changes += [Remove(("spec", name)), Add(("spec", key), new, spec[name])]
    elif len(given) == 1:
        ((name, new),) = given.items()
        migration.changes.append(Move(("spec", name), key, (new,)))
    elif given:
        migration.changes += [Remove(("spec", name)) for name in given]
        migration.changes.append(Add(("spec",), key, {new: spec[name] for name, new in given.items()}))


def _renamed_in(migration: Migration, parent: JSONObject, path: Path, old: str, new: str) -> None:
    """Rename a field of a map."""
    if old in parent and new in parent:
        migration.drop((*path, old), f"{new} says it")
    elif old in parent:
        migration.changes.append(Move((*path, old), new))


def _storage(migration: Migration, spec: JSONObject) -> None:
    _gathered(migration, spec, "storage", {name: name for name in _STORAGE})


def _gpus(migration: Migration, parent: JSONObject, path: Path) -> None:
    """Move the choice of GPUs into the hardware."""
    if "gpuSelector" not in parent:
        return
    if "hardware" in parent:
        migration.drop((*path, "gpuSelector"), "hardware says it")
        return
    migration.changes.append(Move((*path, "gpuSelector"), "hardware", ("gpu",)))
    _renamed_in(migration, _map(parent, "gpuSelector"), (*path, "gpuSelector"), "count", "requests")


def _sources(migration: Migration, spec: JSONObject) -> None:
    sources = spec.get("modelSources")
    for index, source in enumerate(sources if isinstance(sources, list) else []):
        if isinstance(source, dict):
            _renamed_in(migration, source, ("spec", "modelSources", index), "name", "modelId")


def _config(migration: Migration, spec: JSONObject) -> None:
    _storage(migration, spec)
    for name in ("imagePullSecrets", "serviceAccountName"):
        if name in spec:
            migration.drop(("spec", name), "no runtime configuration has it; write it in each service, model and template")


def _service(migration: Migration, spec: JSONObject) -> None:
    model = _map(spec, "model")
    # These are in upstream's first examples, from before any release.
    _gathered(migration, spec, "model", {"aimImageName": "name"})
    _renamed_in(migration, _map(spec, "routing"), ("spec", "routing"), "routeTemplate", "pathTemplate")
    _renamed_in(migration, model, ("spec", "model"), "ref", "name")
    if "autoDiscovery" in model:
        migration.drop(("spec", "model", "autoDiscovery"), "model.autoDiscovery of a runtime configuration decides it")
    _gathered(migration, spec, "template", {"templateRef": "name", "allowUnoptimized": "allowUnoptimized"})
    if "kvCache" in spec:
        migration.drop(("spec", "kvCache"), "the new operator has no caches for keys and values; run one next to the service")
    if "labelPropagation" in spec:
        migration.drop(("spec", "labelPropagation"), "no operator has ever read it here; write it in the runtime configuration")
    if "cacheModel" in spec:
        migration.drop(("spec", "cacheModel"), "the new operator always caches; caching.mode Shared or Dedicated says how")
    _storage(migration, spec)
    _gpus(migration, _map(spec, "overrides"), ("spec", "overrides"))
    for key in ("routeTemplate", "pathTemplate"):
        path = _map(spec, "routing").get(key)
        if isinstance(path, str) and (text := _renamed(path)) != path:
            migration.changes.append(SetTo(("spec", "routing", key), text))


def _renamed(text: str) -> str:
    for old, new in _NAMED.items():
        text = text.replace(old, new)
    return text


def _template(migration: Migration, spec: JSONObject) -> None:
    _gpus(migration, spec, ("spec",))
    _sources(migration, spec)


def _template_cache(migration: Migration, spec: JSONObject) -> None:
    _sources(migration, spec)
    if "templateRef" not in spec:
        return
    _renamed_in(migration, spec, ("spec",), "templateRef", "templateName")
    if "templateScope" not in spec and "templateName" not in spec:
        migration.changes.append(Add(("spec",), "templateScope", "Unknown"))
        migration.note(("spec", "templateRef"), "templateScope says where the template is; write Namespace or Cluster")


def _model(migration: Migration, spec: JSONObject) -> None:
    discovery, path = _map(spec, "discovery"), ("spec", "discovery")
    for old, new in (("enabled", "extractMetadata"), ("autoCreateTemplates", "createServiceTemplates")):
        _renamed_in(migration, discovery, path, old, new)
    if discovery.get("enabled") is not False or "extractMetadata" in discovery:
        return
    # The old field switched off both: without metadata there were no templates. Now each of the two has a switch.
    if discovery.get("autoCreateTemplates", True) and "createServiceTemplates" not in discovery:
        key = "autoCreateTemplates"
        migration.changes.append(SetTo((*path, key), False) if key in discovery else Add(path, "createServiceTemplates", False))


def _artifact(migration: Migration, _spec: JSONObject) -> None:
    migration.changes.append(SetTo(("kind",), "AIMArtifact"))


def _cluster_model(migration: Migration, _spec: JSONObject) -> None:
    migration.changes.append(SetTo(("kind",), "AIMClusterModel"))


def _as_it_is(_migration: Migration, _spec: JSONObject) -> None:
    """Change only the group."""


def _with(fields: Callable[[Migration, JSONObject], None]) -> Callable[[JSONObject, Configuration], Migration]:
    def migrate(obj: JSONObject, _config: Configuration) -> Migration:
        migration = Migration()
        if str(obj["apiVersion"]).startswith(f"{OLD}/"):
            migration.changes.append(SetTo(("apiVersion",), f"{NEW}/v1alpha1"))
        fields(migration, _map(obj, "spec"))
        return migration

    return migrate


def _without_successor(_obj: JSONObject, _config: Configuration) -> Migration:
    migration = Migration()
    migration.leave(("kind",), f"{NEW} has no such kind; remove the object, or keep the old operator for it")
    return migration


_FIELDS: Final = {
    "AIMService": _service,
    "AIMServiceTemplate": _template,
    "AIMClusterServiceTemplate": _template,
    "AIMTemplateCache": _template_cache,
    "AIMModel": _model,
    "AIMClusterModel": _model,
    "AIMRuntimeConfig": _config,
    "AIMClusterRuntimeConfig": _config,
    "AIMClusterModelSource": _as_it_is,
}

TABLE: Final[Table] = {
    **{(group, kind): _with(fields) for group in (OLD, NEW) for kind, fields in _FIELDS.items()},
    (OLD, "AIMModelCache"): _with(_artifact),
    (OLD, "AIMClusterImage"): _with(_cluster_model),
    (OLD, "AIMKVCache"): _without_successor,
}
