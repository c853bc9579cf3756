"""A model waits for metadata that nobody extracts.

With `discovery.extractMetadata: false` and no `imageMetadata`, templates that are to be made (`createServiceTemplates`, true by default)
wait for good: the model stays Progressing, and its custom templates aren't made either.

Source: aim-engine v0.2.1 internal/aimmodel.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import NEW
from policies.families.family import Rule, spec_of
from policies.fields import items, part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    discovery = part(spec, "discovery")
    waits = discovery.get("extractMetadata") is False and discovery.get("createServiceTemplates") is not False
    if request.gvk.group == NEW and waits and not part(spec, "imageMetadata") and not items(spec, "modelSources"):
        yield RULE.finding(
            ("spec", "discovery", "extractMetadata"),
            "templates are to be made of metadata that is neither extracted nor given",
            found="false",
            hint="set discovery.createServiceTemplates: false, or give spec.imageMetadata",
        )


RULE = Rule(
    id="AIM-051",
    name="metadata-never-comes",
    severity=Severity.ERROR,
    kinds=(
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimmodel",
    mirrors="AwaitingMetadata",
    check=_check,
    good='image: "ghcr.io/acme/x:1.0"\ndiscovery: {extractMetadata: false, createServiceTemplates: false}',
    bad='image: "ghcr.io/acme/x:1.0"\ndiscovery: {extractMetadata: false}',
)
