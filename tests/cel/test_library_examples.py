"""The examples in the libraries' descriptions hold: ``expression -> result``, or ``expression -> error: text``."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

from tests.cel.expression import compile_expression
from weighbridge.policies.cel import library
from weighbridge.policies.cel.check.checked import Refused
from weighbridge.policies.cel.check.environment import environment

_EXAMPLE = re.compile(r"^\s*(?P<text>\S.*?)\s+-> (?P<result>.+)$", re.MULTILINE)
#: Modules that declare functions and have no example, and why.
_WITHOUT_EXAMPLES = {
    "authz",  # runs only with an authorizer; see the vectors of evaluations
    "dispatch",  # finds overloads
    "errors",  # has the texts of the others
    "patches",  # only for mutations; see tests/admission_policies
    "overload",  # describes overloads
    "patterns",  # compiles patterns for the others
    "ranges",  # adds up estimates
}


def examples() -> Iterator[tuple[str, str, str]]:
    for module in pkgutil.iter_modules(library.__path__):
        described = importlib.import_module(f"{library.__name__}.{module.name}").__doc__ or ""
        for match in _EXAMPLE.finditer(described):
            yield module.name, match["text"], match["result"]


@pytest.mark.parametrize(("module", "text", "result"), list(examples()))
def test_examples_hold(module: str, text: str, result: str) -> None:
    functions = environment()
    if result.startswith("error: "):
        expression = compile_expression(text, {}, functions=functions)
        said = expression.message if isinstance(expression, Refused) else expression.run({}).error
        assert said == result.removeprefix("error: ")
        return
    wanted = "1.0 / 0.0" if result == "+Inf" else result
    comparison = compile_expression(f"({text}) == ({wanted})", {}, functions=functions)
    assert not isinstance(comparison, Refused), comparison
    outcome = comparison.run({})
    assert (outcome.value, outcome.error) == (True, "")


def test_every_library_shows_examples() -> None:
    modules = {module.name for module in pkgutil.iter_modules(library.__path__)}
    assert {name for name, _, _ in examples()} == modules - _WITHOUT_EXAMPLES
