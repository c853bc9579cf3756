"""The picture as text: a line for equal nodes with a sign for each device; below, the meaning of the signs and the objects without room."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, TextIO

from weighbridge.policies.ground.spelling import amount
from weighbridge.policies.placement.packing.picture import Device, Picture, Row, Shown
from weighbridge.webhook.cli.pictures.letters import FREE, RUNS, letter
from weighbridge.webhook.texts.streams import as_text
from weighbridge.webhook.texts.style import DEFAULT_WIDTH, Style

_LONGEST_NAME: Final = 30
#: More devices of one resource than this are shown as numbers, not signs.
_MOST_SIGNS: Final = 32
_IN_A_BLOCK: Final = 4


def write(picture: Picture, stream: TextIO, style: Style) -> None:
    """Write the picture; no line is wider than the terminal, or 80 columns."""
    width = min(style.width, DEFAULT_WIDTH)
    lines = (*_totals(picture), "", *_nodes(picture, width), *_legend(picture, width), *_outside(picture, width))
    stream.writelines(f"{as_text(line).rstrip()}\n" for line in lines)


def _totals(picture: Picture) -> Iterator[str]:
    for resource in picture.resources:
        has, runs, taken, free = picture.total(resource)
        running = f", {runs} by what runs" if picture.knows_running else ""
        yield f"{has} {resource}: {taken} taken by this change{running}, {free} free"
    if not picture.resources:
        yield "no node has devices"


def _nodes(picture: Picture, width: int) -> Iterator[str]:
    longest = max((len(_named(row)) for row in picture.rows), default=0)
    column = min(longest, _LONGEST_NAME)
    for row in picture.rows:
        name, start = _named(row), " " * column
        if len(name) > column:
            yield name[: width - 1]
        else:
            start = name.ljust(column)
        pods = sorted(row.pods.items())
        devices: list[Device | None] = [*row.devices] or [None]
        for device in devices:
            cells = _cells(device) if device is not None else "(no devices)"
            more = f"  {device.resource}" if device is not None and len(picture.resources) > 1 else ""
            closed = "  cordoned or not ready" if row.is_closed else ""
            held = "" if device is not None or not pods else "  " + " ".join(f"{letter(number)}x{count}" for number, count in pods)
            yield from wrap(f"{start}  {cells}{more}{held}{closed}", width, subsequent_indent=" " * (column + 2), drop_whitespace=False)
            start = " " * column
    if picture.idle:
        yield f"{amount(picture.idle, 'node')} without devices, and without pods of this change"
    yield ""


def _named(row: Row) -> str:
    more = len(row.names) - 1
    return f"{row.names[0]} and {more} like it" if more else row.names[0]


def _cells(device: Device) -> str:
    """A sign for each device, in blocks of four."""
    if device.has > _MOST_SIGNS:
        taken = " ".join(f"{letter(number)}x{count}" for number, count in device.taken)
        parts = [f"{RUNS}x{device.runs}" if device.runs else "", taken, f"{device.free} of {device.has} free"]
        return " ".join(filter(None, parts))
    signs = RUNS * device.runs + "".join(letter(number) * count for number, count in device.taken) + FREE * device.free
    return " ".join(signs[at : at + _IN_A_BLOCK] for at in range(0, len(signs), _IN_A_BLOCK))


def _legend(picture: Picture, width: int) -> Iterator[str]:
    for number, one in enumerate(picture.shown):
        yield from wrap(f"{letter(number)}  {_told(one)}", width, subsequent_indent="   ")
    if picture.knows_running and any(device.runs for row in picture.rows for device in row.devices):
        yield f"{RUNS}  runs already"
    if any(device.free for row in picture.rows for device in row.devices):
        yield f"{FREE}  free"


def _told(one: Shown) -> str:
    role = f" {one.role}" if one.role else ""
    if not one.wanted:
        return f"{one.label}{role}: a pod on each node that takes it, {one.asks}"
    return f"{one.label}{role}: {one.placed} of {amount(one.wanted, 'pod')}, {one.asks} each"


def _outside(picture: Picture, width: int) -> Iterator[str]:
    if not picture.is_whole:
        yield ""
        yield from wrap("No packing of all pods was found, and no proof that there is none: it isn't known whether they fit.", width)
    if picture.outside:
        yield ""
        yield "no room for:"
    for one in picture.outside:
        yield from wrap(f"  {one.label}: {one.why}", width, subsequent_indent="    ")
