"""The Model doesn't fetch the draft model's file.

`speculativeDecoding.draftModel` names a file of the Model. If the Model's `files` don't list it, llama.cpp gets a path without a
file and doesn't start. If the Model has no `files`, the operator leaves the draft model out.

Source: LLMKube v0.9.19, internal/controller/model_storage.go; upstream issues 1383, 1414.
"""

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import DRAFTED
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, with_model
from weighbridge.policies.ground.fields import part, text, texts
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.spelling import similar


@with_model.error(
    topic="Services: their Model and its weights",
    good="accepts-a-draft-file-that-is-fetched",
    bad="refuses-a-draft-file-that-is-not-fetched",
)
def check(service: Service) -> Said:
    block, name = part(service.spec, "speculativeDecoding"), name_of(service.model)
    draft, files = text(block, "draftModel"), texts(spec_of(service.model), "files")
    if not draft or draft in files or service.runtime != "llamacpp" or text(block, "type") not in DRAFTED:
        return
    if service.operator.since(0, 9, 18):
        yield Violation(
            ("spec", "speculativeDecoding", "draftModel"),
            f"Model {name} doesn't fetch this file, so llama.cpp can't start"
            if files
            else f"Model {name} lists no files, so the draft is ignored",
            found=draft,
            expected=", ".join(files) if files else "a Model with files",
            nearest=similar(draft, files),
            hint=f"add the file to files of Model {name}, or name a Model in draftModelRef",
            severity=None if files else Severity.WARNING,
        )
