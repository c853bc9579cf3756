"""A policy chooses no accelerator class.

If a class in the runtime's list no longer exists, or if the constraints exclude all classes, OME silently continues without a class:
the pods get no node labels and no resources from it. Name a class, loosen `constraints`, or correct the runtime's list.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import CLASS_READS, NotChecked, Said, Service, Violation, deployed, listed

#: The most excluded classes that a finding lists.
_MOST: Final = 3


@deployed.warning(reads=CLASS_READS, good="accepts-a-class-that-is-there", bad="warns-of-constraints-that-leave-no-class")
def check(service: Service) -> Said:
    for choice in service.classes.values():
        if not choice.policy or choice.name or choice.panics:
            continue
        if choice.unknown:
            yield NotChecked(choice.unknown)
        elif choice.missing:
            gone = f"{listed(choice.missing)} of the runtime's list {'is' if len(choice.missing) == 1 else 'are'} missing"
            yield Violation(
                choice.path,
                f"{choice.policy} chooses no class, since {gone}; the pods go to any node",
                found=choice.policy,
                hint="apply the class, or remove it from the runtime's list",
            )
        else:
            yield Violation(
                choice.path,
                f"{choice.policy} chooses no class, since the constraints leave none; the pods go to any node",
                found=choice.policy,
                nearest="; ".join(f"{name}: {reason}" for name, reason in choice.left_out[:_MOST]),
                hint="loosen spec.acceleratorSelector.constraints, or name a class",
            )
