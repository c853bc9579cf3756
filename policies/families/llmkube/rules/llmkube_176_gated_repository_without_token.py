"""The engine fetches a gated repository, but has no token.

Hugging Face answers 401 for a repository whose licence you have to accept first, and the engine fails. Refer to a Secret with the token in
`hfTokenSecretRef` of the engine's block, or set `HF_TOKEN` from a Secret. The rule knows families of models that were gated in 2025. It is
silent if the pod uses a mirror of the hub (`HF_ENDPOINT`) or if the weights are mounted.

Source: Hugging Face documentation, Gated models; LLMKube v0.9.19, internal/controller/runtime_*.go.
"""

import re
from typing import Final

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, items, name_of, text, with_model
from weighbridge.policies.families.llmkube.subject.source import SourceKind
from weighbridge.policies.ground.expressions import expression

_GATED: Final = expression(
    r"meta-llama/.+|google/(?:gemma-(?:[0-9]+b|1\.1|2|3|3n)-?|codegemma|paligemma|medgemma|recurrentgemma|shieldgemma).*"
    r"|(?:CohereForAI|CohereLabs)/(?:c4ai-|aya-).+|bigcode/starcoder(?:base.*)?|databricks/dbrx-.+",
    re.IGNORECASE,
)
_BLOCKS: Final = {"vllm": "vllmConfig", "sglang": "sglangConfig", "tgi": "tgiConfig"}
#: Variables that have a token, or with which none is needed.
_HUB: Final = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "HF_ENDPOINT", "HF_HUB_OFFLINE", "HF_HUB_CACHE")
_VARIABLES: Final = frozenset({*_HUB, "VLLM_USE_MODELSCOPE"})


@with_model.warning(
    topic="Services: their Model and its weights",
    reads=PREDICTED,
    good="accepts-a-gated-repository-from-a-mirror",
    bad="warns-of-a-gated-repository",
)
def check(service: Service) -> Said:
    block, source = _BLOCKS.get(service.runtime), service.source
    if block is None or source.kind is not SourceKind.REPOSITORY or service.storage.model_path:
        return
    if not _GATED.fullmatch(source.repository) or _VARIABLES & {text(entry, "name") for entry in service.launch.env}:
        return
    has_token = service.line is not None and service.line.final("token") is not None
    if not has_token and not items(service.spec, "extraVolumeMounts"):
        yield Violation(
            ("spec", block, "hfTokenSecretRef"),
            f"isn't set, but {source.repository} of Model {name_of(service.model)} is gated; Hugging Face serves it only with a token",
            expected="a reference to a Secret with the token",
            hint=f"accept the licence on the hub, and set {block}.hfTokenSecretRef, or HF_TOKEN in env with valueFrom.secretKeyRef",
        )
