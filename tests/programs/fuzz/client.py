"""Sends requests to a server, a few at a time, and reads the statuses of all answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from tests.programs.soak.hostile import Target

#: Seconds in which an answer must come; a request without one by then counts as incomplete.
WAIT_SECONDS: Final = 0.3
#: The statuses that the webhook may answer with. Only 503 is a failure of the server, and it asks the client to retry.
STATUSES: Final = frozenset({100, 200, 400, 404, 405, 408, 413, 415, 503})
_STATUS_LINE: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_ANSWER: Final = b"HTTP/1.1 "


async def _sent(target: Target, data: bytes, wait: float) -> bytes:
    """The bytes that come back within a moment, or until the server closes."""
    received = b""
    with suppress(OSError):
        async with target.connected() as (reader, writer):
            writer.write(data)
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(wait):
                    while part := await reader.read(65536):
                        received += part
    return received


async def statuses_of(target: Target, requests: Sequence[bytes], at_a_time: int, wait: float = WAIT_SECONDS) -> list[tuple[bytes, int]]:
    """Each request with the status of each answer that it got, 0 for an answer that isn't HTTP; each has a connection of its own."""
    found: list[tuple[bytes, int]] = []
    for at in range(0, len(requests), at_a_time):
        batch = requests[at : at + at_a_time]
        answers = await asyncio.gather(*(_sent(target, data, wait) for data in batch))
        for data, answer in zip(batch, answers, strict=True):
            if answer and not answer.startswith(_ANSWER):
                found.append((data, 0))
            found += [(data, int(status)) for status in _STATUS_LINE.findall(answer)]
    return found
