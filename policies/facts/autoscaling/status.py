"""Reads the node groups in cluster-autoscaler's status, in both of its forms.

From 1.30 on the status is YAML with the key `autoscalerStatus`, before that a text for people. Both are read line by line: the status of a
large cluster has tens of thousands of lines and is written anew every ten seconds. Source: kubernetes/autoscaler,
`cluster-autoscaler/clusterstate` (`api/types.go` and, before 1.30, `utils/status.go`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.records import dataclass

_YAML_KEY: Final = expression(r"( *)(- )?([A-Za-z]+):(?: +(.*))?")
_TEXT_NAME: Final = expression(r"\s*Name:\s+(\S+)\s*")
_TEXT_SIZES: Final = expression(r"\b(registered|maxSize)=(\d{1,9})")
_BACKOFF: Final = "Backoff"
#: A text in quotes, up to the closing quote.
_QUOTED: Final = {'"': expression(r'((?:[^"\\]|\\.)*)"'), "'": expression(r"((?:[^']|'')*)'(?!')")}
#: An entry of a map in braces, or the brace that begins or ends a map.
_FLOW: Final = expression(r"""(\})|([A-Za-z]+): *(\{|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^{},]*)""")
_ESCAPED: Final = expression(r"\\(.)")
_UNESCAPED: Final = {"n": " ", "r": " ", "t": " "}


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """A group of nodes, by its name in the cloud.

    `registered` is the number of its nodes in the cluster, `None` if the status doesn't say; `most` is the number that it may have.
    `backoff` says why it isn't scaled up at the moment, and is empty if it may be.
    """

    name: str
    registered: int | None
    most: int
    backoff: str = ""

    @property
    def short_name(self) -> str:
        """The name without the address that some clouds put before it."""
        return self.name.rpartition("/")[2]

    @property
    def is_empty(self) -> bool:
        """Whether it may have no node, so that the shape of its nodes isn't known."""
        return not self.registered

    @property
    def has_room(self) -> bool:
        """Whether it may add another node now."""
        return not self.backoff and self.most > (self.registered or 0)


def read_status(status: str) -> tuple[NodeGroup, ...]:
    """The groups of a status in either form; empty if it has none or isn't a status."""
    if re.search(r"^autoscalerStatus:", status, re.MULTILINE):
        return tuple(map(_group, _yaml_groups(status)))
    return tuple(_text_groups(status))


def status_text(groups: Iterable[NodeGroup]) -> str:
    """A status in the newer form with these groups; it has only what is read."""
    lines = ["autoscalerStatus: Running", "nodeGroups:"]
    for group in groups:
        lines += [
            f"- name: {json_text(group.name)}",
            "  health:",
            f"    nodeCounts:\n      registered:\n        total: {group.registered or 0}",
            f"    maxSize: {group.most}",
        ]
        if group.backoff:
            lines += [f"  scaleUp:\n    status: {_BACKOFF}\n    backoffInfo:\n      errorMessage: {json_text(group.backoff)}"]
    return "\n".join(lines) + "\n"


def _group(found: dict[str, str]) -> NodeGroup:
    backoff = ""
    if found.get("scaleUp.status") == _BACKOFF:
        told = (found.get(f"scaleUp.backoffInfo.{key}", "") for key in ("errorCode", "errorMessage"))
        backoff = ": ".join(filter(None, told)) or _BACKOFF
    return NodeGroup(
        name=found.get("name", ""),
        registered=_number(found.get("health.nodeCounts.registered.total", "")),
        most=_number(found.get("health.maxSize", "")),
        backoff=backoff,
    )


def _number(written: str) -> int:
    return int(written) if written.isdecimal() and written.isascii() and len(written) < 10 else 0


def _yaml_groups(status: str) -> Iterator[dict[str, str]]:
    """The scalars of each entry of `nodeGroups`, by the path of keys to them."""
    group: dict[str, str] | None = None
    path: list[tuple[int, str]] = []
    lines = iter(status.splitlines())
    for line in lines:
        found = _YAML_KEY.fullmatch(line)
        if found is None:
            # A further line of a text of several lines.
            continue
        column = len(found.group(1)) + len(found.group(2) or "")
        while path and path[-1][0] >= column:
            path.pop()
        if found.group(2) and [key for _, key in path] == ["nodeGroups"]:
            if group is not None:
                yield group
            group = {}
        path.append((column, found.group(3)))
        if group is None or path[0][1] != "nodeGroups":
            continue
        keys, written = [key for _, key in path[1:]], found.group(4) or ""
        group.update(_flow(written, keys) if written.startswith("{") else {".".join(keys): _scalar(written, lines)})
    if group is not None:
        yield group


def _flow(written: str, path: list[str]) -> dict[str, str]:
    """The scalars of a map that is written with braces in one line."""
    found: dict[str, str] = {}
    keys = list(path)
    for end, key, value in _FLOW.findall(written[1:]):
        if end:
            keys = keys[: max(len(keys) - 1, len(path))]
        elif value == "{":
            keys.append(key)
        else:
            found[".".join([*keys, key])] = _scalar(value, iter(()))
    return found


def _scalar(written: str, following: Iterator[str]) -> str:
    """The text of a scalar; a scalar in quotes can have several lines."""
    quote = written[:1]
    if quote not in _QUOTED:
        return written.partition(" #")[0].strip()
    parts: list[str] = []
    line: str | None = written[1:]
    while line is not None:
        end = _QUOTED[quote].match(line)
        parts.append((end.group(1) if end else line).strip())
        line = None if end else next(following, None)
    inner = " ".join(parts)
    return inner.replace("''", "'") if quote == "'" else _ESCAPED.sub(lambda found: _UNESCAPED.get(found.group(1), found.group(1)), inner)


def _text_groups(status: str) -> Iterator[NodeGroup]:
    """The groups of the text for people: a line with the name, then lines with numbers."""
    _, heading, listed = status.partition("NodeGroups:")
    name, sizes, backoff = "", dict[str, int](), ""
    for line in listed.splitlines() if heading else ():
        named = _TEXT_NAME.fullmatch(line)
        if named is not None:
            if name:
                yield NodeGroup(name, sizes.get("registered", 0), sizes.get("maxSize", 0), backoff)
            name, sizes, backoff = named.group(1), {}, ""
        elif line.lstrip().startswith("Health:"):
            sizes = {key: int(count) for key, count in _TEXT_SIZES.findall(line)}
        elif line.lstrip().startswith("ScaleUp:") and _BACKOFF in line:
            backoff = _BACKOFF
    if name:
        yield NodeGroup(name, sizes.get("registered", 0), sizes.get("maxSize", 0), backoff)
