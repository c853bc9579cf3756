"""llama.cpp is started without a model: its download is skipped, and it can't fetch one by itself.

With `skipModelInit` its `--model` is empty. The field is for engines that fetch a repository by name (vLLM, SGLang). Who brings the
weights along passes their path in `extraArgs`, or names a repository or a folder of models there.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.families.serving_engines.command_line import CommandLine
from policies.fields import flag, items, text
from policies.findings import Finding, Severity
from policies.request import Request

#: What tells llama.cpp where its model comes from.
_MODEL: Final = ("model", "model url", "repository", "docker repository", "models", "presets")
#: Flags that stand for a model: ``--gpt-oss-20b-default``.
_NAMED_MODELS: Final = ("-default", "-spec")
_VARIABLES: Final = frozenset(f"LLAMA_ARG_{name}" for name in ("MODEL_URL", "HF_REPO", "DOCKER_REPO", "MODELS_DIR", "MODELS_PRESET"))


def _has_model(line: CommandLine) -> bool:
    if any(given.flag.name.endswith(_NAMED_MODELS) for given in line.given):
        return True
    return any((given := line.final(meaning)) is not None and given.value for meaning in _MODEL)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.runtime != "llamacpp" or not flag(serving.spec, "skipModelInit"):
        return
    found = serving.started
    if found is not None and not _has_model(found.line) and not _VARIABLES & {text(entry, "name") for entry in items(serving.spec, "env")}:
        yield RULE.finding(
            ("spec", "skipModelInit"),
            "llama.cpp is started with an empty --model",
            found="true",
            expected="false, or a model in extraArgs",
            hint="remove skipModelInit, or pass extraArgs: [--model, /path/of/the/weights.gguf]",
        )


RULE = Rule(
    id="LLMKUBE-078",
    name="model-download-skipped",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp.go",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nskipModelInit: true\nextraArgs: [--model, /data/model.gguf]",
    bad="modelRef: gguf\nskipModelInit: true",
)
