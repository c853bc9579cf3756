"""The checksum is never compared with the downloaded file.

The operator checks `sha256` only if it copies the file itself, which it does only for local sources. It doesn't check
what an init container or an engine fetches, so the field promises an integrity that nothing verifies.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.source import SourceKind


@sources.warning(
    topic="Models: source, files and download", good="accepts-a-prefetch-by-https", bad="warns-of-a-checksum-that-is-not-compared"
)
def check(model: Model) -> Said:
    if text(model.spec, "sha256") and (model.source.kind is not SourceKind.LOCAL or model.is_metal):
        yield Violation(
            ("spec", "sha256"),
            f'is never checked, since the operator doesn\'t download "{model.source.text}" itself',
            hint="pin the version in the source, such as hf://OWNER/NAME@COMMIT",
        )
