"""The source names a file after the repository, where none can be named.

A Hugging Face repository is OWNER/NAME. Upstream reads all of ``hf://OWNER/NAME/model.gguf`` as the name of a
repository. The Model is Ready at once, but the engine or the downloader then requests a repository that doesn't exist.
Name the file in `files`.

Source: LLMKube v0.9.19, internal/controller/source.go; config/samples/model_prefetch.yaml.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.source import SourceKind


@sources.warning(topic="Models: source, files and download", good="accepts-a-cpu-model", bad="warns-of-a-file-in-a-repository")
def check(model: Model) -> Said:
    if text(model.spec, "source").removeprefix("hf://").count("/") < 2:
        return
    source = model.source
    steps = [step for step in source.repository.split("/") if step]
    if source.kind is SourceKind.REPOSITORY and len(steps) > 2:
        repository, file = "/".join(steps[:2]), "/".join(steps[2:])
        revision = f"@{source.revision}" if source.revision else ""
        yield Violation(
            ("spec", "source"),
            f'"{source.repository}" is not a repository; write OWNER/NAME, and the file in files',
            found=source.text,
            nearest=f"source hf://{repository}{revision} with files [{file}]",
        )
