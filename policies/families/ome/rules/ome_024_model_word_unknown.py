"""A capability or serving mode of a model is no word of OME's.

These fields are free texts in the CRD, and whoever looks for models by them finds none under another word. Words that upstream's own models
use are taken as well.

Source: OME v0.1.5 pkg/apis/ome/v1beta1/model.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import similar

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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for field, words in _FIELDS.items():
        listed = spec.get(field)
        for index, word in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(word, str) and word not in words:
                yield RULE.finding(
                    ("spec", field, index),
                    f'"{word}" is no word that OME knows',
                    found=word,
                    nearest=similar(word, sorted(words), otherwise=0),
                    expected=", ".join(sorted(words)) if len(words) < _FEW else "",
                )


RULE = Rule(
    id="OME-024",
    name="model-word-unknown",
    severity=Severity.WARNING,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/apis/ome/v1beta1/model.go",
    check=_check,
    good="""\
storage: {storageUri: "hf://acme/llama", path: /models/llama}
modelCapabilities: [TEXT_GENERATION]
""",
    bad="""\
storage: {storageUri: "hf://acme/llama", path: /models/llama}
modelCapabilities: [TEXT_GENERATON]
""",
)
