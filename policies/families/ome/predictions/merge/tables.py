"""The merge of a service and its runtime as tables: the fields of each workload's pods that an author can set, with their sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.families.ome.predictions.merge.sources import WEBHOOK
from weighbridge.policies.families.prediction import PredictedValue, Table
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text

#: The fields that the tables show; volumes and probes are in the objects.
_SHOWN: Final = expression(
    r"(?:spec\.template|spec\.leaderWorkerTemplate\.(?:leader|worker)Template)\.spec\."
    r"(?:containers\[\d+\]\.(?:image|command|args|env|resources)|nodeSelector|affinity|tolerations|schedulerName|priorityClassName)"
)
_PREFIX: Final = expression(r"^spec\.(?:template\.spec\.|leaderWorkerTemplate\.(leader|worker)Template\.spec\.)")
#: A list of variables has one row for each item, with its value.
_NAME_OF_VARIABLE: Final = expression(r"\.env\[\d+\]\.name$")


def pod_tables(values: Iterable[PredictedValue]) -> Iterator[Table]:
    """A table for each workload, in the order of its values."""
    rows: dict[str, list[tuple[str, str, str]]] = {}
    name = ""
    for value in values:
        if not _SHOWN.match(value.field):
            continue
        if _NAME_OF_VARIABLE.search(value.field):
            name = str(value.value)
            continue
        shown = _PREFIX.sub(lambda found: f"{found.group(1)}: " if found.group(1) else "", value.field)
        if ".env[" in shown:
            shown = re.sub(r"env\[\d+\]\.value$", f"env {name}", shown)
        source = f"{value.source} ({value.reason})" if value.reason else value.source
        shown_value = value.value if isinstance(value.value, str) else json_text(value.value)
        rows.setdefault(value.object, []).append((shown, shown_value, source))
    for workload, found in rows.items():
        yield Table(f"pods of {workload}:", ("field", "value", "from"), found)


def added_tables(values: Iterable[PredictedValue]) -> Iterator[Table]:
    """A table for each workload to whose pods OME's webhook adds something."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for value in values:
        if value.source == WEBHOOK:
            shown = value.value if isinstance(value.value, str) else json_text(value.value)
            rows.setdefault(value.object, []).append((value.field, shown))
    for pods, found in rows.items():
        yield Table(f"what OME's webhook adds to the {pods}:", ("field", "value"), found)
