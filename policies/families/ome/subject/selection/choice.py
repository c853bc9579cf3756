"""The runtime that a service gets, and why it gets none of the others.

A service that names its runtime gets that one, from its namespace or else the cluster; it must be enabled and fit. Otherwise OME selects
among the runtimes that fit, have a format with autoSelect and have a score. Those of the namespace come before those of the cluster,
whatever their scores are; then the higher score counts, then the nearer size, then the name.

Sources: OME v0.1.5, pkg/runtimeselector/{selector,matcher,scorer,fetcher}.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.runtime import Runtime, Supported
from weighbridge.policies.families.ome.subject.selection.compatibility import (
    awaited,
    differences,
    fits_item,
    formats_match,
    is_out_of_range,
)
from weighbridge.policies.families.ome.subject.sizes import size_or_zero
from weighbridge.policies.ground.records import dataclass

#: The weights of a matching format and framework if theirs are 0.
_FORMAT_WEIGHT: Final = 10
_FRAMEWORK_WEIGHT: Final = 5
#: A number above that of the fields in which a format can differ.
_MANY: Final = 100
#: The outcome of a candidate.
FITS: Final = "fits"
DISABLED: Final = "disabled"
NO_CLASS: Final = "accelerator class"
NO_FORMAT: Final = "format"
NO_SIZE: Final = "size"
NOT_AUTO: Final = "not selected automatically"
#: It fits, but its size range has only one bound: OME's webhook and controller panic at it.
PANICS: Final = "half-open size range"


@dataclass(frozen=True, slots=True)
class RuntimeCandidate:
    """A runtime with its outcome; `distance` is the distance of its size range from the model's size."""

    runtime: Runtime
    outcome: str
    score: int = 0
    distance: float = 0.0

    @property
    def is_selectable(self) -> bool:
        """Whether OME can select it."""
        return self.outcome == FITS


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in OME's order, the best first and those that can't be selected last.

    `blocking` are those at which OME panics. `nearest` has the runtimes that fail only one check first, then those with the fewest
    differences; `awaited` is the field that OME's agent has to fill in before any of them can be selected. A ranking is the same for all
    models of one `shape`, so services of such models share it.
    """

    candidates: Sequence[RuntimeCandidate]
    blocking: Sequence[RuntimeCandidate]
    nearest: Sequence[RuntimeCandidate] = ()
    awaited: str = ""


class RuntimeSelection:
    """The result of a selection among runtimes."""

    def __init__(self, model: Model, demanded: Sequence[str], possible: Ranking, every: Callable[[], Ranking]) -> None:
        """`possible` ranks the runtimes that support a format with the model's key; `every` ranks all of them."""
        self.model, self.demanded = model, tuple(demanded)
        self._possible, self._every = possible, every

    @property
    def candidates(self) -> Sequence[RuntimeCandidate]:
        """All runtimes in OME's order, the best first and those that can't be selected last."""
        return self._every().candidates

    @property
    def nearest(self) -> Sequence[RuntimeCandidate]:
        """All runtimes, those that come nearest first."""
        return self._every().nearest

    @property
    def blocking(self) -> Sequence[RuntimeCandidate]:
        """The runtimes at which OME panics."""
        return self._possible.blocking

    @property
    def best(self) -> RuntimeCandidate | None:
        """The best candidate; `None` if none can be selected."""
        best = self._possible.candidates[0] if self._possible.candidates else None
        return best if best is not None and best.is_selectable else None

    @property
    def awaited(self) -> str:
        """The field that OME's agent has to fill in before any runtime can be selected; empty if no runtime would fit even then."""
        return self._every().awaited if self.model.awaits_agent else ""

    @property
    def chosen(self) -> Runtime | None:
        """The runtime that is selected; `None` if there is none, or a panic comes first."""
        return self.best.runtime if self.best is not None and not self.blocking else None

    def reason(self, candidate: RuntimeCandidate) -> str:
        """Why a candidate wasn't chosen, in words; empty for the chosen one."""
        if candidate.outcome != FITS:
            return why_not(self.model, candidate, self.demanded)
        best = self.best
        if best is None or candidate.runtime is best.runtime:
            return ""
        if bool(candidate.runtime.namespace) != bool(best.runtime.namespace):
            return f"{best.runtime.name} is of the namespace, and so comes first"
        if candidate.score != best.score:
            return f"{best.runtime.name} scores {best.score}, this {candidate.score}"
        if candidate.distance != best.distance:
            held = "has no modelSizeRange" if best.runtime.sizes is None else "has the nearer modelSizeRange"
            return f"{best.runtime.name} scores the same and {held}"
        return f"{best.runtime.name} scores the same, and its name comes first"


def fit(model: Model, runtime: Runtime, demanded: Sequence[str]) -> str:
    """Whether a runtime fits a model, in OME's order of checks."""
    if runtime.is_disabled:
        return DISABLED
    if demanded and any(name not in runtime.classes for name in demanded):
        return NO_CLASS
    if model.key not in runtime.keys or not any(fits_item(model, item) for item in runtime.supported):
        return NO_FORMAT
    if model.size is not None and runtime.sizes is not None:
        if runtime.sizes.is_open:
            return PANICS
        if is_out_of_range(model, runtime):
            return NO_SIZE
    return FITS


def judged(model: Model, runtime: Runtime, demanded: Sequence[str]) -> RuntimeCandidate:
    """A candidate of the automatic selection."""
    outcome = fit(model, runtime, demanded)
    if outcome != FITS:
        return RuntimeCandidate(runtime, outcome)
    score = score_of(model, runtime)
    if not runtime.is_auto_selected or score <= 0:
        return RuntimeCandidate(runtime, NOT_AUTO, score)
    return RuntimeCandidate(runtime, FITS, score, _distance(model, runtime))


