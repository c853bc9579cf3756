"""Evaluates the selectors of device classes and requests on devices.

Compiled selectors and their results are kept: every pod has the same few expressions for the same devices, and most devices are equal. A
selector may cost a million units, like any expression of the API server. Source: k8s.io/dynamic-resource-allocation v0.36, cel/compile.go.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import Final

from weighbridge.policies.cel.emit.constants import ProgramError
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.cel.values.values import CelError, Value, type_name
from weighbridge.policies.devices.device_environment import SelectorError, compile_selector
from weighbridge.policies.devices.device_values import device_value
from weighbridge.policies.devices.slices import Device
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import ServerRelease, release

#: Go's error when a result of this type is converted to a bool.
_NOT_A_BOOL: Final = {
    "string": "unsupported native conversion from string to 'bool'",
    "int": "unsupported type conversion from 'int' to bool",
    "kubernetes.Semver": "type conversion error from 'Semver' to 'bool'",
}


_NUMBERS: Final = count()
#: The beginning of the error of an invalid selector.
COMPILE_ERROR: Final = "CEL compile error"


@dataclass(frozen=True, slots=True)
class Match:
    """Whether a selector matches a device; `error` says why that isn't known."""

    holds: bool
    error: str = ""


@lru_cache(maxsize=1024)
def _compiled(expression: str, _server: ServerRelease) -> Program | str:
    """The program of a selector in a release, or why there is none. It is kept longer than the devices for which it is first used."""
    try:
        return Program(compile_selector(expression), ["device"], f"device selector {next(_NUMBERS)}")
    except SelectorError as error:
        return str(error)
    except ProgramError as error:
        return f"program instantiation failed: {error}"


class Selectors:
    """All selectors so far."""

    def __init__(self) -> None:
        self._values: dict[str, Value | CelError] = {}
        self._matches: dict[tuple[ServerRelease, str, str], Match] = {}

    def match(self, expression: str, device: Device) -> Match:
        """The result of an expression for a device. Errors have the scheduler's text."""
        key = (release(), expression, device.looks)
        found = self._matches.get(key)
        if found is None:
            found = self._matches[key] = self._evaluate(expression, device)
        return found

    def _evaluate(self, expression: str, device: Device) -> Match:
        program = _compiled(expression, release())
        if isinstance(program, str):
            return Match(holds=False, error=f"{COMPILE_ERROR}: {program}")
        value = self._value(device)
        if isinstance(value, CelError):
            return Match(holds=False, error=f"CEL runtime error: {value}")
        outcome = program.tracked([value], PER_CALL_LIMIT)
        if outcome.error:
            return Match(holds=False, error=f"CEL runtime error: {outcome.error}")
        if outcome.value.__class__ is not bool:
            return Match(holds=False, error=f"CEL runtime error: {_no_bool(outcome.value)}")
        return Match(holds=outcome.value)

    def _value(self, device: Device) -> Value:
        found = self._values.get(device.looks)
        if found is None:
            try:
                found = device_value(device)
            except CelError as error:
                found = error
            self._values[device.looks] = found
        return found


def _no_bool(value: Value) -> str:
    name = type_name(value)
    reason = _NOT_A_BOOL.get(name, f"type conversion error from '{name}' to 'bool'")
    return f"CEL result of type {name} could not be converted to bool: {reason}"
