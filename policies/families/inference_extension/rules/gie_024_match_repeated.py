"""A rule of a rewrite matches what an earlier rule of it matches.

The first rule that matches counts, so the later one never does. Keep one rule for a model, or put the targets together.

Source: Gateway API Inference Extension v1.5.0, docs/proposals/1816-inferenceomodelrewrite/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.matches import matches_of
from policies.findings import Finding, Severity
from policies.objects import Path, field
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    seen: dict[str, Path] = {}
    for match in matches_of(request.object if isinstance(request.object, dict) else {}):
        first = seen.setdefault(match.model, match.path)
        if first != match.path:
            yield RULE.finding(
                match.path,
                f"{match} is matched at {field(first)} already, and the first rule counts",
                found=match.model,
                hint="keep one rule for the model",
            )


RULE = Rule(
    id="GIE-024",
    name="match-repeated",
    severity=Severity.WARNING,
    kinds=("InferenceModelRewrite",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.5.0 docs/proposals/1816-inferenceomodelrewrite/README.md",
    check=_check,
    good=(
        "poolRef: {name: pool}\nrules: [{matches: [{model: {value: chat}}], targets: [{modelRewrite: a}]}, {targets: [{modelRewrite: b}]}]"
    ),
    bad="poolRef: {name: pool}\nrules: [{targets: [{modelRewrite: a}]}, {targets: [{modelRewrite: b}]}]",
)
