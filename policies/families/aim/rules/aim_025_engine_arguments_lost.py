"""`AIM_ENGINE_ARGS` isn't merged as its author would expect.

Two levels that both hold a JSON object are merged, the higher one first. A value that is no JSON object replaces the other one whole. An
empty value, or one from a Secret or ConfigMap, is lost to a literal of any other level.

Source: aim-engine v0.2.1 internal/utils/utils.go.
"""

from __future__ import annotations

import json

from weighbridge.policies.families.aim.predictions.environment import ENGINE_ARGUMENTS
from weighbridge.policies.families.aim.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, Path


@services.warning(
    reads=SERVICE_READS,
    good="accepts-engine-arguments-that-are-merged",
    bad="warns-of-engine-arguments-of-a-template-that-are-no-json",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.work is None:
        return
    work = serving.work
    layers = [_entry(spec) for spec in (work.config, work.template_spec) if serving.dialect.merges_deeply or spec is work.template_spec]
    below = [entry for entry in layers if entry is not None]
    own = _entry(serving.spec)
    place = next((at for at, entry in enumerate(items(serving.spec, "env")) if entry is own), 0)
    if own is None or not below:
        return
    path: Path = ("spec", "env", place)
    if not text(own, "value"):
        yield Violation(
            path, "AIM_ENGINE_ARGS is lost: the template or the runtime config has a literal, which wins", hint="write the JSON here"
        )
    elif not _is_object(own):
        yield Violation(
            (*path, "value"),
            "AIM_ENGINE_ARGS is no JSON object, and replaces the arguments of the template and the runtime config whole",
            found=text(own, "value"),
            expected="a JSON object",
        )
    elif any(not _is_object(entry) for entry in below):
        yield Violation(path, "AIM_ENGINE_ARGS below is no JSON object: nothing of it is kept", hint="write a JSON object in the template")


def _entry(spec: JSONObject) -> JSONObject | None:
    return next((entry for entry in items(spec, "env") if text(entry, "name") == ENGINE_ARGUMENTS), None)


def _is_object(entry: JSONObject) -> bool:
    try:
        return isinstance(json.loads(text(entry, "value")), dict)
    except (ValueError, RecursionError):
        return False
