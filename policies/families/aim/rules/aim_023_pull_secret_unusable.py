"""An entry of `imagePullSecrets` names no secret, or names one again.

The CRD takes both. aim-engine hands the service's list to the pod as it is; an entry without a name pulls nothing. Remove it.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/state/service_state.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, entry in enumerate(items(spec_of(request.object), "imagePullSecrets")):
        name = text(entry, "name")
        path = ("spec", "imagePullSecrets", index, "name")
        if not name.strip():
            yield RULE.finding(path, "the entry names no secret", hint="name a secret, or remove the entry")
        elif name in seen:
            yield RULE.finding(path, f'secret "{name}" is listed twice', found=name, hint="remove one of the entries")
        seen.add(name)


RULE = Rule(
    id="AIM-023",
    name="pull-secret-unusable",
    severity=Severity.WARNING,
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMClusterModelSource",
        "AIMArtifact",
        "AIMModelCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/state/service_state.go",
    check=_check,
    good="""\
model: {name: llama}
imagePullSecrets: [{name: registry}]""",
    bad="""\
model: {name: llama}
imagePullSecrets: [{name: registry}, {name: registry}]""",
)
