"""The picture as one static page, without scripts and without external files."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, TextIO

from weighbridge.policies.placement.packing.picture import Device, Picture, Row
from weighbridge.webhook.cli.pictures.letters import letter
from weighbridge.webhook.texts.streams import as_text

_MOST_CELLS: Final = 64
_STYLE: Final = """\
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; }
.c { display: inline-block; width: 1.3rem; height: 1.3rem; line-height: 1.3rem; margin: 1px; text-align: center; border-radius: 3px; }
.c { font-size: 11px; color: #fff; } .r { background: #666; } .f { background: #e6e6e6; color: #888; }
.n { color: #666; } .o { color: #a11; }
"""
#: Steps of the golden angle give hues that differ as much as possible from their neighbours.
_ANGLE: Final = 137.5


def write(picture: Picture, stream: TextIO) -> None:
    """Write the page."""
    stream.writelines(f"{as_text(line)}\n" for line in _page(picture))


def _page(picture: Picture) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8"><title>Weighbridge: what fits</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>What fits</h1>"
    for resource in picture.resources:
        has, runs, taken, free = picture.total(resource)
        running = f", {runs} by what runs" if picture.knows_running else ""
        yield f"<p>{has} {escape(resource)}: {taken} taken by this change{running}, {free} free</p>"
    yield "<table><tr><th>node</th><th>devices</th></tr>"
    for row in picture.rows:
        yield from _row(row)
    yield "</table>"
    if picture.idle:
        yield f'<p class="n">{picture.idle} nodes without devices, and without pods of this change</p>'
    yield "<h2>Workloads</h2><table>"
    for number, one in enumerate(picture.shown):
        placed = f"{one.placed} of {one.wanted} pods" if one.wanted else "a pod on each node that takes it"
        told = f"{escape(one.label)} {escape(one.role)}"
        yield f"<tr><td>{_cell(number)}</td><td>{told}</td><td>{placed}, {escape(one.asks)} each</td></tr>"
    yield "</table>"
    if not picture.is_whole:
        yield '<p class="o">No packing of all pods was found, and no proof that there is none: it isn\'t known whether they fit.</p>'
    if picture.outside:
        yield '<h2 class="o">Stays outside</h2><ul>'
        yield from (f"<li>{escape(one.label)}: {escape(one.why)}</li>" for one in picture.outside)
        yield "</ul>"
    yield "</body></html>"


def _row(row: Row) -> Iterator[str]:
    more = len(row.names) - 1
    title = escape(" ".join(row.names[:200]), quote=True)
    name = f'<span title="{title}">{escape(row.names[0])}{f" and {more} like it" if more else ""}</span>'
    closed = ' <span class="n">cordoned or not ready</span>' if row.is_closed else ""
    cells = "<br>".join(f'{_cells(device)} <span class="n">{escape(device.resource)}</span>' for device in row.devices)
    pods = "" if row.devices else " ".join(f"{_cell(number)} x{count}" for number, count in sorted(row.pods.items()))
    yield f"<tr><td>{name}{closed}</td><td>{cells}{pods}</td></tr>"


def _cells(device: Device) -> str:
    if device.has > _MOST_CELLS:
        taken = " ".join(f"{_cell(number)} x{count}" for number, count in device.taken)
        return f"{taken} {device.runs} run, {device.free} of {device.has} free"
    runs = '<span class="c r">#</span>' * device.runs
    return runs + "".join(_cell(number) * count for number, count in device.taken) + '<span class="c f">.</span>' * device.free


def _cell(number: int) -> str:
    return f'<span class="c" style="background:hsl({number * _ANGLE % 360:.0f},60%,40%)">{letter(number)}</span>'
