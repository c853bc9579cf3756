"""llama.cpp is started without a model: its download is skipped, and it can't fetch one by itself.

With `skipModelInit` its `--model` is empty. The field is for engines that fetch a repository by name (vLLM, SGLang). Who brings the
weights along passes their path in `extraArgs`.

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
from policies.fields import flag, texts
from policies.findings import Finding, Severity
from policies.request import Request

#: The arguments by which llama.cpp is told where its model comes from.
_MODEL: Final = frozenset({"-m", "--model", "-mu", "--model-url", "-hf", "-hfr", "--hf-repo", "-dr", "--docker-repo"})


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.runtime != "llamacpp" or not flag(serving.spec, "skipModelInit") or serving.spec.get("command"):
        return
    if not any(argument.partition("=")[0] in _MODEL for argument in texts(serving.spec, "extraArgs")):
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
    reads=("Model",),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nskipModelInit: true\nextraArgs: [--model, /data/model.gguf]",
    bad="modelRef: gguf\nskipModelInit: true",
)
