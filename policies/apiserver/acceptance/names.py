"""Checks the names of a definition's resource.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1035_label, kind_problem


def name_errors(names: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of ``spec.names`` or ``status.acceptedNames``; missing names aren't errors."""
    for key in ("plural", "singular"):
        yield from _label(names.get(key, ""), path / key, empty=True)
    for key in ("kind", "listKind"):
        text = names.get(key, "")
        if text and (problem := kind_problem(text)):
            yield (path / key).invalid(text, problem)
    for index, text in enumerate(names.get("shortNames") or ()):
        yield from _label(text, (path / "shortNames")[index])
    if names.get("kind") and names["kind"] == names.get("listKind"):
        yield (path / "listKind").invalid(names["listKind"], wordings.LIST_KIND_IS_KIND)
    for index, text in enumerate(names.get("categories") or ()):
        yield from _label(text, (path / "categories")[index])


def missing_name_errors(names: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of missing names that a spec must have."""
    for key in ("plural", "singular", "kind", "listKind"):
        if not names.get(key):
            yield (path / key).required()


def _label(text: str, path: FieldPath, *, empty: bool = False) -> Iterator[FieldError]:
    messages = [] if empty and not text else dns1035_label(text)
    if messages:
        yield path.invalid(text, ",".join(messages))
