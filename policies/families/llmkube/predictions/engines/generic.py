"""The user's own container: it gets the service's `args` and no arguments from the operator.

Source: LLMKube v0.9.19, internal/controller/runtime_generic.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine
from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN, ContainerPlan, Origin
from weighbridge.policies.ground.fields import texts


def _arguments(plan: ContainerPlan) -> None:
    args = texts(plan.setup.spec, "args")
    if args:
        plan.origins.extend(Origin(len(plan.values)) for _ in args)
        plan.args.extend(args)
        plan.note("args", list(args), plan.setup.of_service("args"), AS_WRITTEN)


ENGINE: Final = Engine(container="inference-server", port=8080, arguments=_arguments)
