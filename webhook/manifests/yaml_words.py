"""Explains how YAML reads a word that was meant as a text, and quotes around a number or a boolean.

`on` is a boolean, `0.7` a number, `"2"` a text, and the API server's error names only these.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue, Path, lookup
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.manifests.flatten import Manifest
from weighbridge.webhook.texts import yaml_scalars

#: The server's errors for a value that isn't a string: of schemas, and of Go's JSON decoder, which also names UIDs.
_WANTS_TEXT: Final = expression(r" must be of type (?:\w+,)*string: |cannot unmarshal \w+ into Go .* of type (?:string|types\.UID)$")

#: The server's errors for a string in place of a number or a boolean.
_WANTS_SCALAR: Final = expression(
    r""" must be of type (integer|number|boolean): "string"$|cannot unmarshal string into Go .* of type (u?int\w*|float\w*|bool)$"""
)


def with_word(finding: Finding, word: str) -> Finding:
    """The finding with how YAML reads its text as a hint."""
    return replace(finding, hint="; ".join(filter(None, (finding.hint, word)))) if word else finding


def yaml_word(finding: Finding, manifest: Manifest) -> str:
    """How YAML reads the text that a finding is about, and what to write; empty if YAML reads it as a text too."""
    if wanted := _WANTS_SCALAR.search(finding.message):
        return _needless_quotes(manifest, finding.path, wanted[1] or wanted[2])
    if not _WANTS_TEXT.search(finding.message):
        return ""
    written = manifest.document.plain_text((*manifest.prefix, *finding.path))
    value = yaml_scalars.plain_value(written) if written else ""
    return "" if isinstance(value, str) else f"{written} is {_named(written, value)}; write {json_text(written)}"


def _needless_quotes(manifest: Manifest, path: Path, wanted: str) -> str:
    """What to write for a text that is a value of the wanted type within quotes; empty for any other text."""
    text = lookup(manifest.value, path)
    value = yaml_scalars.plain_value(text) if isinstance(text, str) else None
    if isinstance(value, bool) != wanted.startswith("bool") or not isinstance(value, (int, float)) or json_text(value) != text:
        return ""
    if isinstance(value, float) and wanted not in {"number", "float32", "float64"}:
        return ""
    return f"{json_text(text)} is a text; write {text}"


def _named(written: str, value: JSONValue) -> str:
    if value is None:
        return "null" if written == "null" else "null in YAML"
    if isinstance(value, bool):
        return "a boolean" if written in ("true", "false") else f"the boolean {json_text(value)} in YAML 1.1"
    text = json_text(value)
    return "a number" if text == written else f"the number {text} in YAML 1.1"
