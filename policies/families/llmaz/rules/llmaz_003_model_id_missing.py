"""A model is on a hub and has no ID there.

The loader is started without the name of a repository and fails; without a loader the Playground never gets a Service. Name the
repository.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    hub = part(spec_of(request.object), "source").get("modelHub")
    if isinstance(hub, dict) and not text(hub, "modelID").strip():
        yield RULE.finding(
            ("spec", "source", "modelHub", "modelID"), "the model has no ID on its hub", expected="such as facebook/opt-125m"
        )


RULE = Rule(
    id="LLMAZ-003",
    name="model-id-missing",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    check=_check,
    good="familyName: opt\nsource: {modelHub: {modelID: facebook/opt-125m}}",
    bad="familyName: opt\nsource: {modelHub: {}}",
)
