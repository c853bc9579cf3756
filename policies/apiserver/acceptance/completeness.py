"""Checks whether all fields in combinators are declared outside of them.

Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/complete.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject


def completeness_errors(schema: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of fields and items that are restricted but not declared; only the combinators of the root are followed."""
    yield from _restrictions(schema, schema, path, path)


def _restrictions(branch: JSONObject, declared: JSONObject, path: FieldPath, where: FieldPath) -> Iterator[FieldError]:
    """The errors of the combinators in `branch`, at `where`, that restrict more than the node `declared`, at `path`, declares."""
    if branch.get("not") is not None:
        yield from _branch(branch["not"], declared, path, where / "not")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, inner in enumerate(branch.get(keyword) or ()):
            yield from _branch(inner, declared, path, (where / keyword)[index])


def _branch(branch: JSONObject, declared: JSONObject | None, path: FieldPath, where: FieldPath) -> Iterator[FieldError]:
    if declared is None:
        yield path.required(schema_wordings.not_declared(where))
        return
    yield from _restrictions(branch, declared, path, where)
    if isinstance(branch.get("items"), dict):
        items = declared.get("items")
        yield from _branch(branch["items"], items if isinstance(items, dict) else None, path / "items", where / "items")
    properties = declared.get("properties") or {}
    for name, field in (branch.get("properties") or {}).items():
        yield from _branch(field, properties.get(name), (path / "properties")[name], (where / "properties")[name])
