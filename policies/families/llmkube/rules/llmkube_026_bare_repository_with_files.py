"""The files have a bare OWNER/REPOSITORY as source, for which the downloader has no address.

The downloader builds an address only from ``hf://`` and from pages of huggingface.co. It passes a bare OWNER/REPOSITORY
to curl unchanged, which reads the owner as a host, and the init container fails. Nothing fails if the service skips
the init container (`skipModelInit`) and its engine fetches the repository itself.

Source: LLMKube v0.9.19, internal/controller/source.go; internal/controller/model_storage.go; measured: MODEL_SOURCE
is ``org/name``.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, sources
from weighbridge.policies.families.llmkube.subject.fileset import declares_files


@sources.warning(
    topic="Models: source, files and download", good="accepts-a-prefetch-of-files", bad="warns-of-files-from-a-bare-repository"
)
def check(model: Model) -> Said:
    if declares_files(model.object) and model.source.is_bare:
        written = model.source.text
        yield Violation(
            ("spec", "source"),
            f'the init container reads "{written.partition("/")[0]}" of "{written}" as a host, and the download fails',
            found=written,
            nearest=f"hf://{written}",
        )
