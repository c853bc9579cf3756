"""The errors of strict decoding: duplicate fields, and fields that the schema doesn't know.

The texts are the server's; a finding adds the declared field that may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, unfit
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import FieldValidation, Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import MOST_SEARCHED, close_matches
from weighbridge.policies.schema.node import Schema

#: The ids under which these findings are reported.
UNKNOWN_FIELD: Final = "K8S-001"
DUPLICATE_FIELD: Final = "K8S-002"

_MAX_DUPLICATES: Final = 100
#: One step of a path: an index or a key in brackets, or a name between dots.
_STEP: Final = expression(r"\[([^\]]*)\]|([^.\[]+)")
_SEVERITIES: Final = {
    FieldValidation.STRICT: Severity.ERROR,
    FieldValidation.WARN: Severity.WARNING,
    FieldValidation.IGNORE: Severity.NOTE,
}


@dataclass(frozen=True, slots=True)
class StrictErrors:
    """The fields with errors, in the server's order: first duplicates in the text, then unknown fields."""

    duplicates: Sequence[Path]
    unknown: Sequence[str]

    @property
    def texts(self) -> list[str]:
        """The errors as the server words them; it lists at most 100 duplicates."""
        return [*duplicate_texts(self.duplicates)[:_MAX_DUPLICATES], *(wordings.unknown_field(path) for path in self.unknown)]

    def refusal(self, *, kind: str, version: str) -> Refusal | None:
        """The answer under ``fieldValidation=Strict``, or `None` without errors."""
        if not self.texts:
            return None
        if not version:
            # The server reads the object's version for the text of its answer, and fails because there is none.
            return bad_request(wordings.NO_API_VERSION)
        return unfit(kind, version, kind, wordings.strict_errors(self.texts))

    def findings(self, schema: Schema | None, validation: FieldValidation) -> list[Finding]:
        """A finding for each field, with the severity that the request's field validation gives."""
        severity = _SEVERITIES[validation]
        twice = [
            Finding(DUPLICATE_FIELD, severity, path, _duplicate_text(path), hint=wordings.DUPLICATE_HINT)
            for path in dict.fromkeys(self.duplicates)
        ]
        unknown = [
            Finding(
                UNKNOWN_FIELD,
                severity,
                steps(path),
                wordings.unknown_field(path),
                hint=wordings.UNKNOWN_HINT if validation is not FieldValidation.STRICT else "",
                nearest=_nearest(steps(path), schema) if index < MOST_SEARCHED else "",
                field_text=path,
            )
            for index, path in enumerate(self.unknown)
        ]
        return [*twice, *unknown]


def duplicate_texts(duplicates: Iterable[Path]) -> list[str]:
    """The server's words for duplicate fields, each once."""
    return list(dict.fromkeys(map(_duplicate_text, duplicates)))


def _duplicate_text(path: Path) -> str:
    return wordings.duplicate_field(field(path))


def steps(path: str) -> Path:
    """The steps of a path in the server's spelling; keys with dots come as several steps unless they are in brackets."""
    found: list[str | int] = []
    for match in _STEP.finditer(path):
        bracketed, name = match.groups()
        found.append(int(bracketed) if bracketed and bracketed.isdecimal() else bracketed or name or "")
    return tuple(found)


def _nearest(path: Path, schema: Schema | None) -> str:
    """The declared sibling whose name is most similar to an unknown field's, or empty."""
    node = schema
    for step in path[:-1]:
        node = _descend(node, step)
    if node is None or not path or not isinstance(path[-1], str):
        return ""
    return _most_like(path[-1], node.properties)


def _descend(node: Schema | None, step: str | int) -> Schema | None:
    if node is None:
        return None
    if isinstance(step, int):
        return node.items
    return node.properties.get(step) or node.additional_properties


def _most_like(name: str, declared: Iterable[str]) -> str:
    by_lower = {candidate.lower(): candidate for candidate in declared}
    close = close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[close[0]] if close else ""
