"""An immutable field is removed, or added to an object that lacked it.

The CRD compares the field only if both objects have it, so it accepts this update, and with two updates any change. The operator created
its objects with the old value: profiles, caches and running services keep it. Create a new template instead.

Source: aim-engine v0.2.1, api/v1alpha1; kaiwo dbca1b55, apis/aim/v1alpha1/aimservicetemplate_types.go.
"""

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.rulebook import Given, Said, SpecChange, Violation, changes


@changes.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    good="accepts-other-resources-of-a-template",
    bad="warns-of-a-precision-that-is-added",
)
def check(change: SpecChange, given: Given) -> Said:
    for name in ("metric", "precision", dialect_of(given.group).hardware[0]):
        if (name in change.old) is not (name in change.new):
            what = "is removed" if name in change.old else "is set on a template that had none"
            yield Violation(
                ("spec", name),
                f"{name} {what}, though it can't be changed; what was created for the template stays",
                hint="create a new template",
            )
