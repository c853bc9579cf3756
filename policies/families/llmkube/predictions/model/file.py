"""The name of a model's file in the cache: after the name in its GGUF header where that is known, else after the Model.

Source: LLMKube v0.9.19, internal/controller/filename.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of

EXTENSION: Final = ".gguf"
_UNSAFE: Final = expression(r"[^A-Za-z0-9._-]+")


def file_name(model: JSONObject) -> str:
    """The file's name; the GGUF header's name is only known of a Model whose status has it."""
    header = slug(text(part(model, "status", "gguf"), "modelName"))
    return (header or slug(name_of(model)) or "model") + EXTENSION


def slug(name: str) -> str:
    """A name with what is no letter, digit, dot, dash or underscore turned into single dashes; empty where nothing is left."""
    return re.sub("-{2,}", "-", _UNSAFE.sub("-", name).strip("-._"))
