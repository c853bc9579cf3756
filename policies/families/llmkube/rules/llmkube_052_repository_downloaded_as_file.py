"""A Hugging Face repository is the source, no files are picked from it, and the operator is to download it.

Its init container asks for the repository's name as if it were a file and fails, so the pod never starts. llama.cpp needs one file:
name it in the Model's `files`. vLLM and SGLang fetch repositories by themselves: `skipModelInit: true` keeps the init container
out.

Source: LLMKube v0.9.19 internal/controller/model_storage.go; upstream issue 292.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.fill.model_download import FETCHING, is_fetched_whole, is_plain_name
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import STAGED_ENGINES
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.fields import flag
from weighbridge.policies.ground.objects import name_of


@services.error(
    mirrors="event MissingSkipModelInit",
    reads=("Deployment.apps", "Model"),
    good="fills-the-port-of-tgi",
    bad="refuses-a-repository-that-llamacpp-can-not-fetch",
)
def check(serving: Serving) -> Said:
    model = serving.pod_model
    if model is None or serving.runtime not in STAGED_ENGINES or flag(serving.spec, "skipModelInit"):
        return
    if not is_fetched_whole(model, serving.operator):
        return
    fetches = serving.runtime in FETCHING and is_plain_name(model, serving.operator)
    yield Violation(
        ("spec", "skipModelInit") if fetches else ("spec", "modelRef"),
        f'the init container downloads "{serving.source.text}" as if it were a file, and fails',
        found="not true" if fetches else serving.source.text,
        expected="true" if fetches else "a Model that lists files of the repository",
        hint=f"set skipModelInit: {serving.runtime} fetches the repository by itself" if fetches else _instead(serving, name_of(model)),
    )


def _instead(serving: Serving, model: str) -> str:
    """What to write in the Model: the plain name for an engine that fetches by that, else the files."""
    repository, engine = serving.source.repository, serving.runtime
    if engine not in FETCHING:
        return f"list the file in files of Model {model}, such as files: [model-Q4_K_M.gguf] with source hf://{repository}"
    files = f"list the repository's files in files of Model {model} with source hf://{repository}"
    if not is_plain_name({"spec": {"source": repository}}, serving.operator):
        return files
    return f"write {repository} as the source of Model {model}, which {engine} fetches by itself, or {files}"
