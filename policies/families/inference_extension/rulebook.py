"""What the rules of the Inference Extension are written with: their subjects, and the words that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.inference_extension.subject.pool import Pool, requested
from weighbridge.policies.families.inference_extension.subject.pool_reference import PoolReference, referred
from weighbridge.policies.families.rule import FAILURE, PLACEMENT, REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object

__all__ = [
    "FAILURE",
    "PLACEMENT",
    "REFERENCE",
    "Given",
    "NotChecked",
    "Pool",
    "PoolReference",
    "Said",
    "Violation",
    "objects",
    "pools",
    "referrers",
]

#: Rules about a pool of either group.
pools: Final = Subject(("InferencePool",), lambda request, *_: requested(request))
#: Rules about what refers to a pool.
referrers: Final = Subject((), lambda request, *_: referred(request))
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
