"""An annotation makes the operator leave the object alone.

With the annotation `aim.eai.amd.com/reconciliation-paused: "true"` the operator makes no objects, no change reaches what runs, and the
status stays as it was. Remove the annotation once it is no longer needed.

Source: aim-engine v0.2.1, internal/controller/utils.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import metadata_of

_PAUSED: Final = "aim.eai.amd.com/reconciliation-paused"


@objects.warning(
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMArtifact",
        "AIMTemplateCache",
    ),
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-service-that-is-paused",
)
def check(given: Given) -> Said:
    if given.group != OLD and part(metadata_of(given.object), "annotations").get(_PAUSED) == "true":
        yield Violation(
            ("metadata", "annotations", _PAUSED),
            "the operator does nothing about this object",
            found="true",
            hint="remove the annotation to go on",
        )
