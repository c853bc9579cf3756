"""A Model's name is longer than a label's value may be, so its services get no Deployment.

The operator writes the Model's name into a label of every pod that serves it (`inference.llmkube.dev/model`). A name may have 253
characters, a label's value 63; the API server refuses the Deployment, and the service ends in phase Failed with nothing but `Failed to
create Deployment`. With accelerator metal there are no pods, and a long name is allowed.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.model.state import on_metal
from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects


@objects.error(
    kinds=("Model",),
    good="accepts-a-model-name-of-63-characters",
    bad="refuses-a-model-name-of-64-characters",
)
def check(given: Given) -> Said:
    name = given.name
    if len(name) > LONGEST_VALUE and not on_metal(given.object):
        yield Violation(
            ("metadata", "name"),
            f"the name has {len(name)} characters, but it becomes a label of the pods, which may have {LONGEST_VALUE}",
            found=name,
            expected=f"at most {LONGEST_VALUE} characters",
        )
