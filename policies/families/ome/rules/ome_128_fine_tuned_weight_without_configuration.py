"""A fine-tuned weight has no configuration.

The schema leaves it open, and OME reads it as JSON whenever a service uses the weight: nothing at all is none, and the service is never
deployed. `{}` does.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if "configuration" not in spec_of(request.object):
        message = "services that use it are never deployed: OME reads the configuration, and there is none"
        yield RULE.finding(("spec", "configuration"), message, hint="give {} where there is nothing to say")


RULE = Rule(
    id="OME-128",
    name="fine-tuned-weight-without-configuration",
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
hyperParameters: {strategy: lora}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
)
