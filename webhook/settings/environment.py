"""Settings of the environment: ``WEIGHBRIDGE_`` with the key in capitals, such as ``WEIGHBRIDGE_FAIL_ON``.

Several paths are separated as in PATH, other values by commas. An empty variable counts as missing. Other variables with this prefix are
ignored: a Service with that name in a Pod's namespace gives the Pod some.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from weighbridge.webhook.settings.keys import KEYS, KeyShape
from weighbridge.webhook.settings.values import PREFIX, OptionSetting
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text


def variable_of(key: str) -> str:
    """The variable of a setting."""
    return PREFIX + key.upper().replace("-", "_")


def from_environment(environ: Mapping[str, str]) -> dict[str, OptionSetting]:
    """The settings that the environment has. Raises InputError, with every mistake on a line of its own."""
    found: dict[str, OptionSetting] = {}
    mistakes: list[str] = []
    for name, key in KEYS.items():
        written = environ.get(variable := variable_of(name))
        if not written:
            continue
        values = _divided(written, key.shape)
        troubles = [trouble for value in values if (trouble := key.trouble(value))]
        mistakes += [f"{variable}: {as_text(trouble)}" for trouble in troubles or [key.trouble_with_all(values)] if trouble]
        found[name] = OptionSetting(values, variable)
    if mistakes:
        raise InputError("\n".join(mistakes))
    return found


def _divided(written: str, shape: KeyShape) -> tuple[str, ...]:
    if not shape.is_list:
        return (written,)
    parts = written.split(os.pathsep if shape.is_path else ",")
    return tuple(part if shape.is_path else part.strip() for part in parts if part.strip())
