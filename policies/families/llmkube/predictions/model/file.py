"""The name of a model's file in the cache: derived from the name in its GGUF header if that is known, else from the Model's name.

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
    """The file's name; the GGUF header's name is known only if the Model's status has it."""
    header = slug(text(part(model, "status", "gguf"), "modelName"))
    return (header or slug(name_of(model)) or "model") + EXTENSION


def slug(name: str) -> str:
    """A name in which each run of characters other than letters, digits, dots, dashes and underscores becomes one dash; empty if nothing is
    left.
    """
    return re.sub("-{2,}", "-", _UNSAFE.sub("-", name).strip("-._"))
