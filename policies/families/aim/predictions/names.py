"""The names of the objects that the operators create.

Source: aim-engine v0.2.1, internal/utils/naming.go; kaiwo dbca1b55, internal/controller/utils/naming.go.
"""

from __future__ import annotations

import hashlib
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue

#: The longest name of an object that becomes part of a host name.
LONGEST: Final = 63
#: The longest namespace in which an InferenceService still gets a name: host names are `<service>-predictor-<namespace>`.
LONGEST_NAMESPACE: Final = 42
_OTHER: Final = expression(r"[^a-z0-9-]")
_OTHER_OF_KAIWO: Final = expression(r"[^a-z0-9.-]+")
_RUNS: Final = expression(r"[-.]{2,}")
_DASHES: Final = expression(r"-+")


def hashed(*values: JSONValue, length: int = 8) -> str:
    """The first hexadecimal digits of the SHA-256 of the values' JSON, joined by `|`."""
    return hashed_texts(*map(json_text, values), length=length)


def hashed_texts(*values: str, length: int = 8) -> str:
    """The same for values that are JSON already."""
    return hashlib.sha256("|".join(values).encode()).hexdigest()[:length]


def joined(*parts: str, suffix: str, longest: int = LONGEST) -> str:
    """A name of these parts and the suffix. Invalid characters are replaced, and the longest part is cut, one character at a time, until
    all fit.
    """
    clean = [dns_label(part) or "part" for part in parts]
    room = longest - len(suffix) - len(clean)
    while sum(map(len, clean)) > room and max(map(len, clean)) > 1:
        at = max(range(len(clean)), key=lambda index: len(clean[index]))
        clean[at] = clean[at][:-1].rstrip("-")
    return "-".join([*clean, suffix])


def dns_label(text: str) -> str:
    """A text as aim-engine turns it into a part of a name."""
    return _OTHER.sub("-", text.lower()).strip("-")[:LONGEST].rstrip("-")


def kaiwo_dns_name(text: str) -> str:
    """A text as kaiwo turns it into a part of a name; dots stay."""
    return _RUNS.sub("-", _OTHER_OF_KAIWO.sub("-", text.lower()).strip("-."))[:LONGEST].rstrip("-")


def runtime_name(service: str, namespace: str) -> str:
    """The name of aim-engine's InferenceService for a service."""
    return joined(service, suffix=hashed(namespace), longest=LONGEST - len("-predictor-") - len(namespace))


def kaiwo_runtime_name(service: str, namespace: str) -> str:
    """The name of kaiwo's InferenceService: the service's name. If the host name of its pods would be too long, the name is cut and gets a
    digest.
    """
    room = LONGEST - len("-predictor-") - len(namespace)
    digest = hashed_texts(service)
    return service if len(service) <= room else f"{service[: max(room - len(digest) - 1, 1)]}-{digest}"


def derived_template(base: str, overrides: list[tuple[str, JSONValue]], words: list[str]) -> str:
    """The name of the template that aim-engine looks for if a named one is overridden; `overrides` are the values by their fields."""
    flat: list[JSONValue] = [value for pair in overrides for value in pair]
    return joined(base, "ovr", *words, suffix=hashed(*flat, length=4))


def custom_model_name(image: str, sources: list[tuple[str, str, str]]) -> str:
    """The name of aim-engine's model for a base image and sources, each by its model, its address and that of its store."""
    flat: list[JSONValue] = [value for model, uri, store in sources for value in (model, uri, *([store] if store else []))]
    return joined(sources[0][0] if sources else "", suffix=hashed(image, *flat))


def image_model_name(image: str) -> str:
    """The name of aim-engine's model for an image that no model has; empty if the reference can't be read."""
    name, version = _image_parts(image)
    return joined(name, version, suffix=hashed(image)) if name and version else ""


def kaiwo_model_name(image: str) -> str:
    """The name of kaiwo's model for an image. kaiwo accepts any text, hashes it without turning it into JSON, and cuts only the part of the
    image's name.
    """
    name, version = _image_parts(image)
    suffix = f"-{version or 'notag'}-{hashlib.sha256(image.encode()).hexdigest()[:8]}"
    return (name or "model")[: max(LONGEST - len(suffix), 1)].rstrip("-") + suffix


def _image_parts(image: str) -> tuple[str, str]:
    """The last part of an image's path, and its tag or the beginning of its digest, fit for names; empty if there is none."""
    last = image.rpartition("/")[2]
    if "@" in last:
        name, _, digest = last.partition("@")
        version = digest.partition(":")[2][:6]
    else:
        name, colon, version = last.partition(":")
        version = version if colon else "latest"
    name, version = (_DASHES.sub("-", _OTHER.sub("-", part.lower())).strip("-") for part in (name, version))
    return name, version
