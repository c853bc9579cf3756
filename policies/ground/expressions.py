"""Regular expressions that are compiled when they are first used: a command defines hundreds and uses few.

Type checkers see `re.compile`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import compile as expression
else:

    def expression(text: str | bytes, flags: int = 0) -> _Expression:
        """`re.compile` for a constant of a module."""
        return _Expression(text, flags)


__all__ = ["compiled_by", "expression"]

_ATTRIBUTES: Final = (
    "findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern", "scanner", "search", "split", "sub", "subn",
)  # fmt: skip


#: What compiles them: the last one.
_compilers: Final[list[Callable[[Any, int], re.Pattern[Any]]]] = [re.compile]


def compiled_by(compiler: Callable[[Any, int], re.Pattern[Any]]) -> None:
    """From now on, have expressions compiled by something that gives what `re.compile` gives."""
    _compilers.append(compiler)


class _Expression:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._arguments: Any = (text, flags)
        self.pattern = text

    def __getattr__(self, name: str) -> Any:
        compiled = _compilers[-1](*self._arguments)
        # From now on these are found without a call, and cost what the compiled expression's own cost.
        vars(self).update({attribute: getattr(compiled, attribute) for attribute in _ATTRIBUTES})
        return getattr(compiled, name)
