"""What the rules of an InferenceModelRewrite match. Source: Gateway API Inference Extension v1.5.0, apix/v1alpha2."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """A model that a rule matches; empty if the rule takes every model."""

    path: Path
    model: str

    def __str__(self) -> str:
        return f'model "{self.model}"' if self.model else "every model"


def matches_of(obj: JSONObject) -> Iterator[Match]:
    """All matches of an object, in order."""
    for at, rule in enumerate(items(spec_of(obj), "rules")):
        path: Path = ("spec", "rules", at)
        listed = items(rule, "matches")
        if not listed:
            yield Match(path, "")
        for index, match in enumerate(listed):
            value = text(part(match, "model"), "value")
            if value:
                yield Match((*path, "matches", index, "model", "value"), value)
