"""The result of a comparison, in 80 columns: agreement by cluster and by topic, and the smallest example of each disagreement."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.programs.scheduler.compare import Aspect, Comparison, Difference

WIDTH = 80
#: More examples than one reads at once.
EXAMPLES = 25
_COLUMNS = (Aspect.OUTCOME, Aspect.FITS, Aspect.REASONS, Aspect.MESSAGE)


def lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The whole report."""
    yield from _table("cluster", comparisons, lambda comparison: comparison.scenario)
    yield ""
    yield from _table("topic", comparisons, lambda comparison: comparison.case.topic)
    smallest = _smallest(comparisons)
    for number, (comparison, difference) in enumerate(smallest[:EXAMPLES], start=1):
        yield ""
        yield from _example(number, comparison, difference)
    if len(smallest) > EXAMPLES:
        yield ""
        yield f"and {len(smallest) - EXAMPLES} more kinds of disagreement"
    differ = sum(bool(comparison.differences) for comparison in comparisons)
    nodes = sum(comparison.nodes for comparison in comparisons)
    yield ""
    yield f"{len(comparisons)} pods, {nodes} verdicts on nodes: {differ or 'no'} pod{'' if differ == 1 else 's'} judged differently"


def _table(title: str, comparisons: Sequence[Comparison], key: Callable[[Comparison], str]) -> Iterator[str]:
    groups: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(key(comparison), []).append(comparison)
    yield f"{title:<20}{'pods':>7}{'nodes':>9}" + "".join(f"{aspect.value:>11}" for aspect in _COLUMNS)
    for name, members in groups.items():
        cells = "".join(f"{_agreement(members, aspect):>11}" for aspect in _COLUMNS)
        yield f"{name[:19]:<20}{len(members):>7}{sum(member.nodes for member in members):>9}{cells}"


def _agreement(comparisons: Iterable[Comparison], aspect: Aspect) -> str:
    """How many agree, or "all"."""
    verdicts = [comparison.agrees_on(aspect) for comparison in comparisons]
    return "all" if all(verdicts) else f"-{verdicts.count(False)}"


def _smallest(comparisons: Iterable[Comparison]) -> list[tuple[Comparison, Difference]]:
    """The smallest pod for each kind of difference, the commonest aspect first."""
    found: dict[tuple[Aspect, str, str], tuple[Comparison, Difference]] = {}
    for comparison in sorted(comparisons, key=lambda each: len(_pod(each))):
        for difference in comparison.differences:
            topic = comparison.case.topic if difference.aspect in {Aspect.FITS, Aspect.MESSAGE} else ""
            found.setdefault((difference.aspect, difference.kind, topic), (comparison, difference))
    order = list(Aspect)
    return sorted(found.values(), key=lambda each: order.index(each[1].aspect))


def _example(number: int, comparison: Comparison, difference: Difference) -> Iterator[str]:
    yield f"{number}. {difference.aspect} in {comparison.scenario}, {comparison.case.topic}: {comparison.case.name}"[:WIDTH]
    extra = [json.dumps(obj, sort_keys=True) for obj in comparison.case.objects]
    for head, text in [
        ("pod", _pod(comparison)),
        *(("with", obj) for obj in extra),
        ("ours", difference.ours),
        ("theirs", difference.theirs),
    ]:
        yield from textwrap.wrap(text, WIDTH, initial_indent=f"   {head:<7}", subsequent_indent=" " * 10, break_on_hyphens=False)


def _pod(comparison: Comparison) -> str:
    """The pod, without the fields that all pods have."""
    pod = comparison.case.pod
    labels = {"labels": pod["metadata"]["labels"]} if "labels" in pod["metadata"] else {}
    return json.dumps({**labels, **pod["spec"]}, sort_keys=True).replace('"image": "example.invalid/none", ', "")
