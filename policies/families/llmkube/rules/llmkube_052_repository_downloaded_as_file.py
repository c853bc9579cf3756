"""The operator has to download a Hugging Face repository, but the Model names no file of it.

The init container requests the repository's name as if it were a file, and fails, so the pod never starts. llama.cpp needs one
file: name it in the Model's `files`. vLLM and SGLang fetch repositories themselves: set `skipModelInit: true` to leave the init
container out.

Source: LLMKube v0.9.19, internal/controller/model_storage.go; upstream issue 292.
"""

from weighbridge.policies.families.llmkube.fill.model_download import FETCHING, is_fetched_whole, is_plain_name
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import STAGED_ENGINES
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, flag, name_of, with_model


@with_model.error(
    topic="Services: their Model and its weights",
    mirrors="event MissingSkipModelInit",
    good="fills-the-port-of-tgi",
    bad="refuses-a-repository-that-llamacpp-can-not-fetch",
)
def check(service: Service) -> Said:
    model, engine, source = service.model or {}, service.runtime, service.source.text
    if engine not in STAGED_ENGINES or flag(service.spec, "skipModelInit") or not is_fetched_whole(model, service.operator):
        return
    message = f'the init container downloads "{source}" as if it were a file, and fails'
    if engine in FETCHING and is_plain_name(model, service.operator):
        hint = f"set skipModelInit: {engine} fetches the repository by itself"
        yield Violation(("spec", "skipModelInit"), message, found="not true", expected="true", hint=hint)
    else:
        expected, hint = "a Model that lists files of the repository", _instead(service, name_of(model))
        yield Violation(("spec", "modelRef"), message, found=source, expected=expected, hint=hint)


def _instead(service: Service, model: str) -> str:
    """What to write in the Model: the plain name for an engine that fetches a repository by its name, else the files."""
    repository, engine = service.source.repository, service.runtime
    if engine not in FETCHING:
        return f"list the file in files of Model {model}, such as files: [model-Q4_K_M.gguf] with source hf://{repository}"
    files = f"list the repository's files in files of Model {model} with source hf://{repository}"
    if not is_plain_name({"spec": {"source": repository}}, service.operator):
        return files
    return f"write {repository} as the source of Model {model}, which {engine} fetches by itself, or {files}"
