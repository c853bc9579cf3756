"""The runtime of a Playground, the recommended configuration that it uses, and its arguments with their variables filled in.

Only `{{ .Name }}`, with blanks or without, is a variable; other braces stay as they are. Arguments of the Playground are added as they
are. Source: llmaz 3c13ff3, pkg/controller_helper/backendruntime/backendruntime.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import DEFAULT_RUNTIME
from weighbridge.policies.families.llmaz.subject.claims import Claims
from weighbridge.policies.families.llmaz.subject.sources import Source
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

#: The variables that arguments may have.
VARIABLES: Final = ("DraftModelPath", "ModelName", "ModelPath")
#: A variable in an argument.
VARIABLE: Final = expression(r"\{\{[\t\n\f\r ]*\.([A-Za-z0-9_]+)[\t\n\f\r ]*\}\}")


@dataclass(frozen=True, slots=True)
class Choice:
    """The runtime and the recommended configuration that a Playground uses, and whether its author named them."""

    runtime: str = ""
    config: str = ""
    names_runtime: bool = False
    names_config: bool = False


def choice_of(playground: JSONObject, claims: Claims) -> Choice:
    """The runtime and the configuration of a Playground; an empty name counts as a name."""
    chosen = part(spec_of(playground), "backendRuntimeConfig")
    runtime, config = chosen.get("backendName"), chosen.get("configName")
    return Choice(
        runtime if isinstance(runtime, str) else DEFAULT_RUNTIME,
        config if isinstance(config, str) else claims.config_name,
        isinstance(runtime, str),
        isinstance(config, str),
    )


def config_named(runtime: JSONObject | None, name: str) -> JSONObject | None:
    """The first recommended configuration of a name."""
    return next((found for found in items(spec_of(runtime), "recommendedConfigs") if text(found, "name") == name), None)


def trigger_named(runtime: JSONObject, name: str) -> JSONValue:
    """The trigger of the first recommended configuration of a name that has one."""
    found = (config.get("scaleTrigger") for config in items(spec_of(runtime), "recommendedConfigs") if text(config, "name") == name)
    return next((trigger for trigger in found if isinstance(trigger, dict)), None)


def config_names(runtime: JSONObject) -> list[str]:
    """The names of the recommended configurations."""
    return [text(found, "name") for found in items(spec_of(runtime), "recommendedConfigs")]


def variables_of(sources: Sequence[Source], *, skips: bool) -> dict[str, str]:
    """The values of the variables: the path and name of the first model, and the path of the second, even if that is no draft."""
    found = {"ModelName": sources[0].served_name, "ModelPath": sources[0].path(skips=skips)}
    if len(sources) > 1:
        found["DraftModelPath"] = sources[1].path(skips=skips)
    return found


def rendered(arguments: Sequence[str], variables: dict[str, str]) -> tuple[list[str], str]:
    """The arguments with their variables filled in, and the first argument with a variable that has no value."""
    out: list[str] = []
    for argument in arguments:
        made = argument
        for found in VARIABLE.finditer(argument):
            value = variables.get(found[1])
            if not value:
                return out, argument
            # One variable after the other, so that a variable in a value is filled in as well.
            made = made.replace(found[0], value)
        out.append(made)
    return out, ""


def unknown_variables(arguments: Sequence[str]) -> list[tuple[int, str]]:
    """The variables that llmaz doesn't have, each with the index of its argument."""
    return [(place, name) for place, argument in enumerate(arguments) for name in VARIABLE.findall(argument) if name not in VARIABLES]


def arguments_of(config: JSONObject) -> tuple[str, ...]:
    """The arguments of a recommended configuration."""
    return texts(config, "args")
