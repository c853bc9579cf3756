"""An AIMService with all that is known of it: its configs, model and template, and the objects that the operator creates.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go; aim-engine v0.2.1, internal/aimservice.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED, dialect_of, is_paused
from weighbridge.policies.families.aim.predictions import aim_engine, kaiwo
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.go_form import changed_values
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request

__all__ = ["Service", "service_of", "work_of"]


def service_of(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The service of a request, predicted once; `None` for a subresource, and for an object without a spec."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return request.once(Service, lambda: _predicted(found, request, facts, config))


def work_of(request: Request, facts: Facts, config: Configuration) -> Work | None:
    """What the service of a request runs; `None` if the operator stops before that."""
    service = service_of(request, facts, config)
    return service.work if service is not None else None


def _predicted(found: JSONObject, request: Request, facts: Facts, config: Configuration) -> Service:
    dialect, namespace = dialect_of(request.gvk.group), namespace_of(found) or request.namespace or "default"
    stored = _as_stored(found, namespace)
    configs = runtime_config(dialect, text(spec_of(stored), "runtimeConfigName"), namespace, facts, config)
    service = Service(stored, dialect, namespace, configs)
    for name in configs.unknown:
        service.unknown(f"{name} isn't known, and is taken for absent")
    if changed_values(stored, dialect):
        service.state, service.failure = "", "the service is never reconciled: the operator's own update of it is refused"
        service.weight = Severity.ERROR
        return service
    run = aim_engine.run if dialect.is_aim_engine else kaiwo.run
    run(service, facts, config)
    if is_paused(stored, dialect):
        # Its other faults are still predicted, since they show once the service goes on.
        service.state, service.waits, service.failure = "", "", f"the annotation {PAUSED} makes the operator leave the service alone"
        service.weight, service.refused = Severity.WARNING, ()
        service.conditions, service.unchecked, service.made, service.serves = [], [], [], False
    return service


def _as_stored(found: JSONObject, namespace: str) -> JSONObject:
    """The service with its namespace and its name, which a manifest may leave open."""
    metadata = metadata_of(found)
    name = name_of(found) or f"{text(metadata, 'generateName')}xxxxx"
    return {**found, "metadata": {**metadata, "namespace": namespace, "name": name}}
