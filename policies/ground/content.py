"""Remembers what was worked out of the content of JSON values, by a short digest: neither the value nor anything of it is kept."""

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
#: Longer values are seldom alike, and what is remembered of them may be long, too.
_LONGEST: Final = 16 * 1024


def content_of(value: JSONValue) -> bytes | None:
    """A digest of a JSON value; `None` for one that is long, nested too deeply, or isn't of plain types.

    Values of one digest are equal, in the order of their fields, too.
    """
    try:
        text = dumps(value, _PLAIN)
    except ValueError:
        return None
    return blake2b(text, digest_size=_BYTES).digest() if len(text) <= _LONGEST else None


def once_sound(
    most: int,
) -> Callable[[Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]]], Callable[Concatenate[JSONValue, _Rest], Iterator[_Wrong]]]:
    """For a function that finds what is wrong with a value: a value without faults isn't checked again.

    The process remembers the digests of the `most` latest values, for each release of Kubernetes. Whether something is wrong may depend on
    the value and on the release alone; other arguments, such as a path, only say how it is reported.
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