def ranked(model: Model, runtimes: Iterable[Runtime], demanded: Sequence[str]) -> Sequence[RuntimeCandidate]:
    """Runtimes in OME's order, the best first and those that can't be selected last. Only the `shape` of the model counts."""
    return sorted((judged(model, runtime, demanded) for runtime in runtimes), key=_order)


def ranking(model: Model, runtimes: Iterable[Runtime], demanded: Sequence[str]) -> Ranking:
    """The ranking of runtimes that support a format with the model's key. Only the `shape` of the model counts."""
    candidates = ranked(model, runtimes, demanded)
    return Ranking(candidates, [candidate for candidate in candidates if candidate.outcome == PANICS])


def ranking_of_all(model: Model, runtimes: Iterable[Runtime], demanded: Sequence[str]) -> Ranking:
    """The ranking of all runtimes, with those that come nearest. Only the `shape` of the model counts."""
    found = ranking(model, runtimes, demanded)
    nearest = _by_misses(model, found.candidates)
    selected = (one.runtime for one in nearest if one.runtime.is_auto_selected)
    awaited_field = next(filter(None, (awaits(model, runtime, demanded) for runtime in selected)), "") if model.awaits_agent else ""
    return Ranking(found.candidates, found.blocking, nearest, awaited_field)


def awaits(model: Model, runtime: Runtime, demanded: Sequence[str]) -> str:
    """The field that OME's agent has to fill in before the runtime can fit; empty if it fits, or never will."""
    if fit(model, runtime, demanded) != NO_FORMAT or is_out_of_range(model, runtime):
        return ""
    return next(filter(None, (awaited(model, item) for item in runtime.supported)), "")


def awaiting(model: Model, field: str) -> str:
    """Why a runtime can't be judged until OME's agent has filled in a field."""
    return f"{model.title} has no {field} yet; OME's agent writes it"


def select(model: Model, runtimes: Iterable[Runtime], demanded: Sequence[str]) -> RuntimeSelection:
    """The automatic selection among the runtimes of the namespace and of the cluster."""
    every = list(runtimes)
    alike = [runtime for runtime in every if model.key in runtime.keys]
    return RuntimeSelection(model, demanded, ranking(model, alike, demanded), lambda: ranking_of_all(model, every, demanded))


def nearest_misses(selection: RuntimeSelection, most: int) -> Sequence[RuntimeCandidate]:
    """The runtimes that come nearest: those that fail only one check, then those with the fewest differences."""
    return selection.nearest[:most]


def _by_misses(model: Model, candidates: Sequence[RuntimeCandidate]) -> Sequence[RuntimeCandidate]:
    def misses(candidate: RuntimeCandidate) -> tuple[int, str]:
        is_other = candidate.outcome == NO_FORMAT
        items = candidate.runtime.supported if is_other else ()
        fewest = min((sum(1 for _ in differences(model, item)) for item in items), default=_MANY if is_other else 0)
        return fewest, candidate.runtime.name

    return sorted(candidates, key=misses)


def score_of(model: Model, runtime: Runtime) -> int:
    """The score of a runtime: that of its best format, by priority and weights."""
    return max((_item_score(item) for item in runtime.supported if item.auto_select is not False and formats_match(model, item)), default=0)


def format_for(model: Model, runtime: Runtime, *, is_auto: bool) -> Supported | None:
    """The format with which a runtime serves a model, whatever its priority is: the first one with the greatest weight above 0.

    If the runtime was selected, only formats with autoSelect count.
    """
    found = [item for item in runtime.supported if formats_match(model, item) and (item.auto_select or not is_auto)]
    best = max(found, key=_weight, default=None)
    return best if best is not None and _weight(best) > 0 else None


def why_not(model: Model, candidate: RuntimeCandidate, demanded: Sequence[str]) -> str:
    """Why a runtime can't be selected, in words."""
    runtime = candidate.runtime
    match candidate.outcome:
        case "disabled":
            return "it is disabled"
        case "accelerator class":
            lacking = [name or '""' for name in demanded if name not in runtime.classes]
            return f"it doesn't list accelerator class {', '.join(lacking)}"
        case "format":
            if not runtime.supported:
                return "it supports no model formats"
            # The format with the fewest differences explains most.
            words = min((list(differences(model, item)) for item in runtime.supported), key=len)
            return ", ".join(words)
        case "size":
            return f"modelParameterSize {model.size or 'of no text'} is outside of {runtime.sizes}"
        case "half-open size range":
            return "its modelSizeRange has one bound only, which OME panics on"
    return "no format of it has autoSelect" if not runtime.is_auto_selected else "its formats score nothing"


def _item_score(item: Supported) -> int:
    return item.priority * _weight(item)


def _weight(item: Supported) -> int:
    framework = item.framework.weight or _FRAMEWORK_WEIGHT if item.framework is not None else 0
    return (item.format.weight or _FORMAT_WEIGHT) + framework


def _distance(model: Model, runtime: Runtime) -> float:
    sizes = runtime.sizes
    if model.size is None or sizes is None or sizes.low is None or sizes.high is None:
        return 0.0
    size = size_or_zero(model.size)
    return abs(size_or_zero(sizes.low) - size) + abs(size_or_zero(sizes.high) - size)


def _order(candidate: RuntimeCandidate) -> tuple[bool, bool, int, float, str]:
    runtime = candidate.runtime
    return candidate.outcome != FITS, not runtime.namespace, -candidate.score, candidate.distance, runtime.name
