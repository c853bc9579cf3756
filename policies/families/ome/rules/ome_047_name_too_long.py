"""A service's name is longer than a label.

OME writes the name as a label of the ConfigMap that describes the model. With more than 63 characters Kubernetes refuses that, and nothing
is deployed.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.ground.objects import name_of


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-service-with-too-long-a-name",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    name = name_of(service) if service is not None else ""
    if len(name) > _LONGEST:
        yield Violation(
            ("metadata", "name"),
            f"it has {len(name)} characters, and labels of what OME makes have at most {_LONGEST}",
            found=name,
            expected=f"{_LONGEST} characters or fewer",
        )


_LONGEST: Final = 63
