"""The objects that are known in addition to those that `lint` judges, and the objects that remain to be judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import STDIN, Manifest
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

if TYPE_CHECKING:
    from weighbridge.webhook.cli.around.changed import Since
    from weighbridge.webhook.selection.selection import Selection


@dataclass(frozen=True, slots=True)
class Around:
    """The objects that are known but not judged, and what has changed, if only changes count."""

    manifests: Sequence[Manifest]
    since: Since | None = None


def check(paths: Sequence[str], changed_since: str | None, stdin_filename: str, *, is_written: bool) -> None:
    """Refuse options that don't go together. Raises InputError."""
    if stdin_filename and STDIN not in paths:
        raise InputError(f"--stdin-filename {as_text(stdin_filename)} needs - among the paths; add it")
    if changed_since is not None and is_written:
        raise InputError("--write-baseline and --changed-since can't be given together: a baseline has the findings of all objects")


def around_of(
    tree: Tree,
    paths: Sequence[str],
    context: Sequence[str],
    ref: str | None,
    namespace_of: Callable[[str], str],
    selection: Selection | None,
) -> Around:
    """The objects around those of a reading; with `ref` only objects that have to be judged remain in the reading. Raises InputError.

    `namespace_of` is the namespace of the objects of a file that name none.
    """
    found: Sequence[Manifest] = ()
    if context:
        from weighbridge.webhook.inputs.surroundings import read_surroundings

        found = read_surroundings(context, tree.reading.names, selection)
    if ref is None:
        return Around(found)
    from weighbridge.webhook.cli.around.changed import changed_since

    since = changed_since(ref, tree, found, (*paths, *context), namespace_of)
    return Around([*found, *since.others], since)
