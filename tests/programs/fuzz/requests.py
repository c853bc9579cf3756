"""Requests drawn from a seed: noise, broken heads, broken reviews, and reviews with values of the wrong types."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Final

from tests.programs.soak.hostile import call, mutated
from tests.webhook.reviews import model, request, review
from weighbridge.policies.ground.objects import JSONValue

_BODY: Final = review()
_VALUES: Final[list[JSONValue]] = [None, True, 0, -1, 1e308, "", "x" * 300, [], [[]], {}, {"": None}]


def noise(random: Random) -> bytes:
    """Bytes that mean nothing."""
    return random.randbytes(random.randint(1, 3000))


def mutated_head(random: Random) -> bytes:
    """A good body below a broken head."""
    head, _, body = call(_BODY).partition(b"\r\n\r\n")
    return mutated(head, random) + b"\r\n\r\n" + body


def mutated_review(random: Random) -> bytes:
    """A broken body below a good head."""
    return call(mutated(_BODY, random))


def mutated_pair(random: Random) -> bytes:
    """Two broken requests in one write, so that heads and bodies may not belong together."""
    return mutated(call(_BODY), random) + mutated(call(_BODY), random)


def other_types(random: Random) -> bytes:
    """A review with values of wrong types."""
    inner = request()
    for key in random.sample(sorted(inner), 3):
        inner[key] = random.choice([*_VALUES, model()])
    return call(review(inner["object"], **{key: value for key, value in inner.items() if key != "object"}))


def odd_object(random: Random) -> bytes:
    """A good review of a Model, some of whose fields have values of other types."""
    broken = model()
    for _ in range(random.randint(1, 4)):
        _replace_one(broken, random)
    return call(review(broken))


def _replace_one(value: JSONValue, random: Random) -> None:
    while isinstance(value, dict | list) and value:
        key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.3:
            value[key] = deepcopy(random.choice(_VALUES))
            return
        value = inner


KINDS: Final[tuple[Callable[[Random], bytes], ...]] = (noise, mutated_head, mutated_review, mutated_pair, other_types, odd_object)
