"""The answer of a hand-written rule, and its errors."""

from __future__ import annotations


class WrongTypeError(Exception):
    """A value isn't of the type that the schema declares."""


class TooCostlyError(Exception):
    """The limit is exceeded."""


#: Verdict and cost, as Kubernetes counts it.
Answer = tuple[bool, int]
