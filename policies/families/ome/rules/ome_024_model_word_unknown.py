"""A capability or serving mode of a model is no word of OME's.

These fields are free texts in the CRD, and whoever looks for models by them finds none under another word. Words that upstream's own models
use are taken as well.

Source: OME v0.1.5 pkg/apis/ome/v1beta1/model.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.spelling import similar

#: The words of upstream's code, then those of the models that it ships.
_CAPABILITIES: Final = frozenset(
    [
        "TEXT_GENERATION",
        "TEXT_SUMMARIZATION",
        "TEXT_EMBEDDINGS",
        "TEXT_RERANK",
        "CHAT",
        "VISION",
        "EMBEDDING",
        "RERANK",
        "TEXT_TO_TEXT",
        "TEXT_TO_AUDIO",
        "TEXT_TO_IMAGE",
        "TEXT_TO_VIDEO",
        "IMAGE_TEXT_TO_TEXT",
        "IMAGE_TEXT_TO_AUDIO",
        "IMAGE_TEXT_TO_IMAGE",
        "IMAGE_TEXT_TO_VIDEO",
        "VIDEO_TEXT_TO_AUDIO",
        "AUDIO_TO_TEXT",
        "AUDIO_TO_AUDIO",
        "AUDIO_TRANSLATION",
        "IMAGE_TO_TEXT",
        "TEXT_TO_EMBEDDING",
        "VIDEO_TEXT_TO_TEXT",
        "REWARD_SCORING",
        "IMAGE_TEXT_TO_EMBEDDING",
        "AUDIO_TEXT_TO_TEXT",
    ]
)
_APIS: Final = frozenset(
    f"OPENAI_V1_{name}"
    for name in (
        *("CHAT_COMPLETIONS", "RESPONSES", "EMBEDDINGS", "IMAGES_GENERATIONS", "IMAGES_EDITS", "AUDIO_SPEECH"),
        *("AUDIO_TRANSCRIPTIONS", "AUDIO_TRANSLATIONS", "REALTIME"),
    )
)
#: So many words are told where none is similar.
_FEW: Final = 4
_FIELDS: Final = {"modelCapabilities": _CAPABILITIES, "apiCapabilities": _APIS, "servingMode": frozenset({"On-demand", "Dedicated"})}


@objects.warning(
    kinds=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-model-of-hugging-face",
    bad="warns-of-an-unknown-serving-mode",
)
def check(given: Given) -> Said:
    spec = given.spec
    for field, words in _FIELDS.items():
        listed = spec.get(field)
        for index, word in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(word, str) and word not in words:
                yield Violation(
                    ("spec", field, index),
                    f'"{word}" is no word that OME knows',
                    found=word,
                    nearest=similar(word, sorted(words), otherwise=0),
                    expected=", ".join(sorted(words)) if len(words) < _FEW else "",
                )
