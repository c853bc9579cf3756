"""The template that kaiwo derives from another one if a service overrides parts of that.

Source: kaiwo dbca1b55, internal/controller/aim/shared/service_template.go.
"""

from __future__ import annotations

import hashlib
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.subject.references import templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_LONGEST: Final = 63
#: The fields of the overrides, in the order in which Go writes them.
_OVERRIDES: Final = ("metric", "precision", "gpuSelector")
_GPU: Final = ("count", "model", "resourceName")
#: Fields that the service's value replaces as a whole; resources even if they are empty.
_REPLACED: Final = ("env", "imagePullSecrets")
#: Fields that templates of the cluster lack, so none with such overrides equals them.
_NAMESPACED: Final = ("env", "imagePullSecrets", "caching")
_CONFIG: Final = "runtimeConfigName"
_DEFAULT: Final = "default"


def derived(base: JSONObject, spec: JSONObject, dialect: Dialect, namespace: str, facts: Facts) -> tuple[JSONObject, bool]:
    """The template for `base` with a service's overrides, and whether it is new.

    kaiwo takes an existing one of the derived name, whatever its spec is, else any with an equal spec, else it creates one.
    """
    overrides = part(spec, "overrides")
    own, of_cluster = templates(dialect.group)
    suffix = f"-ovr-{hashlib.sha256(_written(overrides).encode()).hexdigest()[:8]}"
    name = name_of(base)[: _LONGEST - len(suffix)].rstrip("-") + suffix
    held = facts.objects.get(dialect.group, own.kind, namespace, name)
    if isinstance(held, dict):
        return held, False
    wanted: JSONObject = {**spec_of(base), **{key: overrides[key] for key in _OVERRIDES if key in overrides}}
    wanted |= {key: spec[key] for key in _REPLACED if spec.get(key)}
    if isinstance(spec.get("resources"), dict):
        wanted["resources"] = spec["resources"]
    if config := text(spec, _CONFIG).strip():
        wanted[_CONFIG] = config
    if flag(spec, "cacheModel"):
        env = items(spec, "env")
        wanted["caching"] = {"enabled": True, **({"env": env} if env else {})}
    reusable = [*facts.objects.where(dialect.group, own.kind, _filed, (namespace, *_marks(wanted)))]
    if not any(wanted.get(key) for key in _NAMESPACED):
        reusable += facts.objects.where(dialect.group, of_cluster.kind, _filed, ("", *_marks(wanted)))
    ordered = sorted(reusable, key=lambda template: template is not base and name_of(template) != name_of(base))
    for template in ordered:
        if _comparable(spec_of(template)) == _comparable(wanted):
            return template, False
    labels = {"app.kubernetes.io/managed-by": "aim-controller", f"{dialect.group}/derived-template": "true"}
    metadata = {"name": name, "namespace": namespace, "labels": labels}
    wanted[_CONFIG] = text(wanted, _CONFIG).strip() or _DEFAULT
    return {"apiVersion": f"{dialect.group}/v1alpha1", "kind": own.kind, "metadata": metadata, "spec": wanted}, True


def _filed(template: JSONObject) -> tuple[str, ...]:
    return namespace_of(template), *_marks(spec_of(template))


def _marks(spec: JSONObject) -> tuple[str, ...]:
    """The fields by which most templates differ."""
    return tuple(text(spec, key) for key in ("modelName", "metric", "precision"))


def _comparable(spec: JSONObject) -> JSONObject:
    """A spec without its empty fields, and with the name of the config that the API server fills in."""
    return {_CONFIG: _DEFAULT, **{key: value for key, value in spec.items() if value not in (None, [], {}, "")}}


def _written(overrides: JSONObject) -> str:
    """The overrides as Go writes their structure, with the fields in its order."""
    parts = []
    for key in _OVERRIDES:
        value = overrides.get(key)
        if key == "gpuSelector" and isinstance(value, dict):
            inner = ",".join(f"{json_text(field)}:{json_text(value[field])}" for field in _GPU if value.get(field))
            parts.append(f'"{key}":{{{inner}}}')
        elif value:
            parts.append(f"{json_text(key)}:{json_text(value)}")
    return "{" + ",".join(parts) + "}"
