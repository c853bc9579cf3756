"""The names that the operators give to what they make.

Sources: aim-engine v0.2.1, internal/utils/naming.go; kaiwo dbca1b55, internal/controller/aim/shared/names.go.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from policies.go_text import json_text
from policies.objects import JSONValue

#: The longest name of an object that becomes part of a host name.
LONGEST: Final = 63
#: The longest namespace in which an InferenceService still gets a name: host names are `<service>-predictor-<namespace>`.
LONGEST_NAMESPACE: Final = 42
_OTHER: Final = re.compile(r"[^a-z0-9-]")


def hashed(*values: JSONValue, length: int = 8) -> str:
    """The first hexadecimal digits of the SHA-256 of the values' JSON, joined by `|`."""
    return hashed_texts(*map(json_text, values), length=length)


def hashed_texts(*values: str, length: int = 8) -> str:
    """The same of values that are JSON already."""
    return hashlib.sha256("|".join(values).encode()).hexdigest()[:length]


def joined(*parts: str, suffix: str, longest: int = LONGEST) -> str:
    """Parts made fit for a name and cut to leave room for the suffix, character by character from the longest."""
    clean = [_OTHER.sub("-", part.lower()).strip("-")[:LONGEST].strip("-") or "part" for part in parts]
    room = longest - len(suffix) - len(clean)
    while sum(map(len, clean)) > room and max(map(len, clean)) > 1:
        at = max(range(len(clean)), key=lambda index: len(clean[index]))
        clean[at] = clean[at][:-1]
    return "-".join([*(part.strip("-") for part in clean), suffix])


def runtime_name(service: str, namespace: str) -> str:
    """The InferenceService that aim-engine makes for a service."""
    return joined(service, suffix=hashed(namespace), longest=LONGEST - len("-predictor-") - len(namespace))


def derived_template(base: str, overrides: list[tuple[str, JSONValue]], words: list[str]) -> str:
    """The template that aim-engine looks for where a named one is overridden; `overrides` are the values by what they are."""
    flat: list[JSONValue] = [value for pair in overrides for value in pair]
    return joined(base, "ovr", *words, suffix=hashed(*flat, length=4))


def image_model_name(image: str, *, as_json: bool) -> str:
    """The model that is made of an image that nobody has; empty where the reference can't be read. kaiwo hashes the text, not its JSON."""
    path, _, digest = image.partition("@")
    repository, colon, tag = path.rpartition(":")
    if not colon or "/" in tag:
        repository, tag = path, ""
    if "@" in image and not re.fullmatch(r"[a-z0-9]+:[0-9a-f]{32,}", digest):
        return ""
    if not repository or repository.endswith("/"):
        return ""
    version = digest.rpartition(":")[2][:6] if digest else tag or "latest"
    return joined(
        repository.rpartition("/")[2], version, suffix=hashed(image) if as_json else hashlib.sha256(image.encode()).hexdigest()[:8]
    )
