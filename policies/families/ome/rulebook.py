"""What the rules of OME are written with: their subjects, and the words that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.merge.created_objects import Made, made_of
from weighbridge.policies.families.ome.subject.service import Serving, serving_of
from weighbridge.policies.families.rule import FAILURE, PLACEMENT, REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object

__all__ = [
    "FAILURE",
    "PLACEMENT",
    "REFERENCE",
    "Given",
    "Made",
    "NotChecked",
    "Said",
    "Serving",
    "Violation",
    "objects",
    "services",
    "workloads",
]

#: Rules about a service: the service with its model, its runtime and its accelerator classes.
services: Final = Subject(("InferenceService",), serving_of)
#: Rules about what OME makes of a service.
workloads: Final = Subject(("InferenceService",), made_of)
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
