"""The size of an artifact is changed, which has no effect.

The operator creates the volume once. aim-engine accepts another size without a message and leaves the volume as it is. Create a new
artifact instead.

Source: aim-engine v0.2.1, internal/aimartifact.
"""

from weighbridge.policies.families.aim.rulebook import Said, SpecChange, Violation, amount, changes


@changes.warning(
    kinds=("AIMArtifact", "AIMModelCache"), good="accepts-the-first-size-of-an-artifact", bad="warns-of-another-size-of-an-artifact"
)
def check(change: SpecChange) -> Said:
    new, old = change.new.get("size"), change.old.get("size")
    if amount(old) is not None and amount(new) != amount(old):
        yield Violation(
            ("spec", "size"),
            "the volume keeps its size: it is created once",
            found=str(new),
            expected=str(old),
            hint="create a new cache of the source",
        )
