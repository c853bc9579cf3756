"""Rules and fill-ins of llmaz as the API server can do them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.llmaz.native import claims, models, names, playgrounds, runtimes, workloads
from weighbridge.policies.families.llmaz.settings import Llmaz
from weighbridge.policies.families.native import FillIn, NativeFill, NativeRule
from weighbridge.policies.ground.go_text import json_text

TABLE: Final[Mapping[str, NativeRule]] = {
    **models.TABLE,
    **claims.TABLE,
    **playgrounds.TABLE,
    **names.TABLE,
    **runtimes.TABLE,
    **workloads.TABLE,
}
#: Why rules without an entry have none.
LEFT: Final[Mapping[str, str]] = {"LLMAZ-083": "it depends on the text of a time, which the API server has read by then"}


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
