"""Bodies as YAML, in more styles than people write, with plain scalars that YAML 1.1, 1.2 and kubectl read differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import yaml

from tests.programs.differential.body_text import Literally
from tests.programs.differential.dice import Dice
from weighbridge.policies.ground.objects import JSONValue

#: Scalars without quotes.
PLAIN: Final = (
    "yes", "No", "on", "OFF", "y", "n", "Y", "true", "TRUE", "~", "null", "NULL", "0x1F", "0o17", "017", "08", "0b11", "1_000", "+1",
    "-0", ".5", "-.5", "5.", "1e3", "1E3", "1e-3", "1.0", "12:30:45", "1:30", "2026-01-01", "2026-01-01T00:00:00Z", "=", "<<", "a b",
    "a#b", "a:b", "18446744073709551615", "18446744073709551616", "0xFFFFFFFFFFFFFFFFF", "1.5e300", "123456789012345678901", "1__0",
    "0.1", "1.50", "é", "1e1000", "-", "--", "0x", "1.2.3", "1e", "+", ".", "v1", "010", "0", "-1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How YAML is written; `flow` and `quotes` as PyYAML takes them."""

    flow: bool | None = False
    quotes: str | None = None
    width: int = 80
    is_ascii: bool = False
    indent: int = 2


class _Dumper(yaml.SafeDumper):
    """Writes a `Literally` as it is, and uses no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _literally(dumper: yaml.SafeDumper, value: Literally) -> yaml.ScalarNode:
    # With the tag that the text resolves to, the emitter needs neither a tag nor quotes.
    tag = dumper.resolve(yaml.ScalarNode, value.text, (True, False))  # type: ignore[no-untyped-call]
    return yaml.ScalarNode(tag, value.text)


_Dumper.add_representer(Literally, _literally)


def yaml_style(dice: Dice) -> Style:
    """A way to write YAML."""
    quotes = dice.pick((None, None, '"', "'", "|", ">"))
    return Style(dice.pick((False, False, True, None)), quotes, dice.pick((20, 80, 1000)), dice.chance(30), dice.pick((2, 4)))


def plain(dice: Dice) -> Literally:
    """A scalar without quotes."""
    return Literally(dice.pick(PLAIN))


def yaml_text(value: JSONValue, style: Style) -> str:
    """The value as one YAML document; it may have `Literally` in it."""
    text = yaml.dump(
        value,
        Dumper=_Dumper,
        default_flow_style=style.flow,
        default_style=style.quotes,
        width=style.width,
        allow_unicode=not style.is_ascii,
        indent=style.indent,
        sort_keys=False,
    )
    return str(text)
