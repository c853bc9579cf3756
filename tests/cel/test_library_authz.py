"""Requests to the authorizer, and how overloads are found by values."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.cel.library_calls import OVERLOADS, made, said
from weighbridge.policies.cel.library.authz import (
    AuthorizerValue,
    Decision,
    Question,
    as_service_account,
    ask,
    group_check,
    path_check,
    resource_check,
)
from weighbridge.policies.cel.library.dispatch import accepts, dispatcher, fits, guarded, no_such_overload
from weighbridge.policies.cel.library.overload import Function, Library, Overload, one
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE
from weighbridge.policies.cel.values.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Type,
    is_scalar,
    list_of,
    map_of,
    optional_of,
    parameter,
    type_of,
    unwrapped,
)
from weighbridge.policies.cel.values.values import Timestamp, Uint, Value


@dataclass
class Listening:
    """Allows everything and remembers what it was asked."""

    asked: list[Question] = field(default_factory=list)

    def authorize(self, question: Question) -> Decision:
        self.asked.append(question)
        return Decision(is_allowed=True, reason="so", error="none")


def _call(id_: str, *args: Value) -> Value:
    call = OVERLOADS[id_].call
    assert call is not None
    return call(*args)


def test_a_question_names_all_of_its_parts() -> None:
    authorizer = Listening()
    check = resource_check(group_check(AuthorizerValue(authorizer), "apps"), "deployments")
    for id_, text in (("subresource", "scale"), ("namespace", "n"), ("name", "x")):
        check = _call(f"resourcecheck_{id_}", check, text)
    check = _call("authorizer_labelselector", _call("authorizer_fieldselector", check, "a=b"), "c=d")
    decision = _call("resourcecheck_check", check, "update")
    assert authorizer.asked == [Question("update", "", "apps", "deployments", "scale", "n", "x", "a=b", "c=d")]
    assert [_call(f"decision_{part}", decision) for part in ("allowed", "reason", "error", "errored")] == [True, "so", "none", True]
    assert _call("decision_errored", Decision(is_allowed=False)) is False


def test_a_path_is_asked_for_and_somebody_else_may_ask() -> None:
    authorizer = Listening()
    other = as_service_account(AuthorizerValue(authorizer), "ns", "sa.x")
    ask(path_check(other, "/healthz"), "get")
    ask(resource_check(group_check(other, ""), "pods"), "list")
    ask(path_check(AuthorizerValue(authorizer), "/healthz"), "get")
    assert authorizer.asked == [
        Question("get", path="/healthz", service_account=("ns", "sa.x")),
        Question("list", resource="pods", service_account=("ns", "sa.x")),
        Question("get", path="/healthz"),
    ]


def test_questions_about_nothing_are_errors() -> None:
    value = AuthorizerValue(Listening())
    assert [said(path_check, value, path) for path in ("", " ")] == ["path must not be empty"] * 2
    assert [said(resource_check, group_check(value, "apps"), name) for name in ("", " ")] == ["resource must not be empty"] * 2
    assert said(as_service_account, value, "ns", "-") == "Invalid service account name"
    assert said(as_service_account, value, "a.b", "sa") == "Invalid service account namespace"
    assert value.equals(value) is None


@pytest.mark.parametrize(
    ("type_", "value", "fit"),
    [
        (DYN, 1, True),
        (parameter("T"), "x", True),
        (INT, 1, True),
        (INT, Uint(1), False),
        (INT, True, False),
        (TIMESTAMP, Timestamp(0), True),
        (list_of(INT), [], True),
        (list_of(INT), [1, "x"], True),
        (list_of(INT), ["x", 1], False),
        (list_of(INT), 1, False),
        (list_of(STRING), read(["x"], JSON_TYPE), True),
        (list_of(INT), read(["x"], JSON_TYPE), False),
        (map_of(STRING, INT), made(), True),
        (map_of(STRING, INT), made(("a", 1), (2, 2)), True),
        (map_of(STRING, INT), made(("a", "x")), False),
        (map_of(STRING, BOOL), made(("a", "x")), False),
        (map_of(STRING, INT), made((1, 1)), False),
        (map_of(STRING, list_of(INT)), made(("a", ["x"])), False),
        (map_of(STRING, INT), read({"a": 1}, JSON_TYPE), True),
        (map_of(STRING, INT), read({"a": "x"}, JSON_TYPE), False),
        (map_of(STRING, INT), [1], False),
    ],
)
def test_a_value_fits_a_type_by_a_glance_at_its_first_part(type_: Type, value: Value, fit: bool) -> None:
    assert fits(type_, value) is fit


def test_a_call_goes_to_the_first_overload_that_takes_its_values() -> None:
    whole = Overload("whole", (INT,), STRING, lambda _: "int")
    pair = Overload("pair", (INT, DYN), STRING, lambda *_: "pair")
    unbound = Overload("unbound", (BOOL,), STRING)
    call = dispatcher(Function("f", [unbound, whole, pair]))
    assert [said(call, *args) for args in ((1,), (1, "x"), (True,), ("x", None), ())] == [
        "int",
        "pair",
        "no such overload: f(bool)",
        "no such overload: f(string, null_type)",
        "no such overload: f()",
    ]
    assert [said(guarded("g", whole), value) for value in (1, "x")] == ["int", "no such overload: g(string)"]
    assert (accepts(pair, (1, None)), accepts(pair, (1,)), accepts(pair, ("x", 1))) == (True, False, False)
    assert str(no_such_overload("f", ([1], made()))) == "no such overload: f(list, map)"


def test_a_library_declares_functions_and_members() -> None:
    library = Library(since=(1, 30))
    library.function("f", "f_int", (INT,), STRING, str, cost=one)
    library.function("f", "f_bool", (BOOL,), STRING, repr)
    library.member("f", "int_f", [INT], STRING, str)
    library.type(type_of(INT))
    function = library.functions["f"]
    assert [(each.id, each.parameters, each.member, each.since, each.cost) for each in function.overloads] == [
        ("f_int", (INT,), False, (1, 30), one),
        ("f_bool", (BOOL,), False, (1, 30), None),
        ("int_f", (INT,), True, (1, 30), None),
    ]
    assert (function.unresolved_cost, function.singleton, list(library.type_names)) == (one, None, ["type"])
    assert function.overload("int_f").result is STRING
    with pytest.raises(KeyError):
        function.overload("gone")


def test_types_print_and_compare_by_their_structure() -> None:
    nested = map_of(STRING, list_of(optional_of(TIMESTAMP)))
    printed = ["map(string, list(optional_type(timestamp)))", "int", "T", "type(dyn)"]
    assert [str(type_) for type_ in (nested, INT, parameter("T"), type_of(DYN))] == printed
    assert list_of(parameter("A")).is_equivalent(list_of(parameter("B")))
    pairs = [(list_of(INT), list_of(STRING)), (INT, STRING), (list_of(INT), INT), (type_of(INT), Type(type_of(INT).kind, "type"))]
    assert [left.is_equivalent(right) for left, right in pairs] == [False] * 4
    assert nested.is_equivalent(map_of(STRING, list_of(optional_of(TIMESTAMP))))
    assert (DYN.is_dyn, INT.is_dyn, optional_of(INT).is_optional, list_of(INT).is_optional) == (True, False, True, False)
    assert [is_scalar(type_) for type_ in (INT, TIMESTAMP, optional_of(BOOL))] == [True] * 3
    assert [is_scalar(type_) for type_ in (STRING, optional_of(STRING), list_of(INT))] == [False] * 3
    assert (unwrapped(optional_of(INT)), unwrapped(INT)) == ((INT, True), (INT, False))
