"""Rules and fill-ins of llmaz as the API server can do them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.llmaz.settings import Llmaz
from weighbridge.policies.families.native import FillIn, NativeFill, NativeRule, must, native
from weighbridge.policies.ground.go_text import json_text


def _has_runner(template: str) -> Validation:
    path = f"spec.workloadTemplate.{template}"
    return must(
        f"!object.?{path}.hasValue() || object.?{path}.spec.containers.orValue([]).exists(one, one.name == 'model-runner')",
        f".{path}.spec.containers",
        "no container is named model-runner, so no container gets the flavor's limits and the model",
    )


TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-002": native(
        must(
            "!object.?spec.source.modelHub.hasValue() || object.?spec.source.uri.orValue('') == ''",
            ".spec.source.uri",
            "the model has two sources, and the URI is never read",
        )
    ),
    "LLMAZ-003": native(
        must(
            "!object.?spec.source.modelHub.hasValue() || object.?spec.source.modelHub.modelID.orValue('').trim() != ''",
            ".spec.source.modelHub.modelID",
            "the model has no ID on its hub",
        )
    ),
    "LLMAZ-060": native(*map(_has_runner, ("leaderTemplate", "workerTemplate"))),
    "LLMAZ-061": native(
        must(
            "!object.?spec.workloadTemplate.leaderTemplate.hasValue() || object.?spec.workloadTemplate.size.orValue(1) > 1",
            ".spec.workloadTemplate.size",
            "a group has one pod, which is its leader, so no worker ever runs",
        )
    ),
}


def _scheduler(template: str) -> FillIn:
    def fill_in(config: Configuration) -> NativeFill | str:
        name = config.settings_of(Llmaz).scheduler_name
        if not name:
            return "needs llmaz.schedulerName in the configuration"
        return NativeFill(json_text(name), {"has-template": f"object.?spec.workloadTemplate.{template}.spec.hasValue()"})

    return fill_in


FILL_INS: Final[Mapping[str, FillIn]] = {
    f"Service.spec.workloadTemplate.{template}.spec.schedulerName": _scheduler(template)
    for template in ("leaderTemplate", "workerTemplate")
}
