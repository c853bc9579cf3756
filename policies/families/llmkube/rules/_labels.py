"""What rules say of a name that becomes a label of the pods."""

from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.rulebook import Said, Violation
from weighbridge.policies.ground.objects import Path


def too_long(path: Path, name: str) -> Said:
    """The violation of a name that is longer than a label's value may be."""
    if len(name) > LONGEST_VALUE:
        yield Violation(
            path,
            f"the name has {len(name)} characters, but it becomes a label of the pods, which may have {LONGEST_VALUE}",
            found=name,
            expected=f"at most {LONGEST_VALUE} characters",
        )
