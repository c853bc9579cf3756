"""The port and address on which an engine listens, by its command line, its variables and its defaults.

Sources: vLLM 0.25.1, vllm/entrypoints/openai/cli_args.py; SGLang 0.5.15, python/sglang/srt/server_args.py; llama.cpp, common/arg.cpp and
its images' Dockerfiles; text-generation-inference 3.3.7, launcher/src/main.rs and Dockerfile; Triton, src/command_line_parser.cc.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Final

from weighbridge.policies.families.serving_engines.command_line import GivenFlag
from weighbridge.policies.families.serving_engines.containers import Started
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: The default port of each engine, and the port that its published image sets, if that is another one.
DEFAULT_PORTS: Final[Mapping[str, int]] = {"vLLM": 8000, "SGLang": 30000, "llama.cpp": 8080, "TGI": 3000, "Triton": 8000}
_OF_IMAGE: Final[Mapping[str, int]] = {"TGI": 80}
_LARGEST: Final = 65_535
#: The variables from which an engine takes its port.
_VARIABLES: Final[Mapping[str, str]] = {"TGI": "PORT", "llama.cpp": "LLAMA_ARG_PORT"}
#: Engines that listen on a loopback address unless they are given another one; llama.cpp's images give one.
_LOCAL: Final[Mapping[str, str]] = {"SGLang": "127.0.0.1"}
#: The usual ways to write all addresses.
_EVERYWHERE: Final = frozenset({"::", "0.0.0.0"})  # noqa: S104 (an address that is read, none to listen on)


@dataclass(frozen=True, slots=True)
class Port:
    """The port on which an engine listens; `given` is the flag that sets it, `None` for the default or a variable."""

    number: int
    given: GivenFlag | None
    words: str


def port_of(started: Started) -> Port | None:
    """The port; `None` if it isn't known."""
    given = started.line.final("port")
    if given is not None:
        number = started.line.number("port")
        repeated = started.line.stops_at_repeats and len(started.line.all_of(given.flag)) > 1
        is_port = number is not None and 0 < number <= _LARGEST and not repeated
        return Port(number or 0, given, f"{given.written} {given.value}") if is_port else None
    if started.is_open or started.is_configured or started.line.final("headless") is not None:
        return None
    variable = _VARIABLES.get(started.engine, "")
    value = started.variables.get(variable, "")
    if value.isascii() and value.isdigit():
        return Port(int(value), None, f"{variable} {value}")
    if variable and not started.is_published:
        # Another image may set the variable.
        return None
    default = _OF_IMAGE.get(started.engine, 0) or DEFAULT_PORTS.get(started.engine, 0)
    return Port(default, None, f"no {started.table.meanings['port']}, so its default") if default else None


def local_address(started: Started) -> tuple[str, GivenFlag | None]:
    """The loopback address of an engine that only its own pod reaches, and its flag; empty if others reach it, or if that isn't known."""
    given = started.line.final("host")
    if given is not None:
        addresses = [address.strip() for address in given.value.split(",")]
        return (given.value, given) if addresses and all(map(is_local, addresses)) else ("", None)
    if started.is_open or started.is_configured:
        return "", None
    return _LOCAL.get(started.engine, ""), None


def is_local(address: str) -> bool:
    """Whether nothing outside of the pod reaches an address."""
    if address in _EVERYWHERE:
        return False
    if address == "localhost" or address.endswith(".sock"):
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def asked_ports(container: JSONObject) -> Iterator[tuple[str, int]]:
    """The ports of a container's probes, each with the probe's name; the name of a port is resolved to its number."""
    named = {text(port, "name"): whole(port, "containerPort") for port in items(container, "ports")}
    for field, name in (("startupProbe", "startup"), ("livenessProbe", "liveness"), ("readinessProbe", "readiness")):
        for kind in ("httpGet", "tcpSocket", "grpc"):
            port = part(container, field, kind).get("port")
            number = named.get(port, 0) if isinstance(port, str) else port
            if isinstance(number, int) and number > 0:
                yield name, number
