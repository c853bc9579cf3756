"""The schemas of upstream's tests, with the errors that Kubernetes 1.36 found in each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CountVectors
from weighbridge.policies.apiserver.acceptance import rule_types
from weighbridge.policies.apiserver.acceptance.definition_types import SCHEMA
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.rule_types import StoredExpressions
from weighbridge.policies.apiserver.acceptance.schema_validation import schema_errors
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed
from weighbridge.policies.cel.check.environment import Environment, environment, environment_of
from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.library.overload import Library, one, one_estimated
from weighbridge.policies.cel.values import types

#: For these tests upstream declares a function, only in the environment of stored rules.
_STORED = "functions_declared_for_storage_mode_"
#: The old value in the definition, by the end of the test's name.
_UNCHANGED = {
    "allowed_if_expressions_are_unchanged_from_what_is_stored": (True, True),
    "not_allowed_if_rule_expression_is_changed": (False, True),
    "not_allowed_if_message_expression_is_changed": (True, False),
}
#: One test has a server that must be compatible with 1.30.
_OLDER = "before_v1.30"

Json = dict[str, Any]


def _plain(text: str) -> str:
    return re.sub(r"selfType\d+", "selfType", text)


def _with_own_function() -> Environment:
    own = Library()
    own.function("test", "test", (), types.BOOL, lambda: True, cost=one, estimate=one_estimated)
    return environment_of([*LIBRARIES, own])


def _options(case: Json) -> Options:
    wanted = case["opts"]
    return Options(
        allow_defaults=wanted["allowDefaults"],
        valid_types=wanted["requireValidPropertyType"],
        structural_schema=wanted["requireStructuralSchema"],
        pruned_defaults=wanted["requirePrunedDefaults"],
        atomic_set_items=wanted["requireAtomicSetType"],
        sound_list_keys=wanted["requireMapListKeysMapSetValidation"],
        suppress_expression_cost=wanted["suppressPerExpressionCost"],
        stored_expressions=_stored_before(case),
    )


def _stored_before(case: Json) -> StoredExpressions:
    kept = next((kept for end, kept in _UNCHANGED.items() if case["test"].endswith(_STORED + end)), (False, False))
    rules = set(_expressions(case["schema"], "rule")) if kept[0] else set()
    messages = set(_expressions(case["schema"], "messageExpression")) if kept[1] else set()
    return StoredExpressions(frozenset(rules), frozenset(messages))


def _expressions(schema: Any, key: str) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (rule[key] for rule in schema.get("x-kubernetes-validations", []) if key in rule)
        for value in schema.values():
            yield from _expressions(value, key)


def _found(case: Json) -> Counter[tuple[str, str, str]]:
    decoded = decode_typed(case["schema"], SCHEMA)
    assert (decoded.error, decoded.unknown) == ("", [])
    validation = {"openAPIV3Schema": decoded.value}
    errors = schema_errors(validation, FieldPath(case["path"]), _options(case), has_status=case["statusSubresource"])
    return Counter((str(error.type), error.field_text, _plain(error.detail)) for error in errors)


def test_schemas_get_the_errors_that_the_server_finds(shared: Path, monkeypatch: pytest.MonkeyPatch, count_vectors: CountVectors) -> None:
    cases = json.loads((shared / "conformance" / "crd_acceptance.json").read_text("utf-8"))["cases"]
    wrong, total = {}, 0
    for case in cases:
        with monkeypatch.context() as patch:
            if _STORED in case["test"]:
                own = _with_own_function()
                patch.setattr(rule_types, "stored_rules", lambda own=own: own)
            if _OLDER in case["test"]:
                patch.setattr(rule_types, "new_rules", lambda: environment((1, 30)))
            found = _found(case)
        wanted = Counter((error["type"], error["field"], _plain(error["detail"])) for error in case["errors"])
        total += wanted.total()
        if found != wanted:
            wrong[case["test"]] = (found - wanted, wanted - found)
    assert not wrong
    assert (len(cases), total) == (124, 197)
    count_vectors("crd_acceptance", len(cases), len(cases))
