"""Compares our verdicts with those of Kubernetes 1.36 on the vectors, one file a test; each counts its cases so that none goes missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import CountVectors
from tests.schema.vectors import ErrorKey, compiled, expected, found, load, prefix, same_json
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.formats.predicates import is_of_format
from weighbridge.policies.schema.node import STRING_FORMATS, Schema

#: Formats that only upstream's test registers; no server knows them.
_TEST_FORMATS = {"testformat", "tf2", "tf3", "unknown"}
_BLOCKED = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
#: Probes whose verdict holds errors in the type and metadata of embedded resources, which `weighbridge.policies.schema.embedded` finds.
_EMBEDDED_PROBES = {"embedded bad"}


def test_schema_validation_agrees(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "schema_validate")["cases"]
    for case in cases:
        errors = compiled(case["schema"]).validate(case["object"], prefix(case["path"]))
        assert found(errors) == expected(case["errors"]), case["test"]
    assert len(cases) == 139
    count_vectors("schema_validate", len(cases), len(cases))


def test_schema_validation_of_updates_agrees(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "schema_validate_update")["cases"]
    for case in cases:
        assert case["ratcheting"]
        errors = compiled(case["schema"]).validate_update(case["object"], case["oldObject"], prefix(case["path"]))
        assert found(errors) == expected(case["errors"]), case["test"]
    assert len(cases) == 11
    count_vectors("schema_validate_update", len(cases), len(cases))


def test_defaulting_agrees(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "default")["cases"]
    for case in cases:
        compiled(case["schema"]).default(case["object"])
        assert same_json(case["object"], case["defaulted"]), case["test"]
    assert len(cases) == 13
    count_vectors("default", len(cases), len(cases))


def test_pruning_agrees(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "prune")["cases"]
    for case in cases:
        paths = compiled(case["schema"]).prune(case["object"], is_resource_root=case["isResourceRoot"])
        assert same_json(case["object"], case["pruned"]), case["test"]
        if case["trackPaths"]:
            assert paths == (case["prunedPaths"] or []), case["test"]
    assert len(cases) == 69
    assert sum(case["trackPaths"] for case in cases) > 10
    count_vectors("prune", len(cases), len(cases))


def test_dropping_of_nulls_agrees(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "prune_nulls")["cases"]
    for case in cases:
        compiled(case["schema"]).drop_nulls(case["object"])
        assert same_json(case["object"], case["pruned"]), case["test"]
    assert len(cases) == 4
    count_vectors("prune_nulls", len(cases), len(cases))


def test_list_types_agree(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "listtype")["cases"]
    for case in cases:
        errors = compiled(case["schema"]).validate_list_types(case["object"], prefix(case["path"]))
        assert found(errors) == expected(case["errors"]), case["test"]
    assert len(cases) == 17
    count_vectors("listtype", len(cases), len(cases))


def test_formats_agree(shared: Path, count_vectors: CountVectors) -> None:
    cases = load(shared, "formats")["cases"]
    known = [case for case in cases if case["format"] not in _TEST_FORMATS]
    for case in known:
        assert is_of_format(case["format"], case["value"]) == case["valid"], case
    assert {case["format"].replace("-", "") for case in known} <= STRING_FORMATS
    assert (len(cases), len(known)) == (348, 341)
    count_vectors("formats", len(known), len(cases))


def _rules(raw: Any) -> Iterator[dict[str, Any]]:
    """Every CEL rule of a schema."""
    if isinstance(raw, dict):
        rules = raw.get("x-kubernetes-validations")
        yield from rules if isinstance(rules, list) else []
        for child in raw.values():
            yield from _rules(child)
    elif isinstance(raw, list):
        for child in raw:
            yield from _rules(child)


def _is_of_rules(key: ErrorKey, rules: list[dict[str, Any]]) -> bool:
    """Whether an error comes from a CEL rule (or says that rules weren't run); this package doesn't run rules."""
    detail = key[2]
    texts = [(rule.get("message") or rule["rule"]).strip() for rule in rules]
    return (
        detail == _BLOCKED
        or detail.startswith("rule compile error: ")
        or any(
            detail in (text, f"failed rule: {text}") or detail.endswith((f"evaluating rule: {text}", f"for rule: {text}")) for text in texts
        )
    )


def _chain(schema: CompiledSchema, case: dict[str, Any]) -> tuple[list[str], list[str], list[FieldError]]:
    """Decode, default and validate as the server does; paths pruned from the object and the old object, and the errors."""
    paths, old_paths, old = schema.prune(case["object"]), [], case.get("oldObject")
    schema.drop_nulls(case["object"])
    schema.default(case["object"])
    if old is None:
        return paths, [], schema.validate(case["object"]) + schema.validate_list_types(case["object"])
    old_paths = schema.prune(old)
    schema.drop_nulls(old)
    schema.default(old)
    errors = schema.validate_update(case["object"], old)
    if not schema.validate_list_types(old):
        errors += schema.validate_list_types(case["object"])
    return paths, old_paths, errors


def _assert_chain(schema: CompiledSchema, case: dict[str, Any], verdict: dict[str, Any]) -> Counter[ErrorKey]:
    """Checks all of the verdict except the errors from CEL rules, and returns those."""
    paths, old_paths, errors = _chain(schema, case)
    assert same_json(case["object"], verdict["object"]), case["id"]
    assert (paths, old_paths) == (verdict.get("prunedPaths") or [], verdict.get("prunedPathsOld") or []), case["id"]
    rules = list(_rules(schema.schema.raw))
    of_rules = Counter({key: count for key, count in expected(verdict["errors"]).items() if _is_of_rules(key, rules)})
    assert found(errors) == expected(verdict["errors"]) - of_rules, case["id"]
    return of_rules


def test_probes_agree(shared: Path) -> None:
    cases = load(shared, "probe_schema")["cases"]
    checked = 0
    for probe in cases:
        case = probe["case"]
        if case["id"] in _EMBEDDED_PROBES:
            continue
        _assert_chain(CompiledSchema(Schema(case["schema"]), case["id"]), case, probe["verdict"])
        checked += 1
    assert (len(cases), checked) == (116, 115)


def test_random_resources_of_real_crds_agree(shared: Path) -> None:
    schemas, cases = load(shared, "crd_schemas"), load(shared, "crd_cases")["cases"]
    of_rules: Counter[ErrorKey] = Counter()

    @cache
    def schema_of(key: str) -> CompiledSchema:
        return CompiledSchema(Schema(schemas[key]["schema"]), key)

    for case in cases:
        of_rules += _assert_chain(schema_of(case["schemaKey"]), case, case["verdict"])
    assert (len(schemas), len(cases)) == (94, 965)
    assert of_rules.total() == 169
