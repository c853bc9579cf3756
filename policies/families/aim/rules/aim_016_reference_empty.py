"""A service's model is named by an empty text.

The CRD counts an empty text as given, and nothing can be found by it: the service fails with "no model specified". An empty base image of a
model of its own is refused when the operator makes that model.

Source: aim-engine v0.2.1 internal/aimservice/model.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    model = part(spec_of(request.object), "model")
    for field in ("name", "ref", "image"):
        if isinstance(model.get(field), str) and not model[field].strip():
            yield RULE.finding(
                ("spec", "model", field), f"{field} is empty, so no model is found", expected="a name" if field != "image" else "an image"
            )
    image = part(model, "custom").get("baseImage")
    if isinstance(image, str) and not image:
        yield RULE.finding(("spec", "model", "custom", "baseImage"), "the image of the model is empty", expected="an image")


RULE = Rule(
    id="AIM-016",
    name="reference-empty",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go",
    is_about_failure=True,
    check=_check,
    good="model: {name: llama}",
    bad='model: {name: " "}',
)
