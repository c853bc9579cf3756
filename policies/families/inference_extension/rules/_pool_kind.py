"""The violation for the kind in a pool reference, which pickers never read."""

from weighbridge.policies.families.inference_extension.rulebook import PoolReference, Said, Violation


def ignored_kind(pool: PoolReference) -> Said:
    """The violation if the kind isn't InferencePool."""
    if pool.kind != "InferencePool":
        yield Violation(
            ("spec", "poolRef", "kind"),
            f'"{pool.kind}" has no effect; the reference is read as an InferencePool',
            found=pool.kind,
            expected="InferencePool",
            hint="remove kind",
        )
