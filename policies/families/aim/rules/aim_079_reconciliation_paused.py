"""The operator is told to leave the object alone.

With the annotation `aim.eai.amd.com/reconciliation-paused: "true"` nothing is made of the object, no change reaches what runs, and its
status stays as it was. Remove the annotation once it is no longer needed.

Source: aim-engine v0.2.1 internal/controller/utils.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import metadata_of
from policies.request import Request

_PAUSED: Final = "aim.eai.amd.com/reconciliation-paused"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.group != OLD and part(metadata_of(request.object), "annotations").get(_PAUSED) == "true":
        yield RULE.finding(
            ("metadata", "annotations", _PAUSED),
            "the operator does nothing about this object",
            found="true",
            hint="remove the annotation to go on",
        )


RULE = Rule(
    id="AIM-079",
    name="reconciliation-paused",
    severity=Severity.WARNING,
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMArtifact",
        "AIMTemplateCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/controller/utils",
    check=_check,
    good="model: {name: llama}",
    bad="""\
metadata: {annotations: {aim.eai.amd.com/reconciliation-paused: "true"}}
spec: {model: {name: llama}}""",
)
