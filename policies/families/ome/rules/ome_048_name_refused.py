"""A service's name begins with a digit or has a dot.

OME's webhook takes small letters, digits and hyphens, with a letter first and no hyphen last.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.ground.objects import name_of


@objects.error(
    kinds=("InferenceService",),
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-name-that-begins-with-a-digit",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    name = name_of(service) if service is not None else ""
    if name and not _NAME.fullmatch(name):
        yield Violation(
            ("metadata", "name"),
            "OME's webhook refuses the name",
            found=name,
            expected="small letters, digits and hyphens, with a letter first and no hyphen last",
        )


_NAME: Final = re.compile("[a-z](?:[-a-z0-9]*[a-z0-9])?")
