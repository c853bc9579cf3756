"""A runtime that a service names, or that OME selects among, makes OME panic.

A runtime whose `modelSizeRange` has one bound only stops the selection for every model that matches one of its formats, also where another
runtime fits. OME's webhook answers with `panic: runtime error`; where the service names the runtime, OME's controller panics again and
again. Name another runtime in the service, or give the broken one both bounds.

Source: OME v0.1.5 pkg/runtimeselector/matcher.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.selection.choice import PANICS
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME, RUNTIME_READS, SERVABLE
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request
from policies.spelling import listed


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    selection = serving.selection if serving is not None and not serving.is_virtual else None
    if selection is not None and selection.blocking:
        names = listed([one.runtime.title for one in selection.blocking])
        yield RULE.finding(
            ("spec", "model", "name"),
            f"OME panics while it selects a runtime: the modelSizeRange of {names} has one bound only",
            hint="name a runtime in spec.runtime.name, or give that one both bounds",
        )
    named = serving.named if serving is not None and not serving.is_virtual else None
    if named is not None and named.runtime is not None and named.candidate is not None and named.candidate.outcome == PANICS:
        yield RULE.finding(
            ("spec", "runtime", "name"),
            f"OME panics on the runtime: the modelSizeRange of {named.runtime.title} has one bound only",
            found=named.name,
            hint="name another one, or give that one both bounds",
        )


RULE = Rule(
    id="OME-007",
    name="selection-panics",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/matcher.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE + RUNTIME.replace("srt", "broken").replace("{min: 1B, max: 9B}", "{min: 1B}"),
    check=_check,
    good="model: {name: llama}\nruntime: {name: srt}\nengine: {}",
    bad="model: {name: llama}\nengine: {}",
)
