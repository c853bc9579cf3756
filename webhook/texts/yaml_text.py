"""Writes values as YAML that kubectl reads back unchanged.

PyYAML quotes only texts that it would itself read as something else. kubectl reads `y`, `1e3` and `0o17` differently, so those are quoted,
too.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts.escapes import in_yaml
from weighbridge.webhook.texts.yaml_scalars import resolve

_WIDTH: Final = 120
_SURROGATE: Final = expression("[\ud800-\udfff]")


class WrittenOut(str):
    """A text that is written as a literal block, line by line, if YAML allows."""

    __slots__ = ()


def yaml_text(value: JSONValue, *, width: int = _WIDTH) -> str:
    """A value as block YAML, with keys in the object's order. If it nests too deep for that, it is written as JSON, which is also YAML.

    Texts longer than `width` characters are broken.
    """
    import yaml

    try:
        text: str = yaml.dump(value, Dumper=_dumper(), sort_keys=False, default_flow_style=False, allow_unicode=True, width=width)
    except RecursionError:
        text = f"{json_text(value)}\n"
    return in_yaml(text)


def block_text(text: str) -> str:
    """Rewrite one of our own YAML texts as block YAML."""
    import yaml

    return yaml_text(yaml.safe_load(text))


@cache
def _dumper() -> Any:
    """A dumper without anchors, which quotes texts that kubectl would read as something else."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # the base is found at run time
        def ignore_aliases(self, data: object) -> bool:
            return True

    def text(dumper: Any, data: str) -> Any:
        data = _SURROGATE.sub("\ufffd", data)
        style = None if isinstance(resolve(data, None, plain=True), str) else "'"
        if not data.replace("\n", "").isprintable():
            # YAML has escapes only between double quotes.
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    def lines(dumper: Any, data: str) -> Any:
        is_plain = data.replace("\n", "").isprintable() and not any(line != line.rstrip() for line in data.split("\n"))
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(data), style="|") if is_plain else text(dumper, str(data))

    Dumper.add_representer(str, text)
    Dumper.add_representer(WrittenOut, lines)
    return Dumper
