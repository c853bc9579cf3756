"""The annotation for an accelerator class stands alone.

`ome.io/accelerator-class` only keeps off runtimes that don't list the class. It never chooses one: the pods get neither the labels nor the
resources of the class. Write `spec.acceleratorSelector.acceleratorClass`.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import PREFIX
from policies.families.ome.rules._examples import CLASSED
from policies.families.ome.subject.services import ACCELERATED, annotation, service_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = service_of(request)
    named = annotation(service, "accelerator-class") if service is not None else None
    if service is None or not named:
        return
    spec = spec_of(service)
    places = [part(spec, "acceleratorSelector"), *(part(spec, component, "acceleratorOverride") for component in ACCELERATED)]
    if not any(place.get(key) for place in places for key in ("acceleratorClass", "policy")):
        yield RULE.finding(
            ("metadata", "annotations", f"{PREFIX}accelerator-class"),
            "it keeps off runtimes that don't list the class, and chooses none for the pods",
            found=named,
            hint="write spec.acceleratorSelector.acceleratorClass as well",
        )


RULE = Rule(
    id="OME-060",
    name="class-annotation-chooses-nothing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/selector.go",
    beside=CLASSED,
    check=_check,
    good="""\
metadata: {annotations: {ome.io/accelerator-class: nvidia-h100}}
spec:
  model: {name: llama}
  acceleratorSelector: {acceleratorClass: nvidia-h100}
  engine: {}
""",
    bad="""\
metadata: {annotations: {ome.io/accelerator-class: nvidia-h100}}
spec:
  model: {name: llama}
  engine: {}
""",
)
