"""OME doesn't know a capability or serving mode of a model.

The CRD accepts any text in these fields, but a search for models with OME's own words doesn't find a model with other words. Use OME's
words, or those of the models that it ships.

Source: OME v0.1.5, pkg/apis/ome/v1beta1/model.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Model, Said, Similar, Violation, models

#: The words of OME's code, then those of the models that it ships.
_CAPABILITIES: Final = frozenset(
    {
        *("TEXT_GENERATION", "TEXT_SUMMARIZATION", "TEXT_EMBEDDINGS", "TEXT_RERANK", "CHAT", "VISION", "EMBEDDING", "RERANK"),
        *("TEXT_TO_TEXT", "TEXT_TO_AUDIO", "TEXT_TO_IMAGE", "TEXT_TO_VIDEO", "IMAGE_TEXT_TO_TEXT", "IMAGE_TEXT_TO_AUDIO"),
        *("IMAGE_TEXT_TO_IMAGE", "IMAGE_TEXT_TO_VIDEO", "VIDEO_TEXT_TO_AUDIO", "AUDIO_TO_TEXT", "AUDIO_TO_AUDIO", "AUDIO_TRANSLATION"),
        *("IMAGE_TO_TEXT", "TEXT_TO_EMBEDDING", "VIDEO_TEXT_TO_TEXT", "REWARD_SCORING", "IMAGE_TEXT_TO_EMBEDDING", "AUDIO_TEXT_TO_TEXT"),
    }
)
_APIS: Final = frozenset(
    f"OPENAI_V1_{name}"
    for name in (
        *("CHAT_COMPLETIONS", "RESPONSES", "EMBEDDINGS", "IMAGES_GENERATIONS", "IMAGES_EDITS", "AUDIO_SPEECH"),
        *("AUDIO_TRANSCRIPTIONS", "AUDIO_TRANSLATIONS", "REALTIME"),
    )
)
_FIELDS: Final = {"modelCapabilities": _CAPABILITIES, "apiCapabilities": _APIS, "servingMode": frozenset({"On-demand", "Dedicated"})}
#: A finding lists all known words if there are fewer than this.
_FEW: Final = 4


@models.warning(good="accepts-the-words-of-ome", bad="warns-of-an-unknown-serving-mode")
def check(model: Model) -> Said:
    near = Similar()
    for field, words in _FIELDS.items():
        listed = model.spec.get(field)
        for index, word in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(word, str) and word not in words:
                yield Violation(
                    ("spec", field, index),
                    f'OME doesn\'t know "{word}"',
                    found=word,
                    nearest=near.to(word, sorted(words)),
                    expected=", ".join(sorted(words)) if len(words) < _FEW else "",
                )
