"""Files are to come from a bare OWNER/REPOSITORY, for which the downloader has no address.

Only ``hf://`` and pages of huggingface.co are turned into an address. A bare OWNER/REPOSITORY goes to curl as it is
written, which takes the owner for a host: the init container fails, unless the service skips it (`skipModelInit`) and
its engine fetches the repository by itself.

Source: LLMKube v0.9.19, internal/controller/source.go; internal/controller/model_storage.go; measured: MODEL_SOURCE
is ``org/name``.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, sources
from weighbridge.policies.families.llmkube.subject.fileset import declares_files


@sources.warning(good="accepts-a-prefetch-of-files", bad="warns-of-files-from-a-bare-repository")
def check(model: Model) -> Said:
    if declares_files(model.object) and model.source.is_bare:
        written = model.source.text
        yield Violation(
            ("spec", "source"),
            f'the init container takes "{written.partition("/")[0]}" of "{written}" for a host, and the download fails',
            found=written,
            nearest=f"hf://{written}",
        )
