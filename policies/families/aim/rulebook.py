"""What the rules of AIM are written with: their subjects, and the words that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.subject.service import Serving, serving_of
from weighbridge.policies.families.rule import FAILURE, PLACEMENT, REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object

__all__ = ["FAILURE", "PLACEMENT", "REFERENCE", "Given", "NotChecked", "Said", "Serving", "Violation", "objects", "services"]

#: Rules about a service: the service with its configs, its model and its template.
services: Final = Subject(("AIMService",), serving_of)
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
