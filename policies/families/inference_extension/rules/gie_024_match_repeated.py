"""A rule of a rewrite matches what an earlier rule of it matches.

The first rule that matches counts, so the later one never does. Keep one rule for a model, or put the targets together.

Source: Gateway API Inference Extension v1.5.0, docs/proposals/1816-inferenceomodelrewrite/README.md.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.matches import matches_of
from weighbridge.policies.ground.objects import Path, field


@objects.warning(
    kinds=("InferenceModelRewrite",),
    good="accepts-a-rule-for-all-others",
    bad="warns-of-a-match-that-stands-twice",
)
def check(given: Given) -> Said:
    seen: dict[str, Path] = {}
    for match in matches_of(given.object):
        first = seen.setdefault(match.model, match.path)
        if first != match.path:
            yield Violation(
                match.path,
                f"{match} is matched at {field(first)} already, and the first rule counts",
                found=match.model,
                hint="keep one rule for the model",
            )
