"""A baseline: the findings at the time when it was written, which don't count. It only shrinks.

A finding is known by its rule, its object, its field and its file, never by a line. Each entry is for one finding. A finding without an
entry is new and counts; an entry without a finding is reported as gone, and `--write-baseline` removes it. A finding whose index in a list
has changed is still recognised, and so is one in a renamed file.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.config.ignores import GONE
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cache.inputs import file_was_read, not_repeatable, was_looked_for
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake, mistake_at
from weighbridge.webhook.manifests import ABSENT, DEFAULT_MAX_BYTES, Document, documents
from weighbridge.webhook.report import Located, Result, Status
from weighbridge.webhook.texts.streams import as_text

VERSION: Final = 1
_KEYS: Final = ("file", "rule", "object", "field")
_INDEX: Final = expression(r"\[\d+\]")
_HINT: Final = "write it with weighbridge lint --write-baseline FILE"


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry:
    """A finding in the form of the file; `file` is relative to the folder of the baseline, with slashes."""

    file: str
    rule: str
    object: str
    field: str

    @property
    def apart_from_index(self) -> tuple[str, ...]:
        """The parts that stay the same when items of a list move."""
        return self.file, self.rule, self.object, _INDEX.sub("[]", self.field)

    @property
    def apart_from_file(self) -> tuple[str, ...]:
        """The parts that stay the same when the file is renamed."""
        return self.rule, self.object, _INDEX.sub("[]", self.field)


class Baseline:
    """The entries of a file, with their places in it."""

    def __init__(self, path: str, entries: Sequence[BaselineEntry], document: Document | None = None) -> None:
        self.path = path
        self.entries = entries
        self._document = document
        self._folder = os.path.dirname(os.path.realpath(path))

    def entry_of(self, located: Located, result: Result) -> BaselineEntry:
        """The entry that a finding has, or would have."""
        return BaselineEntry(self.file_of(located.source or result.source), located.finding.rule, result.object, located.finding.field)

    def file_of(self, source: str) -> str:
        """The path of a file in the form of entries."""
        return os.path.relpath(os.path.realpath(source), self._folder).replace(os.sep, "/") if source != "-" else source

    def is_there(self, entry: BaselineEntry) -> bool:
        """Whether the file of an entry exists."""
        path = os.path.join(self._folder, entry.file)
        found = os.path.exists(path)
        was_looked_for(path, is_there=found)
        return found

    def matched(self, found: Sequence[BaselineEntry]) -> dict[int, int]:
        """The entries of the findings, by number: first equal ones, then those that have moved."""
        pairs: dict[int, int] = {}
        self._match(pairs, found, lambda entry: entry)
        self._match(pairs, found, lambda entry: entry.apart_from_index)
        if len(pairs) < len(found):
            missing = {entry.file: not self.is_there(entry) for entry in {entry.file: entry for entry in self.entries}.values()}
            self._match(pairs, found, lambda entry: entry.apart_from_file, {file for file, is_gone in missing.items() if is_gone})
        return pairs

    def _match(
        self, pairs: dict[int, int], found: Sequence[BaselineEntry], key: Callable[[BaselineEntry], object], files: set[str] | None = None
    ) -> None:
        taken = set(pairs.values())
        left: dict[object, list[int]] = defaultdict(list)
        for number, entry in enumerate(self.entries):
            if number not in taken and (files is None or entry.file in files):
                left[key(entry)].append(number)
        for number, entry in enumerate(found):
            if number not in pairs and (numbers := left.get(key(entry))):
                pairs[number] = numbers.pop(0)

    def gone(self, number: int) -> Result:
        """The report of an entry without a finding."""
        entry, document = self.entries[number], self._document
        text = f"{entry.rule} of {entry.object} ({entry.file}{f', {entry.field}' if entry.field else ''}) is there no longer"
        finding = Finding(GONE, Severity.WARNING, (), text, hint=f"run weighbridge lint with --write-baseline {as_text(self.path)}")
        spans = [document.span(("findings", number))] if document is not None else []
        located = [Located(finding, span) for span in spans]
        return Result(as_text(self.path), 0, "", Status.WARNED, located, lines=document.text_lines if document is not None else ())


def read_baseline(path: str) -> Baseline:
    """Read a baseline. Raises ConfigurationError with all of its mistakes."""
    name = as_text(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(DEFAULT_MAX_BYTES + 1)
            file_was_read(path, data, stream.fileno())
    except OSError as error:
        text = error.strerror or str(error)
        raise ConfigurationError([Mistake(name, 0, 0, "", f"{text[:1].lower()}{text[1:]}; {_HINT}")]) from None
    document = next((found for found in documents(name, data) if found.value is not None), None)
    if document is None or document.value is ABSENT:
        issues = document.issues if document is not None else []
        raise ConfigurationError(
            [Mistake(name, each.line, each.column, "", each.message) for each in issues] or [Mistake(name, 0, 0, "", f"is empty; {_HINT}")]
        )
    mistakes = list(_mistakes(document))
    if mistakes:
        raise ConfigurationError(mistakes)
    value: JSONValue = document.value
    return Baseline(path, [BaselineEntry(*(entry[key] for key in _KEYS)) for entry in value["findings"]], document)


def _mistakes(document: Document) -> Iterator[Mistake]:
    value: JSONValue = document.value
    if not isinstance(value, dict) or not isinstance(value.get("findings"), list):
        yield mistake_at(document, (), f"isn't a baseline: it has no list of findings; {_HINT}")
        return
    if value.get("version") != VERSION:
        yield mistake_at(document, ("version",), f"isn't a known version; write {VERSION}")
    for index, entry in enumerate(value["findings"]):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in _KEYS):
            yield mistake_at(document, ("findings", index), f"an entry has the texts {', '.join(_KEYS)}")


def write_baseline(path: str, entries: Iterable[BaselineEntry]) -> None:
    """Write entries, sorted and one a line, so that diffs are small. Raises WriteError."""
    from weighbridge.certs.atomicfile import write

    not_repeatable()
    lines = [json.dumps({key: getattr(entry, key) for key in _KEYS}, ensure_ascii=False) for entry in sorted(entries)]
    body = ",\n".join(f"  {line}" for line in lines)
    write(path, f'{{"version": {VERSION}, "findings": [\n{body}\n]}}\n'.encode(errors="replace"))
