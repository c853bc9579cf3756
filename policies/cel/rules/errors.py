"""What the server says against an object that fails a rule, and against a rule that it can't compile: every wording.

What goes wrong inside an expression is in `cel.run_time_errors`. Source: k8s.io/apiextensions-apiserver
`pkg/apiserver/schema/cel/{compilation,validation}.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- rules that don't compile ---

RULE_NOT_BOOL: Final = "cel expression must evaluate to a bool"
MESSAGE_NOT_STRING: Final = "messageExpression must evaluate to a string"
UNDECLARED: Final = "failed to convert to declType for CEL validation rules"
NOT_INSTANTIATED: Final = "program instantiation failed"
_OF_MESSAGE: Final = "messageExpression "


def not_compiled(why: str, *, of_message: bool) -> str:
    """The parser or the checker refuses a rule or its message expression."""
    return f"{_OF_MESSAGE if of_message else ''}compilation failed: {why}"


def not_instantiated(why: object, *, of_message: bool) -> str:
    """A constant of a rule or of its message expression can't be computed."""
    return f"{_OF_MESSAGE}instantiation failed: {why}" if of_message else f"{NOT_INSTANTIATED}: {why}"


# --- the path of a rule's field ---

NO_BRACKETS: Final = "array notation is not allowed"
UNEXPECTED_END: Final = "unexpected end of JSON path"
NO_SUCH_FIELD: Final = "does not refer to a valid field"


def no_closing_bracket(found: str) -> str:
    """A quoted name isn't followed by a bracket."""
    return f"expected ] but got {found}"


def no_step(found: str) -> str:
    """A step begins with neither a bracket nor a dot."""
    return f"expected [ or . but got: {found}"


def not_quoted(found: str) -> str:
    """A name in brackets isn't in single quotes."""
    return f"expected single quoted string but got {found}"


def invalid_escape(char: str) -> str:
    """A quoted name has an escape that Go doesn't have."""
    return f"invalid string literal: invalid escape char \\{char}"


# --- objects ---

BUDGET_SPENT: Final = "validation failed due to running out of cost budget, no further validation rules will be run"
MESSAGE_BUDGET_SPENT: Final = (
    "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
)
NO_TYPES: Final = f"rule compiler initialization error: {UNDECLARED}"


def failed(rule: str) -> str:
    """The rule is false, and has no message."""
    return f"failed rule: {rule}"


def uncompiled(why: str) -> str:
    """The rule doesn't compile."""
    return f"rule compile error: {why}"


def evaluation_failed(why: str, rule: str) -> str:
    """The rule fails with an error."""
    return f"{why} evaluating rule: {rule}"


def call_not_supported(why: str, rule: str) -> str:
    """The rule calls a function or an operator that has no overload for these values."""
    return f"'{why}': call arguments did not match a supported operator, function or macro signature for rule: {rule}"


def rule_too_expensive(why: str, rule: str) -> str:
    """One evaluation of the rule costs too much."""
    return f"'{why}': no further validation rules will be run due to call cost exceeds limit for rule: {rule}"


def message_too_expensive(expression: str) -> str:
    """One evaluation of the message expression costs too much."""
    return f"no further validation rules will be run due to call cost exceeds limit for messageExpression: {quote(expression)}"
