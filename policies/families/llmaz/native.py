"""Rules of llmaz as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config.policies import Validation
from weighbridge.policies.families.native import NativeRule


def _has_runner(template: str) -> Validation:
    path = f"spec.workloadTemplate.{template}"
    return Validation(
        f"!object.?{path}.hasValue() || object.?{path}.spec.containers.orValue([]).exists(one, one.name == 'model-runner')",
        message="no container is named model-runner, so no container gets the flavor's limits and the model",
        field_path=f".{path}.spec.containers",
    )


TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-002": NativeRule(
        (
            Validation(
                "!object.?spec.source.modelHub.hasValue() || object.?spec.source.uri.orValue('') == ''",
                message="the model has two sources, and the URI is never read",
                field_path=".spec.source.uri",
            ),
        )
    ),
    "LLMAZ-003": NativeRule(
        (
            Validation(
                "!object.?spec.source.modelHub.hasValue() || object.?spec.source.modelHub.modelID.orValue('').trim() != ''",
                message="the model has no ID on its hub",
                field_path=".spec.source.modelHub.modelID",
            ),
        )
    ),
    "LLMAZ-060": NativeRule(tuple(map(_has_runner, ("leaderTemplate", "workerTemplate")))),
    "LLMAZ-061": NativeRule(
        (
            Validation(
                "!object.?spec.workloadTemplate.leaderTemplate.hasValue() || object.?spec.workloadTemplate.size.orValue(1) > 1",
                message="a group has one pod, which is its leader, so no worker ever runs",
                field_path=".spec.workloadTemplate.size",
            ),
        )
    ),
}
