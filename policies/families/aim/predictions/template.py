"""The template that the operator takes for a service: the one that it names, or the best for its model.

Source: kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go; aim-engine v0.2.1, internal/aimservice/template.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, is_paused
from weighbridge.policies.families.aim.predictions.derived import derived
from weighbridge.policies.families.aim.predictions.names import derived_template
from weighbridge.policies.families.aim.predictions.selection import READY, TemplateCandidate, TemplateSelection, candidate, select
from weighbridge.policies.families.aim.subject.gpus import cluster_models, normalised
from weighbridge.policies.families.aim.subject.references import find, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.references import Referent, as_stored
from weighbridge.policies.ground.fields import amount, flag, items, part, text, whole
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace

NOT_AVAILABLE: Final = "NotAvailable"
NOT_YET: Final = "TemplateNotAvailable"
#: The states of a template or a model that the operators still look into.
WAITING: Final = ("Pending", "Progressing")


@dataclass(frozen=True, slots=True)
class ResolvedTemplate:
    """The template, or why there is none: `failure`, `reason` and the service's `state` are set if the service stops there.

    `unknown` says which fact is missing, `unsure` what is assumed. `made` is a template that kaiwo creates. With `waits` the service stops
    only until the operator has written what it finds.
    """

    template: JSONObject | None = None
    selection: TemplateSelection | None = None
    failure: str = ""
    reason: str = ""
    state: str = ""
    unknown: str = ""
    unsure: str = ""
    made: JSONObject | None = None
    waits: bool = False


def predict_template(
    spec: JSONObject, model: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration
) -> ResolvedTemplate:
    """The template of a service's spec for a model of that name."""
    name = named_in(spec, dialect)
    if name:
        found = _named(name, part(spec, "overrides"), dialect, namespace, facts, config)
    else:
        found = _chosen(spec, model, dialect, namespace, facts, config)
    if dialect.is_aim_engine or found.template is None or not isinstance(spec.get("overrides"), dict):
        return found
    return _overridden(found, spec, dialect, namespace, facts)


def named_in(spec: JSONObject, dialect: Dialect) -> str:
    """The template that a service's spec names; empty if it is to be chosen."""
    name = lookup(spec, dialect.template)
    return name.strip() if isinstance(name, str) else ""


def _overridden(base: ResolvedTemplate, spec: JSONObject, dialect: Dialect, namespace: str, facts: Facts) -> ResolvedTemplate:
    """The template with the service's overrides, which kaiwo creates."""
    template, is_new = derived(base.template or {}, spec, dialect, namespace, facts)
    if is_new:
        failure = f'template "{name_of(template)}" is not yet available'
        return replace(base, template=None, failure=failure, reason=NOT_YET, state="Pending", made=template, waits=True)
    return replace(_checked(template, dialect, facts), selection=base.selection)


