"""The files of a Model can't be staged from its source.

`files` and `mmproj` need a Hugging Face repository or (since v0.9.16) a bucket as the source. `mmproj` also needs a
first file in `files`. Every entry must be a relative path without ``..`` and without wildcards. Otherwise the Model
becomes Failed with reason InvalidFileSet.

Source: LLMKube v0.9.19, internal/controller/fileset.go.
"""

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.rulebook import FAILURE, JSONObject, JSONValue, Model, Path, Said, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.fileset import declares_files, entry_problem, source_problem
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, repository_problem


@sources.error(
    topic="Models: source, files and download",
    about=FAILURE,
    mirrors="Model condition InvalidFileSet",
    good="accepts-a-prefetch-of-files",
    bad="refuses-a-wildcard-among-files",
)
def check(model: Model) -> Said:
    entries = _entries(model.spec)
    if not declares_files(model.object):
        return
    if entries[0][0][1] == "mmproj":
        said = "needs files, since it is stored next to the first of them"
        yield Violation(("spec", "mmproj"), said, hint="list the model's file in files")
    source = model.source
    if source_problem(source, model.operator) and not _is_faulty(source, model.operator):
        said, expected = f'can\'t be fetched from "{source.text}"', "a Hugging Face repository or s3:// as source"
        yield Violation(entries[0][0][:2], said, expected=expected, found=source.text)
    for path, entry in entries:
        if isinstance(entry, str) and (not entry.strip() or entry_problem(entry)):
            yield Violation(path, f'"{entry}" is not a plain relative path', found=entry, expected="no leading slash, no .., no wildcards")


def _is_faulty(source: Source, operator: KnownOperator) -> bool:
    """Whether the source itself has a fault, which LLMKUBE-009 reports. The address of a file has none."""
    return source.kind is not SourceKind.REMOTE and bool(repository_problem(source.text, operator))


def _entries(spec: JSONObject) -> list[tuple[Path, JSONValue]]:
    """The entries of `files`, then `mmproj`, with their paths."""
    files, mmproj = spec.get("files"), text(spec, "mmproj")
    entries: list[tuple[Path, JSONValue]] = [
        (("spec", "files", index), entry) for index, entry in enumerate(files if isinstance(files, list) else [])
    ]
    return [*entries, (("spec", "mmproj"), mmproj)] if mmproj else entries
