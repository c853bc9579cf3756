"""Shares the objects of a run among processes that judge them, if there are enough objects."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import GroupVersionKind, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.inputs.compile_cache import compile_cache
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.report import Result

#: The number of objects for which another process pays.
_WORTH_A_PROCESS: Final = 400
_LONGEST_SHARE: Final = 32


@contextmanager
def judged(
    given: Sequence[Manifest], judge: Callable[[int], Result], namespaces: Sequence[str], jobs: int | None
) -> Iterator[Iterator[Result]]:
    """The results of the objects in their order; `judge` gives each one by its number, and `jobs` is the wanted number of processes.

    `namespaces` has that of each object that names none.

    All that `judge` needs has been read, so that other processes share it.
    """
    processes = jobs if jobs is not None else min(_processors(), len(given) // _WORTH_A_PROCESS)
    if processes < 2:
        yield map(judge, range(len(given)))
        return
    from weighbridge.webhook.cli.processes.copies import Lost, worked_out

    def completed(manifest: Manifest, result: Result | Lost) -> Result:
        if isinstance(result, Lost):
            return Result.lost(manifest, f"not judged: its process ended early ({result.why}); run it again with --jobs 1")
        return replace(result, lines=manifest.document.text_lines) if result.findings or result.issues else result

    shares, first = _shares(given, namespaces, processes), _first_of_kinds(given)
    with worked_out(shares, judge, processes, first=first, sent=_without_text, finish=_save) as results:
        yield map(completed, given, results)


def _processors() -> int:
    """The number of processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _shares(given: Sequence[Manifest], namespaces: Sequence[str], processes: int) -> list[list[int]]:
    """The objects, by number, in shares: those of one family and namespace in few shares, since results for them are remembered.

    Each process gets several, so that all of them end at about the same time.
    """
    longest = max(1, min(_LONGEST_SHARE, len(given) // (4 * processes)))
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, manifest in enumerate(given):
        gvk = GroupVersionKind.from_object(manifest.value)
        family = family_of(gvk.group) if gvk is not None else None
        places[family.name if family is not None else "", namespace_of(manifest.value) or namespaces[number]].append(number)
    ordered = [numbers for _, numbers in sorted(places.items())]
    return [numbers[at : at + longest] for numbers in ordered for at in range(0, len(numbers), longest)]


def _first_of_kinds(given: Sequence[Manifest]) -> list[int]:
    """The first object of each kind: judging it loads all that others of the kind need."""
    found: dict[GroupVersionKind | None, int] = {}
    for number, manifest in enumerate(given):
        found.setdefault(GroupVersionKind.from_object(manifest.value), number)
    return list(found.values())


def _without_text(result: Result) -> Result:
    """A result in the form in which a process sends it to another one that has the text."""
    return replace(result, lines=())


def _save() -> None:
    """Save compiled units."""
    cache = compile_cache()
    if cache is not None:
        cache.save()
