"""The name of the service or of its Model is too long for a label.

Both become labels of the pods, and a label's value has at most 63 characters. The API server refuses the Deployment, and the
operator tells no more than `Failed to create Deployment`.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service.labels import LONGEST_VALUE
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.is_metal:
        return
    for path, name in ((("metadata", "name"), name_of(serving.service)), (("spec", "modelRef"), text(serving.spec, "modelRef"))):
        if len(name) > LONGEST_VALUE:
            yield RULE.finding(
                path,
                f"the name has {len(name)} characters, but it becomes a label of the pods, which may have {LONGEST_VALUE}",
                found=name,
                expected=f"at most {LONGEST_VALUE} characters",
            )


RULE = Rule(
    id="LLMKUBE-072",
    name="name-too-long",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Model",),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
)
