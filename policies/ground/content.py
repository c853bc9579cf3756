"""Remembers results that depend only on the content of a JSON value, by a short digest. The value itself isn't kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import blake2b
from marshal import dumps
from typing import Concatenate, Final, ParamSpec, TypeVar

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import release

_Rest = ParamSpec("_Rest")
_Wrong = TypeVar("_Wrong")
#: The oldest form of marshal has no references between equal parts, so equal values give equal bytes.
_PLAIN: Final = 0
_BYTES: Final = 16
#: Longer values are seldom equal, and their results may be long too.
_LONGEST: Final = 16 * 1024


def content_of(value: JSONValue) -> bytes | None:
    """A digest of a JSON value; `None` for one that is long, nested too deeply, or isn't of plain types.

    Values with the same digest are equal, and their fields have the same order.
    """
    try:
        text = dumps(value, _PLAIN)
    except ValueError:
        return None
    return blake2b(text, digest_size=_BYTES).digest() if len(text) <= _LONGEST else None


def once_sound(
    most: int,
) -> Callable[[Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]]], Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]]]:
    """Decorates a function that finds what is wrong with a value: a value without faults isn't checked again.

    The process remembers the digests of the `most` latest values, for each release of Kubernetes. Whether something is wrong must depend
    only on the value and the release; other arguments, such as a path, may only say how it is reported.
    """

    def remembering(
        function: Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]],
    ) -> Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]]:
        sound: dict[tuple[bytes, str], None] = {}

        @wraps(function)
        def check(value: JSONValue, /, *args: _Rest.args, **options: _Rest.kwargs) -> Iterator[_Wrong]:
            content = content_of(value)
            key = (content or b"", release().name)
            if key in sound:
                return
            is_sound = content is not None
            for wrong in function(value, *args, **options):
                is_sound = False
                yield wrong
            if is_sound:
                if len(sound) >= most:
                    del sound[next(iter(sound))]
                sound[key] = None

        return check

    return remembering
