"""The explaining pass of validation: every violation of a value, as the server's OpenAPI validator finds and merges them.

It runs only on values that the generated predicate (`emit.validate`) has refused, and its verdict counts. Order inside a
node, merging of equal texts and the count of matches by which ``anyOf`` and ``oneOf`` choose the branch to report follow
k8s.io/kube-openapi ``pkg/validation/validate`` as of kube-apiserver 1.36; ratcheting follows k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.schema import errors, numbers
from weighbridge.policies.schema.errors import Violation
from weighbridge.policies.schema.go_values import as_go_number, deep_equal, in_enum
from weighbridge.policies.schema.node import MAX_DEPTH, STRING_FORMATS, Schema, SchemaTooDeepError
from weighbridge.policies.schema.ratchet import Correlated

_JSON_TYPES: Final = {bool: "boolean", str: "string", int: "integer", float: "number", list: "array", dict: "object"}
_GO_FORMATS: Final = {int: "int64", float: "float64"}
#: Fields of the root that never ratchet, since the old and the new object are converted to the same version.
_TYPE_META: Final = ("apiVersion", "kind")


@dataclass(slots=True)
class DistinctViolations:
    """Violations with distinct texts, and how many checks matched."""

    violations: dict[str, Violation] = field(default_factory=dict)
    matches: int = 0

    @property
    def is_valid(self) -> bool:
        """Whether nothing was found."""
        return not self.violations

    def add(self, found: Iterable[Violation]) -> None:
        """Add violations; of several with the same text the first stays."""
        for violation in found:
            self.violations.setdefault(violation.text, violation)

    def merge(self, other: DistinctViolations) -> None:
        """Add another result's violations and matches."""
        self.add(other.violations.values())
        self.matches += other.matches


def explain(schema: Schema, value: JSONValue, name: str, correlated: Correlated | None = None, depth: int = 0) -> DistinctViolations:
    """All violations of `value`. If its old value is given, parts that are invalid but unchanged are accepted, here and below.

    Raises `SchemaTooDeepError` if the schema nests deeper than can be followed.
    """
    if depth > MAX_DEPTH:
        raise SchemaTooDeepError
    result = _explain_null(schema, name) if value is None else _Explanation(schema, name, depth).run(value, correlated)
    if correlated is not None and result.violations and correlated.equal():
        return DistinctViolations(matches=result.matches)
    return result


def _explain_null(schema: Schema, name: str) -> DistinctViolations:
    """Only type and enum apply to null, and no enum has it."""
    result = DistinctViolations()
    if schema.types and not schema.nullable:
        result.add([errors.wrong_type(name, ",".join(schema.types), "null")])
    else:
        result.matches = 1
    if schema.enum:
        result.add([errors.not_in_enum(name, None, schema.enum)])
    return result


def type_violation(schema: Schema, name: str, value: JSONValue) -> Violation | None:
    """What the type says of a value that isn't null.

    With a format the server speaks of Go kinds instead of JSON types, and lets arrays pass for strings.
    """
    kind = type(value)
    types, format_name, json_type = schema.types, schema.known_format, _JSON_TYPES[kind]
    accepted = (
        json_type in types
        or (kind is int and "number" in types)
        or (kind is float and "integer" in types and numbers.is_json_integer(value))
    )
    if format_name:
        go_format = _GO_FORMATS.get(kind, "")
        if kind is str or kind is list:
            if "number" not in types and "integer" not in types:
                return None
        elif not accepted and go_format != format_name:
            return errors.wrong_type(name, format_name, go_format)
    return None if accepted else errors.wrong_type(name, ",".join(types), json_type)


