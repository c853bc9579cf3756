"""The models and runtimes that Playgrounds and Services refer to, as they are or will be in the cluster.

Models are read without fill-ins: their open fields are in lists, which belong to their author.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME, OPEN_MODEL
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.objects import JSONObject

MODELS: Final = Referent(OPEN_MODEL.group, OPEN_MODEL.kind, "OpenModels")
RUNTIMES: Final = Referent(BACKEND_RUNTIME.group, BACKEND_RUNTIME.kind, "BackendRuntimes")


def model_of(name: str, facts: Facts, config: Configuration) -> JSONObject | None:
    """The OpenModel of a name; `None` if it isn't known."""
    return MODELS.applied(facts, config, "", name)


def runtime_of(name: str, facts: Facts) -> JSONObject | None:
    """The BackendRuntime of a name; `None` if it isn't known."""
    return RUNTIMES.get(facts, "", name)
