"""Reads binary operators by precedence, with explicit stacks: no chain of operators costs recursion.

Chains of ``&&`` and ``||`` become balanced trees, as cel-go makes them, so that they don't nest either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.syntax.lexer import Kind
from weighbridge.policies.cel.syntax.nodes import Call, Expr
from weighbridge.policies.cel.syntax.token_stream import TokenStream

#: Binary operators: how tightly they bind, and the function they call.
_BINARY: Final = {
    "<": (3, "_<_"), "<=": (3, "_<=_"), ">": (3, "_>_"), ">=": (3, "_>=_"), "==": (3, "_==_"), "!=": (3, "_!=_"), "in": (3, "@in"),
    "+": (4, "_+_"), "-": (4, "_-_"), "*": (5, "_*_"), "/": (5, "_/_"), "%": (5, "_%_"),
}  # fmt: skip
_LOGIC: Final = {"||": (1, "_||_"), "&&": (2, "_&&_")}


#: The functions of the binary operators, by their symbols.
FUNCTIONS: Final = {symbol: function for symbol, (_, function) in _BINARY.items()}


class OperatorReader:
    """Reads operands and the operators between them."""

    def __init__(self, tokens: TokenStream, unary: Callable[[], Expr]) -> None:
        self._tokens = tokens
        self._unary = unary

    def read(self) -> Expr:
        """Binary operators by precedence; chains of `&&` and `||` become balanced trees."""
        operands = [self._unary()]
        waiting: list[tuple[int, str, int]] = []
        while True:
            token = self._tokens.current
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._tokens.take().offset))
            operands.append(self._unary())
            if entry[1] in ("_&&_", "_||_"):
                self._extend_chain(operands, waiting, entry)

    def _extend_chain(self, operands: list[Expr], waiting: list[tuple[int, str, int]], entry: tuple[int, str]) -> None:
        """Read the rest of ``a && b && c`` and put one balanced tree for all of it."""
        precedence, function = entry
        offsets = [waiting.pop()[2]]
        terms = [operands.pop(-2), operands.pop()]
        symbol = "&&" if function == "_&&_" else "||"
        while True:
            terms[-1] = self._tighter(terms[-1], precedence)
            if not self._tokens.current.is_symbol(symbol):
                break
            offsets.append(self._tokens.take().offset)
            terms.append(self._unary())
        operands.append(balanced(function, terms, offsets))

    def _tighter(self, first: Expr, precedence: int) -> Expr:
        """Go on with operators that bind more tightly than `precedence`, `first` being read already."""
        operands = [first]
        waiting: list[tuple[int, str, int]] = []
        while True:
            token = self._tokens.current
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            if entry is not None and entry[0] <= precedence:
                entry = None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._tokens.take().offset))
            operands.append(self._unary())
            if entry[1] == "_&&_":
                self._extend_chain(operands, waiting, entry)

    def _reduce(self, operands: list[Expr], waiting: list[tuple[int, str, int]]) -> None:
        _, function, offset = waiting.pop()
        right = operands.pop()
        left = operands.pop()
        operands.append(Call(offset, function, [left, right]))


def balanced(function: str, terms: list[Expr], offsets: list[int]) -> Expr:
    """A balanced tree of a commutative operator, so that long chains stay shallow."""
    if len(terms) == 1:
        return terms[0]
    middle = len(offsets) // 2
    left = balanced(function, terms[: middle + 1], offsets[:middle])
    right = balanced(function, terms[middle + 1 :], offsets[middle + 1 :])
    return Call(offsets[middle], function, [left, right])
