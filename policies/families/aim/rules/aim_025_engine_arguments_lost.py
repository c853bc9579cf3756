"""`AIM_ENGINE_ARGS` isn't merged as its author may expect.

If two levels have a JSON object, the operator merges the objects, and the higher level wins. A value that isn't a JSON object replaces
the other value as a whole. A value from a Secret or ConfigMap counts as empty, and the literal of any other level replaces an empty value.
Write a JSON object at each level.

Source: aim-engine v0.2.1, internal/utils/utils.go.
"""

import json

from weighbridge.policies.families.aim.predictions.environment import ENGINE_ARGUMENTS
from weighbridge.policies.families.aim.rulebook import JSONObject, Path, Said, Violation, Work, items, text, workloads


@workloads.warning(good="accepts-engine-arguments-that-are-merged", bad="warns-of-engine-arguments-of-a-template-that-are-no-json")
def check(work: Work) -> Said:
    layers = (work.config, work.template_spec) if work.dialect.is_aim_engine else (work.template_spec,)
    below = [entry for spec in layers for _, entry in _arguments(spec)]
    own = _arguments(work.spec)
    if not own or not below:
        return
    index, entry = own[0]
    path: Path = ("spec", "env", index)
    if not text(entry, "value"):
        yield Violation(
            path, "AIM_ENGINE_ARGS is lost: the template or the runtime config has a literal, which wins", hint="write the JSON here"
        )
    elif not _is_object(entry):
        yield Violation(
            (*path, "value"),
            "AIM_ENGINE_ARGS isn't a JSON object, so it replaces all arguments of the template and the runtime config",
            found=text(entry, "value"),
            expected="a JSON object",
        )
    elif not all(map(_is_object, below)):
        yield Violation(
            path, "AIM_ENGINE_ARGS below isn't a JSON object, so nothing of it is kept", hint="write a JSON object in the template"
        )


def _arguments(spec: JSONObject) -> list[tuple[int, JSONObject]]:
    """The first `AIM_ENGINE_ARGS` of a spec with its index, if there is one."""
    return [(index, entry) for index, entry in enumerate(items(spec, "env")) if text(entry, "name") == ENGINE_ARGUMENTS][:1]


def _is_object(entry: JSONObject) -> bool:
    try:
        return isinstance(json.loads(text(entry, "value")), dict)
    except (ValueError, RecursionError):
        return False
