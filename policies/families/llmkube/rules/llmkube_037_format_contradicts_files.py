"""The format is GGUF, but the files aren't.

The CRD defaults `format` to `gguf`. The format decides what the operator passes to vLLM and SGLang: with `gguf` the
first file, with any other format the folder with all files, which a model in safetensors needs.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; upstream issue 1157.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, text
from weighbridge.policies.families.llmkube.subject.fileset import file_set

_FORMATS = {".safetensors": "safetensors", ".bin": "pytorch", ".pt": "pytorch"}


@models.warning(
    topic="Models: source, files and download", good="accepts-files-of-another-format", bad="warns-of-a-format-that-the-files-contradict"
)
def check(model: Model) -> Said:
    files = file_set(model.object).files
    held = next((form for file in files for end, form in _FORMATS.items() if file.endswith(end)), "")
    if held and text(model.spec, "format", "gguf") == "gguf" and not any(file.endswith(".gguf") for file in files):
        said = f'is gguf, so vLLM and SGLang load only "{files[0]}" and not the folder with all files'
        yield Violation(("spec", "format"), said, found="gguf", expected=held)
