"""Files are to be staged from a bare OWNER/REPOSITORY, which the downloader has no address for.

Only ``hf://`` and pages of huggingface.co are turned into an address. A bare OWNER/REPOSITORY goes to curl as it is
written, which takes the owner for a host: the init container fails, unless the service skips it (`skipModelInit`) and
its engine fetches the repository by itself.

Source: LLMKube v0.9.19, internal/controller/source.go and model_storage.go, measured: MODEL_SOURCE is ``org/name``.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.fileset import declares_files
from weighbridge.policies.families.llmkube.subject.source import parse
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("Model",),
    reads=("Deployment.apps",),
    good="notes-a-prefetch-from-a-bare-repository",
    bad="warns-of-files-from-a-bare-repository",
)
def check(given: Given) -> Said:
    if not declares_files(given.object):
        return
    source = parse(text(given.spec, "source"), operator_for(*given))
    if source.is_bare:
        yield Violation(
            ("spec", "source"),
            f'the init container takes "{source.text.partition("/")[0]}" of "{source.text}" for a host, and the download fails',
            found=source.text,
            nearest=f"hf://{source.text}",
        )
