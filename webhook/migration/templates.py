"""Manifests in Helm templates, as far as they can be read: with the actions blanked, so that line numbers don't change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.migration import Migration, Told, migration_of
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.manifests.documents import ABSENT, Document, InputIssue
from weighbridge.webhook.manifests.flatten import Standing, manifests, standing
from weighbridge.webhook.manifests.stream import documents

_ACTION: Final = r"\{\{(?:[^}]|\}(?!\}))*\}\}"
#: Actions that fill whole lines, and others.
_ACTIONS: Final = expression(rf"^[ \t]*(?:{_ACTION}[ \t]*)+$|{_ACTION}", re.MULTILINE)
_API_VERSION: Final = expression(r"^[ \t-]*apiVersion:[ \t]*[\"']?([\w.-]+/\w+)", re.MULTILINE)
_KIND: Final = expression(r"^[ \t-]*kind:[ \t]*[\"']?(\w+)", re.MULTILINE)


def old_objects(document: Document, config: Configuration) -> Iterator[tuple[int, JSONObject]]:
    """The objects of a template that would be migrated, each with its line.

    If the template can't be read, its first apiVersion and kind count.
    """
    data = document.text.data
    text = data[document.stretch[0] : document.stretch[1]].decode()
    before = document.text.lines_before(document.stretch[0])
    is_read = False
    for blanked in documents("", _ACTIONS.sub(_blank, text).encode()):
        is_read = is_read or blanked.value is not ABSENT
        if blanked.value is ABSENT or standing(blanked) is not Standing.MANIFEST:
            continue
        for entry in manifests(blanked):
            if not isinstance(entry, InputIssue) and _has_to_change(migration_of(entry.value, config)):
                yield before + entry.position().line, entry.value
    if is_read:
        return
    api_version, kind = _API_VERSION.search(text), _KIND.search(text)
    if api_version and kind:
        obj: JSONObject = {"apiVersion": api_version[1], "kind": kind[1]}
        if _has_to_change(migration_of(obj, config)):
            yield before + text.count("\n", 0, api_version.start()) + 1, obj


def _blank(action: re.Match[str]) -> str:
    """An action without content: empty for whole lines, a word within a line. The number of lines stays the same."""
    is_line = action[0].startswith((" ", "\t")) or action.start() == 0 or action.string[action.start() - 1] == "\n"
    is_line = is_line and (action.end() == len(action.string) or action.string[action.end()] == "\n")
    return "\n" * action[0].count("\n") + ("" if is_line else "x")


def _has_to_change(migration: Migration) -> bool:
    return bool(migration.changes) or any(remark.told is Told.LEFT for remark in migration.remarks)
