"""The engine's command line as rules look at it: the field that an argument comes from, and its text in a message."""

from __future__ import annotations

from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service, service_with_model
from weighbridge.policies.families.serving_engines.command_line import GivenFlag
from weighbridge.policies.families.serving_engines.flags import FlagTable
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.request import Request

_OWN: Final = "InferenceService "
#: Flags whose values are secrets.
SECRETS: Final = frozenset({"--api-key", "--hf-token", "--admin-api-key", "--ssl-keyfile-password", "--ngrok-authtoken"})


class Arguments(NamedTuple):
    """The command line of an engine with arguments of the author's, and its service."""

    service: Service
    found: Started


def arguments_of(request: Request, facts: Facts, config: Configuration) -> Arguments | None:
    """The command line of a request's service, if it is known and has any arguments of the author's."""
    service = service_with_model(request, facts, config)
    if service is None or not (service.has_own_arguments or service.names("bindAddress", "vllmConfig", "sglangConfig")):
        return None
    return Arguments(service, service.started) if service.started is not None else None


def place(found: Started, at: int) -> Path:
    """The field of the service that an argument comes from; `modelRef` for what comes from the Model."""
    extra = found.item(at)
    if extra >= 0:
        return ("spec", "extraArgs", extra)
    source = source_of(found, at)
    if not source:
        return ("spec", "command")
    if not source.startswith(_OWN):
        return ("spec", "modelRef")
    return tuple(source.rpartition(" ")[2].split("."))


def source_of(found: Started, at: int) -> str:
    """The source of an argument, in words; empty for a word of the service's own command."""
    value = found.origins[at].value
    return found.noted[value].source if value >= 0 else ""


def shown(given: GivenFlag) -> str:
    """A flag with its values, as a person writes it; without the values if they are a secret."""
    return f"{given.name} {given.value}" if given.values and given.flag.name not in SECRETS else given.name


def word_shown(table: FlagTable, word: str) -> str:
    """A word of the command line that may hold a flag and its value; the flag alone where the value is a secret."""
    name = word.partition("=")[0].partition(" ")[0]
    flag = table.find(name)
    return name if flag is not None and flag.name in SECRETS else word
