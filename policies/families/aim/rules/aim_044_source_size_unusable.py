"""The size of a model source can't be the size of a volume.

The CRD accepts a negative size, but the API server always refuses the volume. It also refuses kaiwo's volume of size 0. aim-engine runs a
job that finds the size if it is 0 or left out. Write the size of the weights.

Source: aim-engine v0.2.1, internal/aimartifact; kaiwo dbca1b55, internal/controller/aim/shared/storage.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, amount, objects
from weighbridge.policies.families.aim.subject.written import model_sources


@objects.error(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMService", "AIMArtifact", "AIMModelCache"),
    good="accepts-a-repository-with-its-owner",
    bad="refuses-a-source-of-negative-size",
)
def check(given: Given) -> Said:
    for path, source in [*model_sources(given.spec), (("spec",), given.spec)]:
        size = amount(source.get("size"))
        if size is not None and (size.sign() < 0 or (size.is_zero() and given.group == OLD)):
            yield Violation(
                (*path, "size"), f"a volume can't have the size {source['size']}", found=str(size), expected="the size of the weights"
            )
