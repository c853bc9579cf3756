"""What the rules of the Inference Extension import: their subjects, and the names that every rule uses."""

from __future__ import annotations

from typing import Final, TypeAlias

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.subject.matches import Match, matches_of
from weighbridge.policies.families.inference_extension.subject.picker_service import PickerService, picker_service
from weighbridge.policies.families.inference_extension.subject.pool import Pool, requested
from weighbridge.policies.families.inference_extension.subject.pool_reference import PoolReference, referred
from weighbridge.policies.families.inference_extension.subject.targets import Target, target_lists
from weighbridge.policies.families.rule import REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object, of_object
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Path, field, lookup
from weighbridge.policies.ground.request import Request

__all__ = [
    "REFERENCE", "Given", "Matches", "NotChecked", "Path", "PickerService", "Pool", "PoolReference", "Said", "Severity", "Targets",
    "Violation", "field", "items", "lookup", "matches", "objects", "picker_services", "pools", "references", "targets",
]  # fmt: skip

Matches: TypeAlias = list[Match]
Targets: TypeAlias = list[list[Target]]


def _picker_service(request: Request, facts: Facts, _: Configuration) -> PickerService | None:
    return picker_service(requested(request), facts)


#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
#: Rules about a pool of either group.
pools: Final = Subject(("InferencePool",), lambda request, *_: requested(request))
#: Rules about a pool with an endpoint picker whose Service is known.
picker_services: Final = Subject(("InferencePool",), _picker_service, ("Service",))
#: Rules about the pool that an object refers to.
references: Final = Subject(("InferenceModel", "InferenceObjective", "InferenceModelRewrite"), lambda request, *_: referred(request))
#: Rules about the models over which requests are spread, for each list of an object.
targets: Final = Subject(("InferenceModel", "InferenceModelRewrite"), lambda request, *_: list(target_lists(request.object)))
#: Rules about the models that a rewrite matches.
matches: Final = Subject(("InferenceModelRewrite",), of_object(lambda obj: list(matches_of(obj))))
