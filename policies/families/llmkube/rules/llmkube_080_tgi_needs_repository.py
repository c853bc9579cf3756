"""TGI gets a source that isn't a Hugging Face repository.

The operator never stages weights for TGI, but passes the source unchanged. TGI can't fetch a claim, a bucket or a URL, and
doesn't read `files`.

Source: LLMKube v0.9.19, internal/controller/runtime_tgi.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.served_source import served_source
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, with_model
from weighbridge.policies.ground.expressions import expression

_UNREADABLE: Final = expression(r"(?:pvc|s3|https?|file)://")


@with_model.error(topic="Services: their Model and its weights", good="accepts-tgi-with-a-repository", bad="refuses-tgi-with-a-file")
def check(service: Service) -> Said:
    if service.runtime != "tgi" or service.spec.get("command"):
        return
    source = service.source.text
    if _UNREADABLE.match(served_source(source, service.operator)):
        yield Violation(
            ("spec", "modelRef"),
            f'tgi is given "{source}" as its model, but can fetch only repositories of Hugging Face',
            found=source,
            expected="a Model with source OWNER/REPOSITORY",
            hint="use runtime vllm or llamacpp, for which the operator brings the weights into the pod",
        )
