"""The BackendRuntimes that llmaz's chart installs, by name, in `shipped_runtimes.json`.

Predictions use them if the cluster's runtimes aren't known. The scripts are left out: the arguments of ollama, and what vllm and llamacpp
run before they stop. A cluster may have changed its runtimes, so only rules about how the engine starts use these, and say so. Source:
llmaz 3c13ff3, chart/values.global.yaml and chart/templates/backends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data

from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME
from weighbridge.policies.ground.objects import JSONObject


@cache
def _specs() -> Mapping[str, JSONObject]:
    """The specs by their names."""
    specs: Mapping[str, JSONObject] = json.loads(get_data(__package__, "shipped_runtimes.json") or b"")
    return specs


def shipped_runtime(name: str) -> JSONObject | None:
    """The BackendRuntime of a name as the chart installs it; `None` if the chart has none of that name."""
    spec = _specs().get(name)
    if spec is None:
        return None
    return {"apiVersion": f"{BACKEND_RUNTIME.group}/v1alpha1", "kind": BACKEND_RUNTIME.kind, "metadata": {"name": name}, "spec": spec}
