"""No runtime can be selected for a service's model.

A service that names no runtime gets the best of those that fit and have a format with `autoSelect`. Where there is none, OME's webhook
refuses the service. `weighbridge dry-run` lists every runtime with the reason against it.

Source: OME v0.1.5 pkg/runtimeselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.selection.choice import awaiting, nearest_misses
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, MODEL, OTHERS, RUNTIME
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request

#: Candidates whose reasons are told.
_MOST: Final = 3


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return
    selection, model = serving.selection, serving.model.model
    if selection is None or model is None or selection.chosen is not None or selection.blocking:
        return
    if serving.missing_classes:
        # Of a class that isn't there another rule speaks, and no runtime is of any help.
        return
    if serving.unknown_runtimes:
        yield RULE.unchecked(serving.unknown_runtimes)
        return
    if selection.awaited and serving.is_selected_at_admission:
        # OME-173 speaks of what the webhook refuses until then.
        return
    if selection.awaited:
        yield RULE.unchecked(awaiting(model, selection.awaited))
        return
    reasons = [f"{one.runtime.title}: {selection.reason(one)}" for one in nearest_misses(selection, _MOST)]
    yield RULE.finding(
        ("spec", "model", "name"),
        f"no runtime can be selected for {model.title}",
        nearest="; ".join(reasons),
        hint="apply a runtime that supports the model with autoSelect: true, or name one in spec.runtime.name",
    )


RULE = Rule(
    id="OME-004",
    name="no-runtime-fits",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/selector.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=CLASS_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=MODEL + "---\n" + MODEL.replace("llama", "huge").replace("8B", "70B") + RUNTIME + OTHERS,
    check=_check,
    good="model: {name: llama}\nengine: {}",
    bad="model: {name: huge}\nengine: {}",
)
