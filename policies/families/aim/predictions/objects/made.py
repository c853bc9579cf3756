"""The model and the template that are created for a service.

If the service has overrides, aim-engine derives a template from the chosen one, but goes on using the chosen one. The derived template gets
its own template cache.

Source: aim-engine v0.2.1, internal/aimservice/model.go (buildModelForImage, buildModelForCustom) and template.go (planDerivedTemplate);
kaiwo dbca1b55, internal/controller/aim/shared/model_autocreation.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.template_cache import is_dedicated
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT
from weighbridge.policies.families.aim.predictions.go_form import spec_in_go
from weighbridge.policies.families.aim.predictions.labels import labels_of_child, propagated
from weighbridge.policies.families.aim.predictions.template import derived_name
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_DERIVED: Final = "derived"


def created_model(service: JSONObject, name: str, config: JSONObject, dialect: Dialect) -> JSONObject:
    """The AIMModel that is created from a service's image or description."""
    spec, group = spec_of(service), dialect.group
    asked = part(spec, "model")
    custom = part(asked, "custom")
    made: JSONObject = {"image": text(custom, "baseImage") if custom else text(asked, "image").strip()}
    if custom:
        made |= {"modelSources": items(custom, "modelSources"), "custom": {"hardware": part(custom, "hardware")}}
    given = {
        "runtimeConfigName": text(spec, "runtimeConfigName"),
        "imagePullSecrets": items(spec, "imagePullSecrets"),
        "serviceAccountName": text(spec, "serviceAccountName"),
        "env": items(spec, "env") if custom else [],
    }
    made |= {key: value for key, value in given.items() if value}
    if dialect.is_aim_engine:
        own = {f"{group}/origin": "auto-generated"}
        if custom:
            own |= {f"{group}/custom-model": "true", f"{group}/service": name_of(service)}
        added = {f"{group}/service.name": name_of(service), "app.kubernetes.io/managed-by": "aim-service-controller"}
        labels = labels_of_child(service, config, dialect, own, added)
        made = spec_in_go(made)
    else:
        labels = propagated(service, config, dialect) | {f"{group}/auto-created": "true"}
    metadata = {"name": name, "namespace": namespace_of(service), "labels": labels}
    return {"apiVersion": f"{group}/v1alpha1", "kind": "AIMModel", "metadata": metadata, "spec": made}


def derived_beside(work: Work) -> JSONObject | None:
    """The template that aim-engine derives from the service's template; `None` without overrides, and if that template is a derived one
    itself.
    """
    overrides, group = work.spec.get("overrides"), work.dialect.group
    is_derived = text_map(work.template, "metadata", "labels").get(f"{group}/origin") == _DERIVED
    if not isinstance(overrides, dict) or is_derived or not namespace_of(work.template):
        return None
    spec: JSONObject = {**work.template_spec}
    spec["runtimeConfigName"] = text(work.spec, "runtimeConfigName").strip() or text(spec, "runtimeConfigName").strip() or DEFAULT
    spec |= {key: overrides[key] for key in ("metric", "precision", "hardware") if overrides.get(key) is not None}
    if secrets := items(work.spec, "imagePullSecrets"):
        spec["imagePullSecrets"] = secrets
    if isinstance(work.spec.get("resources"), dict):
        spec["resources"] = work.spec["resources"]
    if not is_dedicated(work.spec):
        spec["caching"] = {"enabled": True}
    own = {f"{group}/origin": _DERIVED, "app.kubernetes.io/managed-by": "aim-engine"}
    labels = labels_of_child(work.service, work.config, work.dialect, own, {f"{group}/service.name": name_of(work.service)})
    metadata = {"name": derived_name(name_of(work.template), overrides), "namespace": namespace_of(work.service), "labels": labels}
    return {"apiVersion": f"{group}/v1alpha1", "kind": "AIMServiceTemplate", "metadata": metadata, "spec": spec_in_go(spec)}
