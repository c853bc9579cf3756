"""How generated code of the direct form stops at anything out of the ordinary: the tracked form has to decide then.

They have a module of their own, since code that another run has compiled needs them and often nothing more.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.values import CelError, PanicError


class RetryError(Exception):
    """Something out of the ordinary: the tracked form has to decide."""


class CostExceededError(Exception):
    """An evaluation went past its cost limit; never leaves a program."""


#: What the direct form may raise; none of it is a verdict.
UNDECIDED: Final = (RetryError, CostExceededError, PanicError, CelError, LookupError, TypeError, AttributeError)

#: Marks the end of an iterator.
END: Final = object()
