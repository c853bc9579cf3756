"""The messages for texts that can't be read, and the exception that has one.

Each function returns our message, and kubectl's if kubectl 1.36 has one for the same error.
"""

from __future__ import annotations

from typing import Final

#: The limit of depth of Go's decoders and kubectl's YAML library.
MAX_DEPTH: Final = 10_000

_KUBECTL: Final = "error converting YAML to JSON: "


class UnreadableError(ValueError):
    """The document can't be read. `place` is line and column from 1 within its text, if known."""

    def __init__(self, message: str, kubectl: str = "", place: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.kubectl = kubectl
        self.place = place


#: The advice for errors whose message doesn't say what is allowed.
_REMEDIES: Final = {
    "control characters are not allowed": "take it out, or save the file as UTF-8",
    "could not find expected ':'": "write ': ' behind the key, or indent the line as part of the value above",
    "did not find expected ',' or ']'": "close the list, or put a comma between its items",
    "did not find expected ',' or '}'": "close the map, or put a comma between its fields",
    "did not find expected '-' indicator": "indent the line as its neighbours, or begin it with '- '",
    "did not find expected key": "indent the line as its neighbours",
    "found unexpected end of stream": "close the quote that opens here",
    "mapping values are not allowed in this context": "put a value that holds ': ' in quotes, or indent the line as its neighbours",
}
_UNSTARTED: Final = "found character that cannot start any token"


def invalid_yaml(problem: str, kubectl_line: int, found: str = "") -> tuple[str, str]:
    """The text breaks YAML's grammar, at the character `found`; kubectl leaves the line out where it takes it for 0."""
    where = f"line {kubectl_line}: " if kubectl_line else ""
    remedy = _REMEDIES.get(problem, "")
    if problem == _UNSTARTED:
        remedy = "indent with spaces, not with tabs" if found == "\t" else "put the value in quotes"
    return f"invalid YAML: {problem}{remedy and f'; {remedy}'}", f"{_KUBECTL}yaml: {where}{problem}"


def unknown_escape(kubectl_line: int) -> tuple[str, str]:
    r"""`\/` in a quoted scalar, which YAML 1.2 has because of JSON but kubectl's library doesn't."""
    return invalid_yaml("found unknown escape character", kubectl_line)


def invalid_scalar(kubectl: str) -> tuple[str, str]:
    """A scalar that isn't what its tag says, or can't be a key."""
    return kubectl.removeprefix("yaml: "), _KUBECTL + kubectl


def unusable_key(kubectl: str) -> tuple[str, str]:
    """A key that kubectl can't turn into a string."""
    return "a key must be a string, a number or a boolean", _KUBECTL + kubectl


def collection_key(shown: str) -> tuple[str, str]:
    """A map or list as a key: most often an unquoted `{{ template }}`."""
    return "a key must be a scalar, not a map or a list", f"{_KUBECTL}yaml: invalid map key: {shown}"


def unknown_anchor(name: str) -> tuple[str, str]:
    """An alias without an anchor before it."""
    return f"unknown anchor '{name}'", f"{_KUBECTL}yaml: unknown anchor '{name}' referenced"


def recursive_anchor(name: str) -> tuple[str, str]:
    """An alias within its own anchor."""
    text = f"anchor '{name}' value contains itself"
    return text, f"{_KUBECTL}yaml: {text}"


def excessive_aliasing() -> tuple[str, str]:
    """Aliases make up nearly all of the document."""
    text = "document contains excessive aliasing"
    return text, f"{_KUBECTL}yaml: {text}"


def too_many_nodes(most: int) -> tuple[str, str]:
    """More values than are read in such a text; kubectl has no such limit."""
    return f"more than {most} values; divide it", ""


def alias_not_taken(name: str) -> tuple[str, str]:
    """An alias in a text in which aliases aren't accepted; kubectl accepts them."""
    return f"an alias, '*{name}', isn't taken here; write out what it means", ""


def wrong_merge() -> tuple[str, str]:
    """`<<` with something that isn't a map."""
    return "'<<' takes a map or a list of maps", f"{_KUBECTL}yaml: map merge requires map or sequence of maps as the value"


def not_finite(shown: str, path: str) -> tuple[str, str]:
    """An infinity or NaN, which JSON doesn't have."""
    return f"{path} is {shown}, which JSON doesn't have", f"{_KUBECTL}json: unsupported value: {shown}"


def invalid_separator(rest: str) -> tuple[str, str]:
    """Content on a `---` line."""
    return f"only a comment may follow '---' on its line, not {rest!r}", f"invalid Yaml document separator: {rest}"


def too_deep(sign: str) -> tuple[str, str]:
    """More levels than the resulting JSON may have; `sign` opens the level that is too deep."""
    problem = f"invalid character '{sign}' exceeded max depth"
    return f"nested deeper than {MAX_DEPTH} levels", f"error unmarshaling JSON: while decoding JSON: {problem}"


def too_deep_yaml(kubectl_line: int) -> tuple[str, str]:
    """More levels than the YAML may have, with flow and block counted separately; kubectl leaves the line out where it takes it for 0."""
    where = f"line {kubectl_line}: " if kubectl_line else ""
    return f"nested deeper than {MAX_DEPTH} levels", f"{_KUBECTL}yaml: {where}exceeded max depth of {MAX_DEPTH}"


def invalid_json(problem: str, offset: int, *, is_cut: bool) -> tuple[str, str]:
    """The text breaks JSON's grammar, or ends too early."""
    return f"invalid JSON: {problem}", "unexpected EOF" if is_cut else f"json: offset {offset}: {problem}"


def number_overflows(text: str) -> tuple[str, str]:
    """A JSON number beyond what a float holds."""
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"the number {shown} is too large", f"json: cannot unmarshal number {text} into Go value of type float64"


def invalid_utf8() -> str:
    """Bytes that aren't UTF-8."""
    return "invalid UTF-8; kubectl would put U+FFFD in its place"


def content_lost() -> str:
    """Content that kubectl ignores."""
    return "kubectl ignores everything between the end of the document here and the next '---' line"


def duplicate_key(path: str) -> str:
    """A key that occurs twice in one map."""
    return f"duplicate field {path!r}: the last one wins and kubectl doesn't say so".replace("'", '"', 2)


def merge_overrides(path: str) -> str:
    """A merge below an explicit key replaces its value, contrary to YAML."""
    return f'the merge key "<<" replaces the value of "{path}" above it: kubectl lets the later one win'
