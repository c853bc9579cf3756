"""Shorthands for reading one text in a test."""

from __future__ import annotations

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests import Document, documents


def read_all(text: str | bytes, name: str = "x.yaml") -> list[Document]:
    """Every document of a text."""
    return list(documents(name, text.encode() if isinstance(text, str) else text))


def read_one(text: str | bytes) -> Document:
    """The only document of a text."""
    (document,) = read_all(text)
    return document


def value_of(text: str | bytes) -> JSONValue:
    """The value of a text's only document; the text has no issues."""
    document = read_one(text)
    assert document.issues == []
    return document.value


def messages(text: str | bytes) -> list[str]:
    """The issues of a text, each with its place."""
    return [f"{issue.kind} {issue}" for document in read_all(text) for issue in document.issues]
