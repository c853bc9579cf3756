"""The checksum is never compared with what is downloaded.

`sha256` is only looked at where the operator itself copies a file, which it does for local sources alone. Whatever an
init container or an engine fetches isn't checked, so the field promises an integrity that nothing verifies.

Source: LLMKube v0.9.19, internal/controller/model_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.predictions.model.state import on_metal
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("Model",),
    reads=("Deployment.apps",),
    good="refuses-an-empty-reference-for-a-download",
    bad="warns-of-a-checksum-that-nobody-compares",
)
def check(given: Given) -> Said:
    spec = given.spec
    if not text(spec, "sha256"):
        return
    source = parse(text(spec, "source"), operator_for(*given))
    if source.kind is not SourceKind.LOCAL or on_metal(given.object):
        yield Violation(
            ("spec", "sha256"),
            f'is never checked, since the operator doesn\'t download "{source.text}" itself',
            hint="pin the version in the source, such as hf://OWNER/NAME@COMMIT",
        )
