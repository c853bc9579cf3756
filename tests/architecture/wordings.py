"""The files that hold the wordings of each stage, and the sentences that are written elsewhere in the same rooms.

A sentence is a string of several words outside of docstrings, or an f-string that is one once something is put into its braces.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.conftest import ROOT

#: The files of texts, by their room.
FILES: Final = {
    "policies/schema": ("errors.py", "metadata_errors.py", "pattern_errors.py"),
    "policies/cel": (
        *("run_time_errors.py", "values/errors.py", "syntax/errors.py", "library/errors.py", "check/errors.py", "rules/errors.py"),
    ),
    "policies/apiserver": ("wordings.py", "acceptance/wordings.py", "acceptance/schema_wordings.py"),
    "policies/pods": ("wordings.py", "validation/wordings.py", "security/wordings.py"),
    "policies/admission_policies": (
        *("wordings.py", "acceptance_wordings.py", "built_in/wordings.py", "type_checks/wordings.py"),
        *("mutating/wordings.py", "mutating/merge_wordings.py", "mutating/patch_wordings.py"),
    ),
}
#: Modules whose strings are code that they write, or lists of fields; only what they give to errors is checked.
WRITERS: Final = (
    "policies/apiserver/acceptance/definition_types.py",
    "policies/schema/emit/",
    "policies/schema/structure.py",
    "policies/cel/emit/",
    "policies/cel/rules/rule_nodes.py",
)
#: Strings of other modules that aren't sentences, or that no user reads; an ellipsis is where something is put in.
OTHERS: Final = {
    "policies/schema/node.py": ("Schema(type=…, keywords=…)",),
    "policies/cel/library/lists.py": ("map(dyn, dyn)",),
    # The name of a compiled unit.
    "policies/cel/rules/evaluation.py": ("rules of …",),
    # Types in words, and the name of a compiled unit.
    "policies/cel/rules/explanation.py": ("object with …", "no fields", "… of …", "… rule …"),
    "policies/cel/syntax/grammar.py": ("<end of rule>",),
    "policies/cel/syntax/recovery.py": ("<missing …>",),
    "policies/cel/values/go_values.py": ("map(dyn, dyn)",),
    # An evaluation without errors needs it too.
    "policies/cel/values/outcome.py": ("operation cancelled: actual cost limit exceeded",),
    # The name of a document.
    "policies/apiserver/definitions.py": ("document …",),
    # The server ignores managed fields that it can't read, and says nothing.
    "policies/apiserver/field_sets.py": (
        *("a set of fields is a map", "… is no path element", "… isn't an index", "… is no JSON", "… is no map of keys"),
    ),
    "policies/apiserver/managed_fields.py": ("operation, apiVersion or fieldsType",),
    # A Go type as Go prints it.
    "policies/apiserver/type_meta.py": (
        r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }',
    ),
    # Go values as Go prints them.
    "policies/admission_policies/mutating/foreign.py": ("time.Date(…, time.…, …, …, …)", "netip.uint128{hi:…, lo:…}"),
    # The key of a memory.
    "policies/admission_policies/mutating/schema_fit.py": ("merge type",),
    "policies/pods/validation/affinity.py": ("….{topologyKey, whenUnsatisfiable}",),
}
#: What makes an error: functions and classes by their last word, and the methods of paths and readers. `UnsupportedError` says in the
#: written code why an expression has no direct form.
_MAKES_ERRORS: Final = re.compile(
    r"(?!UnsupportedError)\w*(?:Error|Refusal|Refused|Violation|Finding|Issue|Broken|Outcome|Denial|NotKnown|Unchecked|Advice)\Z"
)
_METHODS: Final = ("invalid", "invalid_text", "required", "forbidden", "complain", "fail")
_SENTENCE: Final = re.compile(r"[a-z]+[,;:]? [a-z]|…[,;:]? [a-z]{2}|[a-z]{2}[,;:]? …")


def modules() -> Iterator[tuple[str, str]]:
    """The modules that may hold no sentences, each with its source."""
    texts = {f"{room}/{name}" for room, names in FILES.items() for name in names}
    for room in FILES:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name not in texts:
                yield name, path.read_text(encoding="utf-8")


class Sentence(NamedTuple):
    """A sentence and where it is written; an ellipsis is where something is put in."""

    line: int
    text: str


def sentences(source: str) -> list[Sentence]:
    """The sentences of a module."""
    tree = ast.parse(source)
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    skipped |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = (node for node in ast.walk(tree) if id(node) not in skipped)
    found = (Sentence(node.lineno, text) for node in texts if isinstance(node, ast.expr) and (text := _text(node)) is not None)
    return [sentence for sentence in found if _SENTENCE.search(sentence.text)]


def given_to_errors(source: str) -> list[Sentence]:
    """The sentences that a module gives to an error as they are, in any branch of a conditional."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _makes_error(node.func):
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                found += [Sentence(part.lineno, text) for part in _parts(argument) if (text := _text(part)) is not None]
    return [sentence for sentence in found if _SENTENCE.search(sentence.text)]


def _text(node: ast.expr) -> str | None:
    """The text of a string, with an ellipsis where something is put in; `None` if the node isn't a string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return None


def _makes_error(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in _METHODS or _MAKES_ERRORS.match(function.attr) is not None
    return isinstance(function, ast.Name) and _MAKES_ERRORS.match(function.id) is not None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _parts(node.body)
        yield from _parts(node.orelse)
    elif isinstance(node, ast.BinOp):
        yield from _parts(node.left)
        yield from _parts(node.right)
    else:
        yield node