class _Explanation:
    """One node's checks, in the server's order."""

    __slots__ = ("depth", "name", "result", "schema")

    def __init__(self, schema: Schema, name: str, depth: int) -> None:
        self.schema = schema
        self.name = name
        self.depth = depth
        self.result = DistinctViolations()

    def run(self, value: JSONValue, correlated: Correlated | None) -> DistinctViolations:
        """Run every validator that applies to the value's kind. Each that applies counts as a match."""
        if type(value) is int:
            value = as_go_number(value)
        if self.schema.types or self.schema.known_format:
            self._type(value)
        self._combinators(value)
        kind = type(value)
        if kind is str:
            self._string(value)
        elif kind is int or kind is float:
            self.result.add(numbers.violations(self.schema, self.name, value))
            self.result.matches += 2
        elif kind is list:
            self._list(value, correlated)
        self._enum(value)
        if kind is dict:
            self._map(value, correlated)
        self.result.matches += 1
        return self.result

    def _type(self, value: JSONValue) -> None:
        violation = type_violation(self.schema, self.name, value)
        if violation is None:
            self.result.matches += 1
        else:
            self.result.add([violation])
        self.result.matches += 1

    def _enum(self, value: JSONValue) -> None:
        values = self.schema.enum
        if values and not in_enum(value, values):
            self.result.add([errors.not_in_enum(self.name, value, values)])
        self.result.matches += 1

    def _string(self, value: str) -> None:
        violation = self._text_violation(value)
        self.result.add([] if violation is None else [violation])
        self.result.matches += 1
        format_name = self.schema.known_format
        if format_name.replace("-", "") in STRING_FORMATS:
            from weighbridge.policies.schema.formats.predicates import is_of_format

            if not is_of_format(format_name, value):
                self.result.add([errors.wrong_type(self.name, format_name, value)])
            self.result.matches += 1

    def _text_violation(self, value: str) -> Violation | None:
        longest, shortest, pattern = self.schema.bound("maxLength"), self.schema.bound("minLength"), self.schema.pattern
        if longest is not None and len(value) > longest:
            return errors.too_long(self.name, longest)
        if shortest is not None and len(value) < shortest:
            return errors.too_short(self.name, shortest, value)
        if pattern:
            from weighbridge.policies.schema.patterns import compile_pattern

            compiled = compile_pattern(pattern)
            if compiled.error:
                return errors.invalid_pattern(self.name, pattern, compiled.error, value)
            if not compiled.matches(value):
                return errors.no_match(self.name, pattern, value)
        return None

    def _list(self, value: list[JSONValue], correlated: Correlated | None) -> None:
        items, size = self.schema.items, len(value)
        if items is not None:
            for index, item in enumerate(value):
                child = None if correlated is None else correlated.index(index)
                self.result.merge(explain(items, item, f"{self.name}[{index}]", child, self.depth + 1))
        fewest, most = self.schema.bound("minItems"), self.schema.bound("maxItems")
        if fewest is not None and size < fewest:
            self.result.add([errors.too_few_items(self.name, fewest, size)])
        if most is not None and size > most:
            self.result.add([errors.too_many_items(self.name, most, size)])
        if self.schema.flag("uniqueItems") and _has_equal_items(value):
            self.result.add([errors.items_not_unique(self.name)])
        self.result.matches += 2

    def _map(self, value: JSONObject, correlated: Correlated | None) -> None:
        fewest, most = self.schema.bound("minProperties"), self.schema.bound("maxProperties")
        if fewest is not None and len(value) < fewest:
            self.result.add([errors.too_few_properties(self.name, fewest, len(value))])
        if most is not None and len(value) > most:
            self.result.add([errors.too_many_properties(self.name, most, len(value))])
        properties = self.schema.properties
        for key in value:
            if key not in properties:
                self._additional(key, value[key], correlated)
        for key, schema in properties.items():
            if key in value:
                self._field(schema, f"{self.name}.{key}" if self.name else key, key, value[key], correlated)
        for key in self.schema.required:
            if key not in value:
                self.result.add([errors.required(f"{self.name}.{key}")])
        self.result.matches += 1

    def _additional(self, key: str, value: JSONValue, correlated: Correlated | None) -> None:
        if self.schema.additional_properties_bool is False:
            self.result.add([errors.forbidden_property(self.name, key)])
        elif self.schema.additional_properties is not None:
            self._field(self.schema.additional_properties, f"{self.name}.{key}", key, value, correlated)

    def _field(self, schema: Schema, name: str, key: str, value: JSONValue, correlated: Correlated | None) -> None:
        child = None if correlated is None or (not self.name and key in _TYPE_META) else correlated.key(key)
        self.result.merge(explain(schema, value, name, child, self.depth + 1))

    def _combinators(self, value: JSONValue) -> None:
        """``anyOf``, ``oneOf``, ``allOf`` and ``not``. Nothing ratchets inside them."""
        if self.schema.any_of:
            self._any_of(self._branches(self.schema.any_of, value))
        if self.schema.one_of:
            self._one_of(list(self._branches(self.schema.one_of, value)))
        if self.schema.all_of:
            self._all_of(list(self._branches(self.schema.all_of, value)))
        if self.schema.not_ is not None and explain(self.schema.not_, value, self.name, None, self.depth + 1).is_valid:
            self.result.add([errors.validates_not(self.name)])
        self.result.matches += 2

    def _branches(self, branches: list[Schema], value: JSONValue) -> Iterable[DistinctViolations]:
        return (explain(branch, value, self.name, None, self.depth + 1) for branch in branches)

    def _any_of(self, results: Iterable[DistinctViolations]) -> None:
        best: DistinctViolations | None = None
        for result in results:
            if result.is_valid:
                self.result.merge(result)
                return
            if best is None or result.matches > best.matches:
                best = result
        self.result.add([errors.none_of_any(self.name)])
        if best is not None:
            self.result.merge(best)

    def _one_of(self, results: list[DistinctViolations]) -> None:
        valid = [result for result in results if result.is_valid]
        if len(valid) != 1:
            self.result.add([errors.not_exactly_one(self.name, len(valid))])
        if valid:
            if len(valid) == 1:
                self.result.merge(valid[0])
            # As upstream, the failures after the last valid branch aren't kept.
            return
        self.result.merge(max(results, key=lambda result: result.matches))

    def _all_of(self, results: list[DistinctViolations]) -> None:
        valid = 0
        for result in results:
            valid += result.is_valid
            self.result.merge(result)
        if valid != len(results):
            self.result.add([errors.not_all(self.name, valid)])


def _has_equal_items(items: list[JSONValue]) -> bool:
    return any(deep_equal(item, earlier) for index, item in enumerate(items) for earlier in items[:index])
