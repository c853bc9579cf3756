"""Traces objects that Helm rendered into a pipe (`helm template charts/x | weighbridge lint -`) to the chart in the current folder."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.fields import text
from weighbridge.webhook.manifests import Document, Manifest, documents
from weighbridge.webhook.rendering import charts
from weighbridge.webhook.rendering.built import Built

#: The deepest folder level in which a chart is searched.
_PLACES: Final = ("", "*/", "*/*/", "*/*/*/")
_LARGEST: Final = 1 << 20


def piped(title: str, manifests: Iterable[Manifest]) -> Built | None:
    """The objects of standard input as a rendering.

    `None` if Helm names no chart above them, or one that isn't here or that exists twice.
    """
    given = list(manifests)
    names = {name for manifest in given if (name := charts.source_of(manifest.document).partition("/")[0])}
    if len(names) != 1:
        return None
    found = [chart for chart in _charts_here() if text(chart.document.value, "name") in names]
    return charts.led_back(title, given, found[0]) if len(found) == 1 else None


def _charts_here() -> list[charts.Chart]:
    files = [file for place in _PLACES for file in sorted(glob.glob(place + charts.FILE))]
    found = [chart for file in files if (document := _first(file)) is not None and (chart := charts.chart_of(document)) is not None]
    return [chart for chart in found if not any(other.has(chart.file) for other in found if other is not chart)]


def _first(file: str) -> Document | None:
    try:
        with open(file, "rb") as stream:
            return next(documents(os.path.normpath(file), stream.read(_LARGEST)), None)
    except OSError:
        return None
