"""The command line that an engine really reads: the operator's arguments, then the service's `extraArgs`, which win.

The operator itself compares only some flags of the two, and only full names. The command line is only read here: its arguments stay as they
are. It isn't known if the engine isn't: with the runtimes generic and personaplex, or with a command that starts a shell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan, Origin
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.families.serving_engines.command_line import CommandLine, GivenFlag, read
from weighbridge.policies.families.serving_engines.engines import TABLES, started_by
from weighbridge.policies.families.serving_engines.flags import FlagTable
from weighbridge.policies.ground.records import dataclass

#: The engines of the runtimes; the command lines of other runtimes aren't read.
ENGINE_OF_RUNTIME: Final = {
    "": "llama.cpp",
    "llamacpp": "llama.cpp",
    "llamacpp-router": "llama.cpp",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "tgi": "TGI",
}
_NOWHERE: Final = Origin(-1)


@dataclass(frozen=True, slots=True)
class Started:
    """A command line, the origin of each of its words, and the operator's notes on them."""

    line: CommandLine
    origins: tuple[Origin, ...]
    noted: Sequence[PredictedValue]

    @property
    def table(self) -> FlagTable:
        """The engine's flags."""
        return self.line.table

    def item(self, at: int) -> int:
        """The index of an argument in `extraArgs`; -1 for one of the operator's."""
        return self.origins[at].item


def started(
    runtime: str, command: Sequence[str], args: Sequence[str], origins: Sequence[Origin], noted: Sequence[PredictedValue]
) -> Started | None:
    """The command line that the engine of a container reads; `None` if it isn't known which engine is started."""
    engine = ENGINE_OF_RUNTIME.get(runtime, "")
    own: Sequence[str] = ()
    if command:
        found, taken = started_by(command)
        if found != engine:
            return None
        own = command[taken:]
    if not engine:
        return None
    return Started(read(TABLES[engine], [*own, *args]), (*[_NOWHERE] * len(own), *origins), noted)


def settled(plan: ContainerPlan, runtime: str, command: Sequence[str]) -> tuple[PredictedValue, ...]:
    """The plan's values; a flag that `extraArgs` override has the overriding value and its source."""
    found = started(runtime, command, plan.args, plan.origins, plan.values) if plan.setup.extra_args else None
    if found is None:
        return tuple(plan.values)
    values = list(plan.values)
    for lost, last in found.line.overridden():
        place, extra = found.origins[lost.at].value, found.item(last.at)
        if place < 0 or found.item(lost.at) >= 0 or extra < 0:
            continue
        before = values[place]
        source = plan.setup.of_service(f"extraArgs[{extra}]")
        values[place] = before._replace(value=_as_noted(last), source=source, reason=_why(found, before))
    return tuple(values)


def _as_noted(given: GivenFlag) -> str | bool:
    """A flag's value in the form of the plan's notes: a text, or whether a switch is on."""
    return given.value if given.values else given.value == "true"


def _why(found: Started, before: PredictedValue) -> str:
    lost = f"{before.value} of {before.source}"
    if found.line.stops_at_repeats:
        return f"given twice, also as {lost}: {found.table.engine} doesn't start"
    return f"wins over {lost}: {found.table.engine} takes the last one"
