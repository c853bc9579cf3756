"""The words of the small family of `tests/families/scratch.py`, and those that take their place in a new one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any

from tests.programs.family.fields import Fields
from weighbridge.policies.ground.fields import part, text


def setting_of(field: str) -> str:
    """The name of the setting with a field's default."""
    return f"default{field[0].upper()}{field[1:]}"


def renaming(name: str, definition: dict[str, Any], version: str, fields: Fields) -> Callable[[str], str]:
    """A function that replaces the words of the small family in a path or a file."""
    spec = part(definition, "spec")
    group, kind, plural = text(spec, "group"), text(part(spec, "names"), "kind"), text(part(spec, "names"), "plural")
    subject, number, written = kind.lower(), fields.number, fields.text or "colour"
    scope = "" if text(spec, "scope") == "Namespaced" else ", namespaced=False"
    article = "an" if subject[0] in "aeiou" else "a"
    words = {
        '"scratch.example.com", "v1", "Note"), "notes"': f'"{group}", "{version}", "{kind}"), "{plural}"{scope}',
        "scratch.example.com/v1": f"{group}/{version}",
        "scratch.example.com": group,
        "SCRATCH": name.upper(),
        "Scratch": name.capitalize(),
        "scratch": name,
        "a Note": f"{article} {kind}",
        "A note": f"{article.capitalize()} {subject}",
        "a note": f"{article} {subject}",
        "Note": kind,
        "notes": re.sub(r"\W", "_", plural),
        "def note": f"def {subject}_" if iskeyword(subject) else f"def {subject}",
        ".note": f".{subject}_" if iskeyword(subject) else f".{subject}",
        "note": subject,
        "_sheets": f"_{_joined(number, '_')}",
        "-sheets-": f"-{_joined(number, '-')}-",
        "sheets": number,
        "defaultColour": setting_of(written),
        "default_colour": f"default_{_joined(written, '_')}",
        "colour": written,
    }
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
    return lambda content: pattern.sub(lambda found: words[found[0]], content)


def without_default(files: Mapping[str, str]) -> dict[str, str]:
    """The files without the field that is filled in, and the setting for it."""
    kept = {path: content for path, content in files.items() if not path.endswith(("/fill.py", "/settings.py", "/config.yaml"))}
    return {
        path: re.sub(r"(?m)^(?:patch:|    fills?=).*\n|(?<=GROUPS, )fill, |(?<=Family, )Fill, | The colour is filled in\.", "", text)
        for path, text in kept.items()
    }


def _joined(field: str, joint: str) -> str:
    """A field's words in small letters: ``max_replicas`` for ``maxReplicas``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", joint, field).lower()
