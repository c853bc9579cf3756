"""The Model enables a prefetch, which has no effect.

The operator prefetches only from sources with ``http://``, ``https://`` or ``hf://``. It silently ignores the field for
local paths, claims, buckets and a bare OWNER/REPOSITORY. The Job fills the cache of the namespace. If the operator
gives every service its own cache (`--model-cache-mode=perService`), nothing reads the fetched files.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.model.state import prefetches
from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, flag, sources
from weighbridge.policies.families.llmkube.subject.source import SourceKind

_PATH: Final = ("spec", "prefetch")
_IGNORED = {
    SourceKind.CLAIM: "a claim is mounted as it is",
    SourceKind.LOCAL: "a local path is copied by the operator itself",
    SourceKind.BUCKET: "buckets aren't prefetched",
    SourceKind.REPOSITORY: "the engine fetches a bare OWNER/REPOSITORY; hf:// with files would be prefetched",
    SourceKind.CONTROLLER: "the source can't be fetched",
}


@sources.note(topic="Models: source, files and download", good="accepts-a-bound-claim", bad="notes-a-prefetch-from-a-claim")
def check(model: Model) -> Said:
    if not flag(model.spec, "prefetch"):
        return
    source, operator = model.source, model.operator
    if not operator.since(0, 9, 11):
        yield Violation(_PATH, f"isn't known to {operator.name}", expected="v0.9.11 or newer")
    elif not prefetches(model.object, source, operator):
        yield Violation(_PATH, f"has no effect: {_IGNORED.get(source.kind, _IGNORED[SourceKind.CONTROLLER])}", found=source.text)
    elif operator.model_cache_mode == "perService":
        yield Violation(
            _PATH,
            "fills the cache of the namespace, but each service has a cache of its own and downloads the model again",
            hint=f"operator --model-cache-mode is perService ({operator.origin('model_cache_mode')})",
        )
