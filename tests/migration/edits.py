"""Makes changes in a text, and checks that the text then has the same object as the changes make from the old one."""

from __future__ import annotations

from weighbridge.policies.families.migration import Change, changed
from weighbridge.policies.ground.objects import Path
from weighbridge.webhook.manifests import documents
from weighbridge.webhook.manifests.lines import line_starts
from weighbridge.webhook.migration.editor import Editor, exchanged, needed


def edit(text: str, *changes: Change, prefix: Path = ()) -> str:
    """The text of one document after the changes. Raises UneditableError."""
    (document,) = documents("a.yaml", text.encode())
    editor = Editor(text, [*line_starts(text), len(text)], document.outline(), [(change, prefix) for change in changes])
    pieces = [piece for change in changes for piece in editor.pieces(change, prefix)]
    after = exchanged(text, needed(text, pieces))
    if not prefix:
        assert [again.value for again in documents("", after.encode())] == [changed(document.value, changes)]
    return after
