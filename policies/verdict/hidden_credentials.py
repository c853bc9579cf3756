"""Removes credentials from all texts of a verdict. Every verdict of every door passes through here.

Authors write credentials into images and addresses: ``user:password@registry/image``, ``s3://key:secret@bucket``. Rules and refusals of
the API server quote such texts, and users, the API server's audit log and reports get them. A quoted text of the judged object loses the
same parts as in a redacted snapshot. A text from anywhere else loses what has the form of a credential.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.facts.credentials import may_have_credentials, without_credentials, without_credentials_in
from weighbridge.policies.ground.findings import Finding, PodPlacement, Provenance, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, field
from weighbridge.policies.ground.records import replace

#: A shorter text also occurs by chance, in words that don't quote it.
_SHORTEST: Final = 8
#: The groups of kinds whose objects have expressions, and the fields that hold them.
_WITH_CODE: Final = ("admissionregistration.k8s.io/", "apiextensions.k8s.io/")
_CODE: Final = frozenset({"expression", "messageExpression", "valueExpression", "rule"})
#: The fields of a finding that hold texts.
_TEXTS: Final = ("message", "hint", "found", "expected", "nearest", "configuration", "field_text", "exempted")


class HiddenCredentials:
    """Hides the credentials of some objects in texts about them."""

    def __init__(self, *objects: JSONValue) -> None:
        self._objects = objects
        self._hidden: dict[str, str] | None = None

    def words(self, text: str) -> str:
        """A text without credentials."""
        if not text or not may_have_credentials(text):
            return text
        if self._hidden is None:
            self._hidden = dict(_quoted(self._objects))
        for written, kept in self._hidden.items():
            text = text.replace(written, kept)
        return without_credentials_in(text)

    def finding(self, finding: Finding) -> Finding:
        """A finding without credentials; its path still leads to the same field."""
        # Most findings have none, which one look at all their texts shows.
        if not may_have_credentials("\n".join((*(getattr(finding, name) for name in _TEXTS), *map(str, finding.path)))):
            return finding
        texts: dict[str, Any] = {name: text for name in _TEXTS if (text := self.words(written := getattr(finding, name))) != written}
        path = tuple(self.words(step) if isinstance(step, str) else step for step in finding.path)
        if not finding.field_text and path != finding.path:
            texts["field_text"] = field(path)
        return replace(finding, **texts) if texts else finding

    def unchecked(self, entry: Unchecked) -> Unchecked:
        """What couldn't be checked, without credentials."""
        return Unchecked(self.words(entry.subject), self.words(entry.reason))

    def provenance(self, entry: Provenance) -> Provenance:
        """Where a value comes from, without credentials in the value or the reason."""
        value, reason = self.value(entry.value), self.words(entry.reason)
        return entry if (value, reason) == (entry.value, entry.reason) else replace(entry, value=value, reason=reason)

    def refusal(self, refusal: Refusal) -> Refusal:
        """The API server's answer, without credentials."""
        return replace(refusal, message=self.words(refusal.message), causes=[self.value(cause) for cause in refusal.causes])

    def placement(self, placement: PodPlacement) -> PodPlacement:
        """Where pods could run, without credentials."""
        today = placement.today
        if today is not None:
            today = replace(today, message=self.words(today.message), nearest=tuple(map(self.words, today.nearest)))
        return replace(placement, message=self.words(placement.message), nearest=tuple(map(self.words, placement.nearest)), today=today)

    def value(self, value: JSONValue) -> JSONValue:
        """A value whose texts are without credentials."""
        if isinstance(value, dict):
            found: JSONObject = {key: self.value(inner) for key, inner in value.items()}
            return found
        if isinstance(value, list):
            return [self.value(inner) for inner in value]
        return self.words(value) if isinstance(value, str) else value


def _quoted(objects: tuple[JSONValue, ...]) -> Iterator[tuple[str, str]]:
    """The texts with credentials in some objects, each with the text that replaces it."""
    texts = list(_texts(objects))
    # Most objects have none, which one look at all their texts shows.
    if may_have_credentials("\n".join(texts)):
        yield from ((text, kept) for text in texts if (kept := _kept(text)) != text)


def _texts(objects: tuple[JSONValue, ...]) -> Iterator[str]:
    """The texts of objects that are long enough to be quoted."""
    stack: list[JSONValue] = [_without_code(obj) for obj in objects]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            if len(value) >= _SHORTEST:
                yield value
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _without_code(obj: JSONValue) -> JSONValue:
    """An object of a kind with CEL in it without its expressions: `a.?token == b` is code that looks like a credential."""
    if isinstance(obj, dict) and str(obj.get("apiVersion", "")).startswith(_WITH_CODE):
        return _without_expressions(obj)
    return obj


def _without_expressions(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _without_expressions(inner) for key, inner in value.items() if key not in _CODE or not isinstance(inner, str)}
    return list(map(_without_expressions, value)) if isinstance(value, list) else value


def _kept(text: str) -> str:
    return without_credentials(text) if may_have_credentials(text) else text
