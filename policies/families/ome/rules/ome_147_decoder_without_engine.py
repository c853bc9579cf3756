"""A service has a decoder and no engine.

A decoder takes over from an engine that reads the prompt, and OME's webhook refuses one alone.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if "decoder" in spec and "engine" not in spec and not spec.get("predictor"):
        yield RULE.finding(("spec", "decoder"), "a decoder needs an engine beside it", hint="add spec.engine")


RULE = Rule(
    id="OME-147",
    name="decoder-without-engine",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
decoder: {}
""",
    bad="""\
model: {name: llama}
decoder: {}
""",
)
