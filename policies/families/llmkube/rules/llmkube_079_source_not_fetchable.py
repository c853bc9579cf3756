"""The engine has to fetch the model itself, from a source that it can't read.

With `skipModelInit` the operator passes the Model's source to vLLM and SGLang unchanged. They read Hugging Face repositories
and folders of their container, but no claim (pvc://), no URL of a file and no URL of a page.

Source: LLMKube v0.9.19, internal/controller/runtime_vllm.go; internal/controller/source.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.fill.model_download import FETCHING
from weighbridge.policies.families.llmkube.predictions.engines.served_source import served_source
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, flag, with_model

_UNKNOWN: Final = ("pvc://", "http://", "https://", "file://")


@with_model.error(
    topic="Services: their Model and its weights", good="accepts-sglang-to-fetch-a-repository", bad="refuses-sglang-to-fetch-from-a-url"
)
def check(service: Service) -> Said:
    if service.runtime not in FETCHING or not flag(service.spec, "skipModelInit") or service.spec.get("command"):
        return
    argument = served_source(service.source.text, service.operator)
    if argument.startswith(_UNKNOWN):
        yield Violation(
            ("spec", "skipModelInit"),
            f'{service.runtime} is given "{argument}" as its model, which it can\'t read',
            found="true",
            expected="false",
            hint="remove skipModelInit, so that the operator brings the weights into the pod",
        )