def named_template(name: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> tuple[JSONObject | None, str]:
    """The template of a name, which is looked for in the namespace, then in the cluster; without one, the fact that is missing, if any."""
    own, of_cluster = templates(dialect.group)
    for kind, scope in ((own, namespace), (of_cluster, "")):
        found = find(kind, facts, config, scope, name)
        if found is not None:
            return found, ""
        if kind.is_missing(facts, scope, name) is None:
            return None, kind.unknown
    return None, ""


def derived_name(base: str, overrides: JSONObject) -> str:
    """The name that aim-engine looks for if a named template is overridden; else the name itself."""
    gpu = lookup(overrides, ("hardware", "gpu"))
    model, count = text(gpu, "model").strip(), whole(gpu, "requests")
    values: list[tuple[str, JSONValue]] = [
        ("gpu", model),
        ("count", count),
        ("precision", text(overrides, "precision")),
        ("metric", text(overrides, "metric")),
    ]
    there = [(key, value) for key, value in values if value]
    words = [f"{value}gpu" if key == "count" else str(value) for key, value in there]
    return derived_template(base, there, words) if there else base


def state_of(template: JSONObject, dialect: Dialect, facts: Facts) -> str:
    """The template's status, or the one that it will get: a template with its own sources is ready at once if the cluster has its GPU.

    Empty if that isn't known. One that is paused before it has a status never gets one.
    """
    written = text(part(template, "status"), "status")
    if not written and is_paused(template, dialect):
        return "Pending"
    if written or not items(spec_of(template), "modelSources"):
        return written
    return READY if not dialect.is_aim_engine or has_gpu(template, dialect, facts) is not False else NOT_AVAILABLE


def has_gpu(template: JSONObject, dialect: Dialect, facts: Facts) -> bool | None:
    """Whether the cluster has the GPU that the template requests; `None` if its nodes aren't known."""
    if facts.inventory is None:
        return None
    gpu = lookup(spec_of(template), dialect.hardware)
    model, there = normalised(text(gpu, "model"), dialect), cluster_models(facts.inventory, dialect)
    if not dialect.is_aim_engine:
        return not model or model in there
    least = amount(gpu.get("minVram")) if isinstance(gpu, dict) else None
    if whole(gpu, "requests") <= 0:
        return not model or model in there
    if least is not None and least.sign() > 0 and max(there.values(), default=0) < least.value():
        return False
    return model in there if model else bool(there)


def _named(name: str, overrides: JSONObject, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> ResolvedTemplate:
    wanted = derived_name(name, overrides) if dialect.is_aim_engine else name
    found: JSONObject | None
    if wanted == name:
        found, unknown = named_template(name, dialect, namespace, facts, config)
    else:
        own, of_cluster = templates(dialect.group)
        found, unknown = find(own, facts, config, namespace, wanted), ""
        if found is None:
            found = find(of_cluster, facts, config, "", name)
            unknown = _lacks(own, namespace, wanted, facts) or _lacks(of_cluster, "", name, facts)
    if found is None and unknown:
        return ResolvedTemplate(unknown=unknown)
    if found is None:
        state = "Failed" if dialect.is_aim_engine else ""
        return ResolvedTemplate(failure=f'template "{wanted}" not found', reason="TemplateNotFound", state=state)
    return _checked(found, dialect, facts)


def _lacks(kind: Referent, namespace: str, name: str, facts: Facts) -> str:
    return kind.unknown if kind.is_missing(facts, namespace, name) is None else ""


def _checked(found: JSONObject, dialect: Dialect, facts: Facts) -> ResolvedTemplate:
    """A named template as the result, which depends on its status."""
    status, name = state_of(found, dialect, facts), name_of(found)
    kind = text(found, "kind")
    if status == READY:
        return ResolvedTemplate(found)
    if not status:
        return ResolvedTemplate(found, unsure=f"{kind} {name} has no status yet, and is taken for ready")
    if status in ("Failed", "Degraded", NOT_AVAILABLE) and not dialect.is_aim_engine:
        failed = next((one for one in items(found, "status", "conditions") if text(one, "type") == "Failure"), {})
        failed = failed if text(failed, "status") == "True" else {}
        message, reason = text(failed, "message") or "Template is not available", text(failed, "reason") or "TemplateDegraded"
        return ResolvedTemplate(found, failure=message, reason=reason, state="Failed" if status == "Failed" else "Degraded")
    if status in ("Failed", "Degraded"):
        return ResolvedTemplate(found, failure=f"{kind} {name} is in failed state", reason="TemplateNotReady", state="Failed")
    if status == NOT_AVAILABLE:
        return ResolvedTemplate(found, failure=f"{kind} {name} is NotAvailable", reason="TemplateNotAvailable")
    failure = f"{kind} {name} status: {status}"
    return ResolvedTemplate(found, failure=failure, reason="TemplateNotReady", state="Pending", waits=status in WAITING)


def candidates(model: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> list[TemplateCandidate]:
    """The templates of a model of this name in the namespace and in the cluster, as candidates."""
    return [_candidate(template, dialect, facts, config) for template in model_templates(model, dialect, namespace, facts)]


def model_templates(model: str, dialect: Dialect, namespace: str, facts: Facts) -> list[JSONObject]:
    """The templates of a model of this name in the namespace and in the cluster."""
    own, of_cluster = templates(dialect.group)
    return [
        template
        for kind, scope in ((own, namespace), (of_cluster, ""))
        for template in facts.objects.where(dialect.group, kind.kind, _model_of, (scope, model))
    ]


def _candidate(template: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> TemplateCandidate:
    """A template as a candidate."""
    applied = as_stored(template, namespace_of(template), facts, config)
    return candidate(applied, dialect, state_of(applied, dialect, facts))


def _chosen(spec: JSONObject, model: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> ResolvedTemplate:
    """The choice, which is the same for all services of a namespace with the same demands."""
    overrides, allows = part(spec, "overrides"), flag(part(spec, "template"), "allowUnoptimized")
    kinds = [(kind.group, kind.kind) for kind in templates(dialect.group)]
    # The choice depends on the configuration, which fills in templates. It is kept in the remembered value, so that its id isn't given to
    # another one.
    key = _chosen, model, namespace, json_text(overrides), allows, id(config)
    by = facts.inventory, facts.definitions
    held = facts.objects.once(kinds, key, lambda: (config, _choice(overrides, allows, model, dialect, namespace, facts, config)), by=by)
    return held[1]


def _choice(
    overrides: JSONObject, allows: bool, model: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration
) -> ResolvedTemplate:
    found = candidates(model, dialect, namespace, facts, config)
    unsure = next((kind.unknown for kind in templates(dialect.group) if not facts.objects.knows_all(kind.group, kind.kind)), "")
    if unsure and not found:
        return ResolvedTemplate(unknown=unsure)
    undiscovered = [one.name for one in found if not one.status]
    if undiscovered:
        return ResolvedTemplate(unknown=f"what discovery finds of template {', '.join(sorted(undiscovered))} isn't known yet")
    gpus = cluster_models(facts.inventory, dialect) if facts.inventory is not None else None
    selection = select(found, dialect, gpus, overrides=overrides, allow_unoptimized=allows)
    if selection.chosen is not None:
        return ResolvedTemplate(selection.chosen.template, selection, unsure=unsure)
    if unsure:
        return ResolvedTemplate(selection=selection, unknown=unsure)
    is_pending = dialect.is_aim_engine or selection.reason == "TemplateNotReady"
    # One of the templates may still get ready by itself.
    waits = selection.reason == "TemplateNotReady" and any(one.status in WAITING for one, _ in selection.left_out)
    reason = "TemplateNotFound" if dialect.is_aim_engine and selection.reason != "TemplateNotReady" else selection.reason
    state = "Pending" if is_pending else "Failed"
    return ResolvedTemplate(selection=selection, failure=selection.message, reason=reason, state=state, waits=waits)


def _model_of(template: JSONObject) -> tuple[str, str]:
    """The namespace of a template and its model."""
    return namespace_of(template), text(spec_of(template), "modelName")
