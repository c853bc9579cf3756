"""The source of a repository has a third part, as if a file could be named there.

A repository of Hugging Face is OWNER/NAME. Upstream takes ``hf://OWNER/NAME/model.gguf`` for the name of a repository:
it is Ready at once, and engine or downloader then ask for a repository that doesn't exist. The file belongs into
`files`.

Source: LLMKube v0.9.19, internal/controller/source.go; upstream's config/samples/model_prefetch.yaml shows the form.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("Model",),
    reads=("Deployment.apps",),
    good="accepts-a-cpu-model",
    bad="warns-of-a-file-in-a-repository",
)
def check(given: Given) -> Said:
    written = text(given.spec, "source")
    if written.removeprefix("hf://").count("/") < 2:
        return
    source = parse(written, operator_for(*given))
    parts = [part for part in source.repository.split("/") if part]
    if source.kind is not SourceKind.REPOSITORY or len(parts) < 3:
        return
    repository, file = "/".join(parts[:2]), "/".join(parts[2:])
    revision = f"@{source.revision}" if source.revision else ""
    yield Violation(
        ("spec", "source"),
        f'"{source.repository}" is not a repository; write OWNER/NAME, and the file in files',
        found=source.text,
        nearest=f"source hf://{repository}{revision} with files [{file}]",
    )
