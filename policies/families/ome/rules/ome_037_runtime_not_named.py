"""A service has a `spec.runtime` without a name.

OME's webhook takes the runtime for given and looks at none, then its controller selects one as if nothing stood there: what the webhook
would have refused fails without a word. Name the runtime, or leave `spec.runtime` out.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    runtime = spec_of(request.object).get("runtime")
    if isinstance(runtime, dict) and not text(runtime, "name"):
        message = "a runtime without a name is none: OME's webhook checks nothing, and its controller selects one"
        yield RULE.finding(("spec", "runtime", "name"), message, hint="name the runtime, or leave spec.runtime out")


RULE = Rule(
    id="OME-037",
    name="runtime-not-named",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="""\
model: {name: llama}
runtime: {name: "", kind: ServingRuntime}
engine: {}
""",
)
