"""An annotation makes the operator leave the object alone.

With the annotation `aim.eai.amd.com/reconciliation-paused: "true"` the operator creates no objects, passes on no change, and doesn't
update the status. Remove the annotation once it is no longer needed.

Source: aim-engine v0.2.1, internal/controller/utils.
"""

from weighbridge.policies.families.aim.dialect import PAUSED, dialect_of, is_paused
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Violation, objects


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
    about=FAILURE,
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-service-that-is-paused",
)
def check(given: Given) -> Said:
    if is_paused(given.object, dialect_of(given.group)):
        yield Violation(
            ("metadata", "annotations", PAUSED),
            "the operator ignores this object",
            found="true",
            hint="remove the annotation to continue",
        )
