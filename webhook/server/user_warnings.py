"""Fits warnings into the limits of kube-apiserver, so that they reach the user's terminal.

kube-apiserver drops a warning with a control character. All warnings of one request may have 4,096 characters; if they have more, it cuts
each to 256, and silently drops those that are still too much. So they are cut here, with a line that says how many are missing. Source:
k8s.io/apiserver, pkg/endpoints/filters/warning.go; k8s.io/apimachinery, pkg/util/net/http.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.expressions import expression

TOTAL_CHARACTERS: Final = 4096
ITEM_CHARACTERS: Final = 256
_CONTROL: Final = expression(r"\s*[\x00-\x1f\x7f-\x9f]+\s*")
# Leave room for the line that says how many are missing.
_REST_CHARACTERS: Final = 64


def fit(warnings: Iterable[str]) -> list[str]:
    """The warnings in their order, without duplicates, each on one line, within the API server's limits."""
    lines = list(dict.fromkeys(filter(None, (_CONTROL.sub(" ", warning).strip() for warning in warnings))))
    if sum(map(len, lines)) <= TOTAL_CHARACTERS:
        return lines
    fitting: list[str] = []
    left = TOTAL_CHARACTERS - _REST_CHARACTERS
    for line in dict.fromkeys(_cut(line) for line in lines):
        if len(line) > left:
            break
        fitting.append(line)
        left -= len(line)
    missing = len(lines) - len(fitting)
    return [*fitting, f"{missing} more warning(s) not shown"] if missing else fitting


def _cut(line: str) -> str:
    return line if len(line) <= ITEM_CHARACTERS else f"{line[: ITEM_CHARACTERS - 3]}..."
