"""A service names a model that is disabled.

OME's controller comes no further with it, and the service gets no pods. Set `disabled: false` in the model, or name another.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import MODEL, MODEL_READS, SERVABLE
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    model = serving.model.model if serving is not None and not serving.is_virtual else None
    if model is not None and model.is_disabled:
        yield RULE.finding(
            ("spec", "model", "name"),
            f"{model.title} is disabled, so the service gets no pods",
            found=model.name,
            hint="set disabled: false in the model, or name another one",
        )


RULE = Rule(
    id="OME-008",
    name="model-disabled",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go",
    reads=MODEL_READS,
    is_about_failure=True,
    beside=SERVABLE + "---\n" + MODEL.replace("llama", "retired").replace("spec:\n", "spec:\n  disabled: true\n"),
    check=_check,
    good="model: {name: llama}\nengine: {}",
    bad="model: {name: retired}\nengine: {}",
)
