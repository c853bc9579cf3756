"""A fine-tuned weight doesn't say by which strategy it was made.

OME takes `hyperParameters.strategy` as a text, such as `lora`. Where it is absent the service's Deployment is refused for a volume that
isn't there, and over a number the controller panics. The service shows neither.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    strategy = part(spec, "hyperParameters").get("strategy")
    if not isinstance(strategy, str) or not strategy:
        message = "services that use it are never deployed: OME needs the strategy as a text"
        yield RULE.finding(("spec", "hyperParameters", "strategy"), message, expected="lora or tfew")


RULE = Rule(
    id="OME-127",
    name="fine-tuned-weight-without-strategy",
    severity=Severity.ERROR,
    kinds=("FineTunedWeight",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    check=_check,
    good="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {strategy: lora}
configuration: {}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
    bad="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {}
configuration: {}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
)
