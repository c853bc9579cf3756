"""A component has a leader and no worker.

OME makes a LeaderWorkerSet of such a component and reads the worker without asking whether there is one: its controller panics for the
service again and again. Give it a worker, in the service or in its runtime.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.components import configured
from policies.families.ome.subject.services import ACCELERATED
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    for component in ACCELERATED:
        own = serving.spec.get(component)
        if not isinstance(own, dict):
            continue
        base = configured(serving.runtime.spec, component) if serving.runtime is not None else {}
        if ("leader" in own or "leader" in base) and "worker" not in own and "worker" not in base:
            place: Path = ("spec", component, "leader") if "leader" in own else ("spec", component)
            yield RULE.finding(place, "OME's controller panics on a leader without a worker", hint=f"add spec.{component}.worker")


RULE = Rule(
    id="OME-054",
    name="leader-without-worker",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
engine: {leader: {}, worker: {size: 1, runner: {name: ome-container, image: "sglang:1"}}}
""",
    bad="""\
model: {name: llama}
engine: {leader: {runner: {name: ome-container, image: "sglang:1"}}}
""",
)
