"""Which template the operator chooses for a service that names none, and why it leaves out each of the others.

Source: kaiwo dbca1b55, internal/controller/aim/shared/profile_selection.go; aim-engine v0.2.1, internal/aimservice/selection.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.subject.gpus import normalised
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

READY: Final = "Ready"
#: Why a template isn't chosen, by its status.
_NOT_READY: Final = {
    "": "TemplatePending",
    "Pending": "TemplatePending",
    "Progressing": "TemplateProgressing",
    "NotAvailable": "TemplateNotAvailable",
    "Degraded": "TemplateDegraded",
    "Failed": "TemplateFailed",
}
_UNLISTED: Final = 1000


@dataclass(frozen=True, slots=True)
class TemplateCandidate:
    """A template with the values that decide the choice; `status` is empty if the operator hasn't written one."""

    template: JSONObject
    status: str
    type: str
    metric: str
    precision: str
    gpu: str
    count: int
    #: The rank by type, GPU, metric and precision; the lowest is the best.
    rank: tuple[int, int, int, int]

    @property
    def name(self) -> str:
        """The template's name."""
        return name_of(self.template)

    @property
    def is_namespaced(self) -> bool:
        """Whether it is in the service's namespace."""
        return bool(namespace_of(self.template))


@dataclass(frozen=True, slots=True)
class TemplateSelection:
    """The choice: the chosen template, or why there is none, and the reason why each candidate is left out, in the candidates' order."""

    chosen: TemplateCandidate | None
    reason: str
    message: str
    left_out: Sequence[tuple[TemplateCandidate, str]] = ()
    tied: Sequence[TemplateCandidate] = ()


def candidate(template: JSONObject, dialect: Dialect, status: str) -> TemplateCandidate:
    """A template as a candidate: with metric and precision from its profile, else its spec, and the GPU from its spec, else its profile."""
    spec, profile = spec_of(template), part(template, "status", "profile", "metadata")
    gpu = lookup(spec, dialect.hardware)
    inline = bool(items(spec, "modelSources"))
    kind = text(profile, "type") or (text(spec, "type") if inline and dialect.is_aim_engine else "")
    metric, precision = (text(profile, key) or text(spec, key) for key in ("metric", "precision"))
    named, found = text(gpu, "model"), text(profile, "gpu").strip()
    # aim-engine reads a blank name as a GPU, which no cluster has; kaiwo then reads the profile.
    model = named or found if dialect.is_aim_engine else named.strip() or found
    orders = (kind, dialect.types), (model.strip(), dialect.gpus), (metric, dialect.metrics), (precision, dialect.precisions)
    by_type, by_gpu, by_metric, by_precision = (_place(value, order) for value, order in orders)
    count = whole(gpu, dialect.count) or whole(profile, "gpuCount")
    return TemplateCandidate(template, status, kind, metric, precision, model, count, (by_type, by_gpu, by_metric, by_precision))


def is_derived(template: JSONObject, dialect: Dialect) -> bool:
    """Whether kaiwo derived the template from another one with a service's overrides."""
    return text_map(template, "metadata", "labels").get(f"{dialect.group}/derived-template") == "true"


def select(
    found: Iterable[TemplateCandidate],
    dialect: Dialect,
    gpus: Mapping[str, JSONValue] | None,
    *,
    overrides: JSONObject,
    allow_unoptimized: bool,
) -> TemplateSelection:
    """The choice among the templates of a model; `gpus` are the models in the cluster, `None` if these aren't known."""
    candidates = [one for one in found if not (dialect.skips_derived and is_derived(one.template, dialect))]
    if not candidates:
        return TemplateSelection(None, "TemplateNotFound", "the model has no template")
    left_out: list[tuple[TemplateCandidate, str]] = []

    def keep(fits: Callable[[TemplateCandidate], bool], why: Callable[[TemplateCandidate], str]) -> list[TemplateCandidate]:
        left_out.extend((one, why(one)) for one in candidates if not fits(one))
        return [one for one in candidates if fits(one)]

    def ends(reason: str, message: str) -> TemplateSelection:
        return TemplateSelection(None, reason, message, left_out)

    candidates = keep(lambda one: one.status == READY, lambda one: _NOT_READY.get(one.status, "TemplateNotReady"))
    if not candidates:
        return ends("TemplateNotReady", "no template of the model is ready")
    candidates = keep(lambda one: allow_unoptimized or one.type == "optimized", lambda _: "UnoptimizedTemplateFiltered")
    if not candidates:
        return ends("TemplateNotFound", "all templates are unoptimized, and spec.template.allowUnoptimized isn't set")
    if dialect.filters_by_overrides:
        candidates = keep(lambda one: _fits(one, overrides, dialect), lambda _: "ServiceOverridesNotMatched")
        if not candidates:
            return ends("TemplateNotFound", "no template fits spec.overrides")
    if gpus is not None:
        there = {normalised(model, dialect) for model in gpus}
        candidates = keep(lambda one: not one.gpu or normalised(one.gpu, dialect) in there, lambda _: "RequiredGPUNotInCluster")
        if not candidates:
            return ends("TemplateNotFound", "the cluster has none of the templates' GPUs")
    if any(one.is_namespaced for one in candidates):
        candidates = keep(lambda one: one.is_namespaced, lambda _: "NamespacedTemplatePreferred")
    best = min(one.rank for one in candidates)
    # kaiwo ignores the type when it looks for ties.
    compared = slice(1 if dialect.ties_by_type else 0, None)
    tied = [one for one in candidates if one.rank[compared] == best[compared]]
    if len(tied) != 1:
        return TemplateSelection(None, "TemplateSelectionAmbiguous", "several templates are equally good", left_out, tied)
    winner = next(one for one in candidates if one.rank == best)
    left_out.extend((one, "LowerPreferenceRank") for one in candidates if one is not winner)
    return TemplateSelection(winner, "BestMatch", "", left_out)


@lru_cache(maxsize=1024)
def _place(value: str, order: tuple[str, ...]) -> int:
    """The rank in an order; values that it lacks share the last rank."""
    places = [known.upper() for known in order]
    return places.index(value.upper()) if value.upper() in places else len(order) + _UNLISTED


def _fits(one: TemplateCandidate, overrides: JSONObject, dialect: Dialect) -> bool:
    """Whether a template is already what the overrides ask for."""
    if not overrides:
        return True
    gpu = lookup(overrides, dialect.hardware)
    model, count = text(gpu, "model"), whole(gpu, dialect.count)
    if any(text(overrides, key) and text(overrides, key).lower() != value.lower() for key, value in _values(one)):
        return False
    # For aim-engine a template that names no GPU fits any.
    if model and (one.gpu or not dialect.is_aim_engine) and normalised(model, dialect) != normalised(one.gpu, dialect):
        return False
    return not count or not one.count or count == one.count


def _values(one: TemplateCandidate) -> tuple[tuple[str, str], ...]:
    return ("metric", one.metric), ("precision", one.precision)
