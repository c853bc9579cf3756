"""The files of a Model can't be staged from its source.

`files` and `mmproj` only work with a repository or bucket as source, `mmproj` only beside a first file, and every entry
is a relative path without ``..`` and without wildcards. Otherwise the Model ends as Failed with reason InvalidFileSet.

Source: LLMKube v0.9.19, internal/controller/fileset.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import JSONValue, Path
from policies.request import Request

_URL = ("http://", "https://", "file://", "pvc://", "/")


def _stageable(source: JSONValue) -> bool:
    if not isinstance(source, str) or source.startswith(("https://huggingface.co/", "http://huggingface.co/")):
        return True
    return not source.startswith(_URL)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    files, mmproj, source = spec.get("files"), spec.get("mmproj"), spec.get("source")
    entries: list[tuple[Path, JSONValue]] = [
        (("spec", "files", index), entry) for index, entry in enumerate(files if isinstance(files, list) else [])
    ]
    if isinstance(mmproj, str) and mmproj:
        if not entries:
            yield RULE.finding(
                ("spec", "mmproj"), "is set without files: it is staged beside the first of them", hint="list the model in files"
            )
        entries.append((("spec", "mmproj"), mmproj))
    if entries and not _stageable(source):
        yield RULE.finding(
            entries[0][0][:2],
            f'can\'t be staged from "{source}"',
            expected="a Hugging Face repository or s3:// as source",
            found=str(source),
        )
    for path, entry in entries:
        if isinstance(entry, str) and (not entry.strip() or entry.startswith("/") or ".." in entry or set(entry) & set("*?[")):
            yield RULE.finding(
                path, f'"{entry}" is not a plain relative path', found=entry, expected="no leading slash, no .., no wildcards"
            )


RULE = Rule(
    id="LLMKUBE-010",
    name="files-unusable",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/fileset.go",
    mirrors="Model condition InvalidFileSet",
    check=_check,
    good="source: hf://org/model\nfiles: [model.gguf]\nmmproj: mmproj.gguf",
    bad="source: pvc://models/llama.gguf\nfiles: [model.gguf]",
)
