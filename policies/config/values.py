"""Checks of values in several sections, with the message for a wrong one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.ground.spelling import close_matches

#: The resource names that the CRDs take, without those that no pod can request.
_RESOURCE_NAME: Final = expression(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?")
_LARGEST_ID: Final = 2**31 - 1
#: The longest part of a wrong value that a message quotes.
_LONGEST_TOLD: Final = 64


def is_resource_name(name: str) -> bool:
    """Whether a pod can request an extended resource of this name."""
    return _RESOURCE_NAME.fullmatch(name) is not None


def is_amount(stated: str | float) -> bool:
    """Whether this is a Kubernetes quantity that isn't negative."""
    return _sign(str(stated)) >= 0


def is_size(stated: str) -> bool:
    """Whether this is an amount above zero."""
    return _sign(stated) > 0


def _sign(stated: str) -> int:
    try:
        return Quantity.parse(stated).sign()
    except QuantityError:
        return -1


def choice_trouble(name: str, known: Collection[str], what: str) -> str:
    """The message for an unknown name, with the nearest known one; empty if the name is known."""
    if name in known:
        return ""
    near = close_matches(name, known, n=1)
    return f"{name[:_LONGEST_TOLD]!r} isn't {what}; " + (f"did you mean {near[0]}?" if near else f"write one of {', '.join(known)}")


def image_trouble(image: str) -> str:
    """The message for a text that can't be an image; empty if it can."""
    return "" if image and not any(map(str.isspace, image)) else f"{image[:_LONGEST_TOLD]!r} isn't an image"


def group_trouble(group: int | None) -> str:
    """The message for a number that can't be a group's id; empty if it can, or without a number."""
    is_one = group is None or 0 <= group <= _LARGEST_ID
    return "" if is_one else f"{group} isn't a group; write a number from 0 to {_LARGEST_ID}"
