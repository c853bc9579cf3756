"""llama.cpp is started without a model: its download is skipped, and it can't fetch one by itself.

With `skipModelInit` llama.cpp's `--model` is empty. The field is for engines that fetch a repository by name (vLLM, SGLang).
If the image or a volume has the weights, pass their path in `extraArgs`, or name a repository or a folder of models there.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, flag, items, text, with_model
from weighbridge.policies.families.serving_engines.command_line import CommandLine

#: The flags that give llama.cpp a model, by their meaning.
_MODEL: Final = ("model", "model url", "repository", "docker repository", "models", "presets")
#: How flags that choose a certain model end: ``--gpt-oss-20b-default``.
_NAMED_MODELS: Final = ("-default", "-spec")
_VARIABLES: Final = frozenset(f"LLAMA_ARG_{name}" for name in ("MODEL_URL", "HF_REPO", "DOCKER_REPO", "MODELS_DIR", "MODELS_PRESET"))


@with_model.error(
    topic="Services: their Model and its weights",
    reads=PREDICTED,
    good="leaves-the-cuda-image-to-the-operator",
    bad="refuses-llamacpp-without-a-model",
)
def check(service: Service) -> Said:
    if service.runtime != "llamacpp" or not flag(service.spec, "skipModelInit") or service.line is None:
        return
    if not _has_model(service.line) and not _VARIABLES & {text(entry, "name") for entry in items(service.spec, "env")}:
        yield Violation(
            ("spec", "skipModelInit"),
            "llama.cpp is started with an empty --model",
            found="true",
            expected="false, or a model in extraArgs",
            hint="remove skipModelInit, or pass extraArgs: [--model, /path/of/the/weights.gguf]",
        )


def _has_model(line: CommandLine) -> bool:
    if any(given.flag.name.endswith(_NAMED_MODELS) for given in line.given):
        return True
    return any((given := line.final(meaning)) is not None and given.value for meaning in _MODEL)
