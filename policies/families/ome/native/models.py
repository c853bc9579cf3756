"""Rules about models, accelerator classes and fine-tuned weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of, whole_amount

_WORDS: Final = {
    "modelCapabilities": (
        *("TEXT_GENERATION", "TEXT_SUMMARIZATION", "TEXT_EMBEDDINGS", "TEXT_RERANK", "CHAT", "VISION", "EMBEDDING", "RERANK"),
        *("TEXT_TO_TEXT", "TEXT_TO_AUDIO", "TEXT_TO_IMAGE", "TEXT_TO_VIDEO", "IMAGE_TEXT_TO_TEXT", "IMAGE_TEXT_TO_AUDIO"),
        *("IMAGE_TEXT_TO_IMAGE", "IMAGE_TEXT_TO_VIDEO", "VIDEO_TEXT_TO_AUDIO", "AUDIO_TO_TEXT", "AUDIO_TO_AUDIO", "AUDIO_TRANSLATION"),
        *("IMAGE_TO_TEXT", "TEXT_TO_EMBEDDING", "VIDEO_TEXT_TO_TEXT", "REWARD_SCORING", "IMAGE_TEXT_TO_EMBEDDING", "AUDIO_TEXT_TO_TEXT"),
    ),
    "apiCapabilities": tuple(
        f"OPENAI_V1_{name}"
        for name in (
            *("CHAT_COMPLETIONS", "RESPONSES", "EMBEDDINGS", "IMAGES_GENERATIONS", "IMAGES_EDITS", "AUDIO_SPEECH"),
            *("AUDIO_TRANSCRIPTIONS", "AUDIO_TRANSLATIONS", "REALTIME"),
        )
    ),
    "servingMode": ("On-demand", "Dedicated"),
}
_MEMORY: Final = "object.?spec.capabilities.memoryGB"


def _unknown(field: str) -> str:
    known = ", ".join(f"'{word}'" for word in _WORDS[field])
    return (
        f"object.?spec.{field}.orValue([]).transformList(i, word, !(word in [{known}]),"
        f" 'spec.{field}[' + string(i) + \"]: OME doesn't know \\\"\" + word + '\"')"
    )


TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-024": native(none_of("unknown"), unknown=" + ".join(map(_unknown, _WORDS))),
    "OME-026": native(
        must(
            "!variables.memory.isLessThan(quantity('1073741824')) || variables.memory.isGreaterThan(quantity('1073741823'))",
            ".spec.capabilities.memoryGB",
            says=(
                f"'OME reads ' + string({_MEMORY}.value()) + ' as ' + string({whole_amount('variables.memory')}) + ' bytes, and so as 0 GB'"
            ),
        ),
        memory=f"quantity({_MEMORY}.hasValue() && isQuantity(string({_MEMORY}.value())) ? string({_MEMORY}.value()) : '1Gi')",
    ),
    "OME-027": native(
        must(
            "object.?spec.discovery.nodeSelector.orValue({}).size() > 0",
            ".spec.discovery.nodeSelector",
            "without labels every node is of the class, also those without accelerators",
        )
    ),
    "OME-030": native(
        must(
            "object.?spec.storage.path.orValue('') == '' || !object.metadata.?name.orValue('').contains('.')",
            ".metadata.name",
            "pods mount the model as a volume of this name, and names of volumes have no dots",
        ),
        must(
            "object.?spec.storage.path.orValue('') == '' || object.metadata.?name.orValue('').matches('[.]|^.{0,63}$')",
            ".metadata.name",
            "pods mount the model as a volume of this name, which has more than 63 characters",
        ),
    ),
    "OME-127": native(
        must(
            "type(variables.strategy) == string && variables.strategy != ''",
            "",
            "spec.hyperParameters.strategy: services that use it are never deployed: OME needs the strategy as a text",
        ),
        strategy="object.?spec.hyperParameters.strategy.orValue('')",
    ),
    "OME-128": native(
        must(
            "object.?spec.configuration.hasValue()",
            ".spec.configuration",
            "services that use it are never deployed: OME reads the configuration, which is missing",
        )
    ),
    "OME-129": native(
        must(
            "variables.merged == null || type(variables.merged) == bool",
            "",
            "spec.configuration.merged_weights: only the boolean true counts, so OME loads the weight as an adapter",
        ),
        merged="dyn(object).?spec.configuration.merged_weights.orValue(null)",
    ),
}
