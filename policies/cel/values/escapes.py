"""How property names become CEL identifiers and back.

``__`` becomes ``__underscores__``, ``.`` ``__dot__``, ``-`` ``__dash__``, ``/`` ``__slash__``, a reserved word ``__word__``. Names that
start with a digit or hold other characters can't be named in a rule. Source: k8s.io/apiserver `pkg/cel/escaping.go`.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.memory import once_a_text

RESERVED: Final = frozenset(
    {
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
        "package", "namespace", "return", "var", "void", "while",
    },
)  # fmt: skip
_ESCAPES: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_UNESCAPES: Final = {"underscores": "__", "dot": ".", "dash": "-", "slash": "/"}
_SPECIAL: Final = expression(r"__|[-./]")
_ALLOWED: Final = expression(r"[A-Za-z_./-][A-Za-z0-9_./-]*")
_ESCAPED: Final = expression(r"__([^_]+)__")


@once_a_text(4096)
def escape(name: str) -> str | None:
    """The identifier of a property, or `None` if it has none."""
    if not _ALLOWED.fullmatch(name):
        return None
    if name in RESERVED:
        return f"__{name}__"
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], name)


@once_a_text(4096)
def unescape(identifier: str) -> str | None:
    """The property that an identifier names, or `None` if it can't name any."""
    valid = True

    def replace(match: re.Match[str]) -> str:
        nonlocal valid
        word = match.group(1)
        if word in _UNESCAPES:
            return _UNESCAPES[word]
        if word not in RESERVED or match.group() != identifier:
            valid = False
        return word

    name = _ESCAPED.sub(replace, identifier)
    return name if valid else None
