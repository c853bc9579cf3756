"""`skipModelInit` for services whose engine fetches the model itself.

For a Hugging Face repository without `files` the operator's init container downloads the repository's name as if it were a file, and fails.
vLLM and SGLang accept the name and fetch the repository themselves, so they don't need the init container. llama.cpp would start with an
empty model path: it needs `files`.

Source: LLMKube v0.9.19, internal/controller/model_storage.go and source.go; upstream issue 292.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.served_source import served_source
from weighbridge.policies.families.llmkube.subject.fileset import declares_files
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, Path

PATH: Final[Path] = ("spec", "skipModelInit")

#: The engines that take a repository's name as their model.
FETCHING: Final = frozenset({"vllm", "sglang"})


def is_fetched_whole(model: JSONObject, operator: KnownOperator) -> bool:
    """Whether a Model's source is a repository from which no files are picked."""
    return parse(text(spec_of(model), "source"), operator).kind is SourceKind.REPOSITORY and not declares_files(model)


def is_plain_name(model: JSONObject, operator: KnownOperator) -> bool:
    """Whether an engine that fetches by itself gets OWNER/NAME for the Model; it can't use a revision or an URL."""
    name = served_source(text(spec_of(model), "source"), operator)
    return name.count("/") == 1 and not any(mark in name for mark in ":@")


def skip_model_init(situation: Situation) -> Filling | None:
    """`true` where the engine fetches the model itself; `None` elsewhere."""
    model, operator = situation.model, situation.operator
    if situation.runtime not in FETCHING or not is_fetched_whole(model, operator) or not is_plain_name(model, operator):
        return None
    return Filling(True, "runtime table", f"{situation.runtime} fetches a Hugging Face repository by itself")
