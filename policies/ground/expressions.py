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


#: The functions that can compile expressions. The last one is used.
_compilers: Final[list[Callable[[Any, int], re.Pattern[Any]]]] = [re.compile]


def compiled_by(compiler: Callable[[Any, int], re.Pattern[Any]]) -> None:
    """Compile expressions with this function from now on. It must return what `re.compile` returns."""
    _compilers.append(compiler)


class _Expression:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._arguments: Any = (text, flags)
        self.pattern = text

    def __getattr__(self, name: str) -> Any:
        compiled = _compilers[-1](*self._arguments)
        # From now on Python finds these attributes without calling this method, so they cost no more than those of the compiled expression.
        vars(self).update({attribute: getattr(compiled, attribute) for attribute in _ATTRIBUTES})
        return getattr(compiled, name)
