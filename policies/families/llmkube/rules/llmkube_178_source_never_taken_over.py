"""A Ready Model gets another source, but the operator keeps serving the old file.

The operator derives the cache folder from the source once, and keeps it in the status. It doesn't check a Ready Model again: its services
find the old file in the old folder, nothing is downloaded, and everything is Ready. Create a Model with another name, and let the
services refer to it. With `refreshPolicy: OnChange` the operator fetches the file again if its size differs.

Source: LLMKube v0.9.19, internal/controller/model_controller.go (reconcileRuntimeResolvedSource,
handleReadyCachedModel); internal/controller/model_storage.go; upstream issue 1767.
"""

from weighbridge.policies.families.llmkube.predictions.model.state import READY, is_kept
from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, part, sources, spec_of, text
from weighbridge.policies.families.llmkube.subject.source import SourceKind


@sources.warning(
    topic="Models: source, files and download",
    good="accepts-another-source-that-is-fetched-anew",
    bad="warns-of-a-source-that-is-never-taken-over",
)
def check(model: Model) -> Said:
    stored, spec = model.request.old_object, model.spec
    status, before, after = part(stored, "status"), text(spec_of(stored), "source"), text(spec, "source")
    if text(status, "phase") != READY or not after or before == after or text(spec, "refreshPolicy") == "OnChange":
        return
    key, source = text(status, "cacheKey"), model.source
    if not is_kept({**model.object, "status": status}, source):
        return
    # A new claim is mounted, and a repository without a folder in the cache is fetched by the engine: both follow the new source.
    if key and key != source.cache_key and source.kind is not SourceKind.CLAIM:
        yield Violation(
            ("spec", "source"),
            f"LLMKube keeps serving {_file(before)}: a Model that is Ready keeps folder {key} of the cache, where the old file is found",
            hint="create a Model with another name, and let the services refer to it",
        )


def _file(source: str) -> str:
    """The last part of a source's path, which has no credentials."""
    return source.partition("?")[0].partition("#")[0].rpartition("/")[2] or "the old file"
