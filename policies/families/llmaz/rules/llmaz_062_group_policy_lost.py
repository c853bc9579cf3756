"""A Service says how its groups restart or are divided, and llmaz doesn't pass it on.

Of `spec.workloadTemplate` the controller takes the templates and the size alone. The LeaderWorkerSet restarts all pods of a group when one
does, and has no subgroups.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, text

_DEFAULT: Final = "RecreateGroupOnPodRestart"
_OTHERS: Final = ("Default", "None")


@objects.warning(
    kinds=("Service",),
    good="accepts-a-group-of-one-worker",
    bad="warns-of-a-restart-policy-that-llmaz-loses",
)
def check(given: Given) -> Said:
    template = part(given.spec, "workloadTemplate")
    restart = text(template, "restartPolicy")
    if restart in _OTHERS:
        message = f"llmaz doesn't pass it on; the groups get {_DEFAULT}"
        yield Violation(("spec", "workloadTemplate", "restartPolicy"), message, found=restart, expected=_DEFAULT)
    if template.get("subGroupPolicy") is not None:
        message = "llmaz doesn't pass it on; the groups have no subgroups"
        yield Violation(("spec", "workloadTemplate", "subGroupPolicy"), message, hint="leave it out")
