"""The tables that `dry-run` prints for services and runtime configs: the merged configuration, the values that it loses, and the candidate
templates.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig, owner_of
from weighbridge.policies.families.aim.predictions.selection import TemplateCandidate, TemplateSelection
from weighbridge.policies.families.aim.predictions.service_layer import ServiceConfig
from weighbridge.policies.families.prediction import Table, choice_table
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import field, namespace_of

#: Why a template is left out; the keys are the operator's own reasons.
_WHY = {
    "TemplatePending": "it has no status yet",
    "TemplateProgressing": "its discovery is still running",
    "TemplateNotAvailable": "the cluster doesn't have its GPU",
    "TemplateDegraded": "it is degraded",
    "TemplateFailed": "its discovery failed",
    "LowerPreferenceRank": "another one is preferred",
    "NamespacedTemplatePreferred": "one of the namespace is preferred",
    "RequiredGPUNotInCluster": "the cluster doesn't have its GPU",
    "ServiceOverridesNotMatched": "it doesn't fit spec.overrides",
    "TemplateNotReady": "it isn't ready",
    "UnoptimizedTemplateFiltered": "it is unoptimized",
}
#: The reasons of templates that would fit.
_OUTRANKED = ("LowerPreferenceRank", "NamespacedTemplatePreferred")


def tables(config: RuntimeConfig, selection: TemplateSelection | None, service: ServiceConfig | None = None) -> list[Table]:
    """The tables that have rows; for a service with the values that win over its configs."""
    found = [_merged(config, service), _lost(config), *([_templates(selection)] if selection is not None else [])]
    return [table for table in found if table.rows]


def _merged(config: RuntimeConfig, service: ServiceConfig | None) -> Table:
    layered = service or config
    own = service.owner if service is not None else ""
    rows = [
        (
            value.field.removeprefix("spec."),
            json_text(value.value),
            _scope(config, value.source.removesuffix(value.field).rstrip(" ,"), own),
            _scope(config, value.reason.removeprefix("overrides: ")),
        )
        for value in layered.values()
    ]
    return Table(f"runtime config: {layered.title}", ("field", "value", "from", "overrides"), rows)


def _lost(config: RuntimeConfig) -> Table:
    rows = [
        (
            field(lost.path),
            json_text(lost.value),
            _scope(config, lost.owner),
            "nothing" if lost.instead is None else json_text(lost.instead),
        )
        for lost in config.ignored()
    ]
    return Table("values that the merge of the two loses:", ("field", "value", "of", "what applies"), rows)


def _scope(config: RuntimeConfig, said: str, service: str = "") -> str:
    """A text about the configs and the service, with their scopes in place of their names."""
    if service and said == service:
        return "service"
    for found, scope in ((config.namespaced, "namespace"), (config.cluster, "cluster")):
        said = said.replace(owner_of(found), scope) if found is not None else said
    return said.replace("both configs", "both")


def _templates(selection: TemplateSelection) -> Table:
    columns = ("template", "scope", "status", "GPU", "metric", "precision", "outcome")
    also = sum(reason in _OUTRANKED for _, reason in selection.left_out)
    chosen = len(selection.tied) + (selection.chosen is not None)
    return choice_table("templates of the model:", columns, list(_rows(selection)), chosen, also)


def _rows(selection: TemplateSelection) -> Iterator[tuple[str, ...]]:
    if selection.chosen is not None:
        yield _row(selection.chosen, "chosen")
    for one in selection.tied:
        yield _row(one, "as good as another, so none is chosen")
    outranked = [found for found in selection.left_out if found[1] in _OUTRANKED]
    # A template that is left out at a later step comes nearer to the choice.
    others = [found for found in selection.left_out if found[1] not in _OUTRANKED][::-1]
    for one, reason in (*outranked, *others):
        yield _row(one, f"left out: {_WHY.get(reason, reason)}")


def _row(one: TemplateCandidate, outcome: str) -> tuple[str, ...]:
    scope = "namespace" if namespace_of(one.template) else "cluster"
    gpu = f"{one.count} x {one.gpu}" if one.count and one.gpu.strip() else one.gpu.strip()
    return one.name, scope, one.status or "none", gpu or "any", one.metric or "any", one.precision or "any", outcome
