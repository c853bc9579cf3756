"""The values of labels that a pod's node selector and required affinity mention. If a pool leaves a label open, these values matter."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.facts.selectors import read_terms
from weighbridge.policies.ground.fields import items, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_TERMS = ("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


@dataclass(frozen=True, slots=True)
class Mentions:
    """Values by label, in the order in which they are mentioned."""

    values: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, pod: JSONObject | None) -> Mentions:
        """Read a pod; parts of a wrong type mention nothing."""
        values: dict[str, dict[str, None]] = {}
        for key, value in _mentioned(pod) if pod is not None else ():
            values.setdefault(key, {})[value] = None
        return cls({key: tuple(mentioned) for key, mentioned in values.items()})


def _mentioned(pod: JSONObject) -> Iterator[tuple[str, str]]:
    yield from text_map(pod, "spec", "nodeSelector").items()
    for term in read_terms(items(pod, *_TERMS)):
        for wanted in term.expressions:
            for value in wanted.values:
                yield from _meant(wanted.key, wanted.operator, value)


def _meant(key: str, operator: str, value: str) -> Iterator[tuple[str, str]]:
    """The value of an expression; for `Gt` and `Lt` the next number that meets the bound."""
    if operator in ("Gt", "Lt"):
        if value.lstrip("-").isdecimal():
            yield key, str(int(value) + (1 if operator == "Gt" else -1))
    else:
        yield key, value
