"""Another template of the model is as good as this one, so services can't choose.

A service that names no template gets the best one by type, GPU, metric and precision; the number of GPUs doesn't count. If two are
equal, aim-engine chooses none, and kaiwo fails the service. Give one of the templates another metric, or let services name their
template.

Source: aim-engine v0.2.1, internal/aimservice/selection.go; kaiwo dbca1b55, internal/controller/aim/shared/profile_selection.go.
"""

from collections.abc import Hashable
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.selection import candidate
from weighbridge.policies.families.aim.rulebook import Given, Said, Template, Violation, of_both_groups, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.spelling import listed


@templates.warning(
    reads=of_both_groups("AIMClusterServiceTemplate", "AIMServiceTemplate"),
    good="accepts-a-template-of-another-type",
    bad="warns-of-a-template-that-equals-another",
)
def check(template: Template, given: Given) -> Said:
    if not text(template.spec, "modelName"):
        return
    namespace = given.namespace if given.kind == "AIMServiceTemplate" else ""
    rank = namespace, *_rank(template.object, template.dialect)
    derived = f"{OLD}/derived-template"
    equal = sorted(
        name_of(other)
        for other in given.facts.objects.where(given.group, given.kind, _RANKS[template.dialect.group], rank)
        if name_of(other) != given.name and derived not in part(metadata_of(other), "labels")
    )
    if equal:
        yield Violation(
            ("spec", "modelName"),
            f"services that name no template find none: {listed(equal)} {'has' if len(equal) == 1 else 'have'} the same type, GPU, "
            "metric and precision",
            hint="give it another metric or precision, or let services name their template",
        )


def _rank(template: JSONObject, dialect: Dialect) -> tuple[str, ...]:
    """The values that decide the choice, with the template's model."""
    found, spec = candidate(template, dialect, ""), spec_of(template)
    return text(spec, "modelName"), text(spec, "type"), found.gpu.upper(), found.metric, found.precision


def _old_rank(template: JSONObject) -> Hashable:
    return namespace_of(template), *_rank(template, dialect_of(OLD))


def _new_rank(template: JSONObject) -> Hashable:
    return namespace_of(template), *_rank(template, dialect_of(NEW))


#: The functions by which the store files templates, by their group.
_RANKS: Final = {OLD: _old_rank, NEW: _new_rank}
