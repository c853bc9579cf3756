"""Reads the structs of Go packages as far as JSON is concerned: the name of each field in JSON, its type, and when it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_STRUCT: Final = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_EMPTY: Final = re.compile(r"^type (\w+) struct ?\{\}", re.MULTILINE)
#: A named type, alone or among others.
_NAMED: Final = re.compile(r"^(?:type|\t) ?(\w+) ((?:map\[|\[\]|\*)?[\w.\[\]]+)(?: //.*)?$", re.MULTILINE)
_FIELD: Final = re.compile(r'^\t(?:(\w+)\s+)?([\w.*\[\]]+)\s+`[^`]*?json:"([^"]*)"')
_EMBEDDED: Final = re.compile(r"^\t(\*?[\w.]+)$")


@dataclass(frozen=True)
class GoField:
    """A field of a struct: its Go type, and whether it is written if it is empty, or if it is zero."""

    type: str
    always: bool
    omits_zero: bool


class GoPackage:
    """The structs and the named types of one package."""

    def __init__(self, folder: Path) -> None:
        self._structs: dict[str, str] = {}
        self.named: dict[str, str] = {}
        for path in sorted(folder.glob("*.go")):
            if not path.name.endswith("_test.go"):
                text = path.read_text(encoding="utf-8")
                self._structs |= dict(_STRUCT.findall(text)) | dict.fromkeys(_EMPTY.findall(text), "")
                self.named |= {name: kind for name, kind in _NAMED.findall(text) if kind not in {"struct", "interface"}}

    def has(self, struct: str) -> bool:
        """Whether there is such a struct."""
        return struct in self._structs

    def fields(self, struct: str) -> dict[str, GoField]:
        """The fields of a struct by their names in JSON, those of embedded structs among them."""
        found: dict[str, GoField] = {}
        for line in self._structs[struct].splitlines():
            field = _FIELD.match(line)
            embedded = _EMBEDDED.match(line)
            if field is None:
                if embedded is not None and embedded[1] in self._structs:
                    found |= self.fields(embedded[1])
                continue
            _, kind, tag = field.groups()
            name, *options = tag.split(",")
            if name == "-":
                continue
            if name:
                always = not {"omitempty", "omitzero"} & set(options)
                found[name] = GoField(kind, always, omits_zero="omitzero" in options)
            elif kind in self._structs:
                found |= self.fields(kind)
        return found
