"""A reading with the renderings of its charts and overlays, and with known variables replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from weighbridge.policies.ground.objects import Path, metadata_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.webhook.cache.inputs import is_there
from weighbridge.webhook.inputs.manifest_reader import STRUCTURE, Reading
from weighbridge.webhook.manifests import STDIN, InputIssue, Manifest, PassedOver
from weighbridge.webhook.settings.values import COMMAND_LINE

if TYPE_CHECKING:
    from weighbridge.webhook.rendering.built import Built
    from weighbridge.webhook.rendering.delivery import Applied
    from weighbridge.webhook.rendering.render import Rendering
    from weighbridge.webhook.rendering.variables import Placeholder
    from weighbridge.webhook.selection.selection import Selection
    from weighbridge.webhook.settings.values import Settings

#: The kinds of objects by which Flux and Argo CD render charts and kustomizations.
_DELIVERIES = frozenset({"HelmRelease", "Application"})


@dataclass(slots=True)
class Tree:
    """What a command judges: the reading, and the renderings in it by their titles, which are the sources of their objects.

    `roots` are the kustomizations of which a file is a resource; `unknown` has the fields with unknown values, by source, document and
    position of their object. `parts` are the files that aren't judged by themselves, since something is rendered from them. `deliveries`
    says what delivery objects apply.
    """

    reading: Reading
    built: Mapping[str, Built] = field(default_factory=dict)
    roots: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    unknown: dict[tuple[str, int, Path], Sequence[Placeholder]] = field(default_factory=dict)
    parts: AbstractSet[str] = frozenset()
    deliveries: dict[tuple[str, int, Path], str] = field(default_factory=dict)

    def unknown_of(self, manifest: Manifest) -> Sequence[Placeholder]:
        """The fields of an object whose values aren't known."""
        return self.unknown.get(_key(manifest), ()) if self.unknown else ()

    def delivery_of(self, manifest: Manifest) -> str:
        """A text on what a delivery object applies; empty if it isn't one, or if only the object itself says it."""
        return self.deliveries.get(_key(manifest), "")


def selection_of(paths: Sequence[str], run: Settings, *, is_forced: bool) -> Selection | None:
    """The selection of files; `None` if each is named."""
    if not is_forced and all(map(os.path.isfile, paths)):
        return None
    from weighbridge.webhook.selection.selection import Excluded, Selection

    patterns, origin = run.texts("exclude"), run.origin("exclude")
    named = "--exclude" if origin == COMMAND_LINE else f"exclude of {origin}"
    return Selection([Excluded(run.folder_of("exclude"), patterns, named)] if patterns else [], is_forced=is_forced)


def tree_of(reading: Reading, paths: Sequence[str], namespace: str, kubernetes: str = "") -> Tree:
    """A reading with its renderings."""
    tree = Tree(reading)
    above = list(dict.fromkeys(folder for path in paths if path != STDIN for folder in _kustomized(path)))
    if reading.structure or above or reading.has_variables or STDIN in paths or _delivers(reading):
        _complete(tree, paths, above, namespace, kubernetes)
    return tree


def _delivers(reading: Reading) -> bool:
    """Whether the reading has objects by which Flux or Argo CD render others."""
    return any(manifest.value.get("kind") in _DELIVERIES for manifest in reading.manifests)


def _complete(tree: Tree, paths: Sequence[str], above: Sequence[str], namespace: str, kubernetes: str) -> None:
    """Render charts and overlays, and replace known variables; `above` are folders with a kustomization."""
    reading = tree.reading
    if reading.structure or above:
        from weighbridge.webhook.rendering.render import rendering_of

        _take(rendering_of(reading.structure, above, namespace, kubernetes), tree)
    if STDIN in paths:
        _lead_back(tree)
    if reading.has_variables:
        _put_in_variables(tree)
    if _delivers(reading):
        _deliver(tree, kubernetes)


def _deliver(tree: Tree, kubernetes: str) -> None:
    """Render what delivery objects say, with known variables replaced."""
    from weighbridge.webhook.rendering.deliveries import delivered
    from weighbridge.webhook.rendering.delivery import what_it_renders
    from weighbridge.webhook.rendering.surroundings import Surroundings

    reading = tree.reading
    given = [manifest for manifest in reading.manifests if manifest.value.get("kind") in _DELIVERIES]
    found = delivered(given, Surroundings(reading.manifests), list(tree.built), kubernetes)
    for number, fate in found.said.items():
        tree.deliveries[_key(given[number])] = what_it_renders(given[number].value, fate)
    reading.entries += (issue for issue in found.issues if issue not in reading.entries)
    start = len(reading.entries)
    for built, namespace in found.built:
        reading.entries += (_placed(manifest, namespace) for manifest in built.manifests)
    tree.built = {**tree.built, **{built.title: built for built, _ in found.built}}
    reading.names += (built.title for built, _ in found.built)
    if any(built.has_variables for built, _ in found.built):
        _put_in_variables(tree, start)


def _placed(manifest: Manifest, namespace: str) -> Manifest:
    """An object with the namespace in which it is applied, if it names none."""
    from weighbridge.webhook.inputs.named_objects import is_namespaced

    if not namespace or namespace_of(manifest.value) or not is_namespaced(manifest.value):
        return manifest
    metadata = {**metadata_of(manifest.value), "namespace": namespace}
    return replace(manifest, value={**manifest.value, "metadata": metadata})


def _take(rendering: Rendering, tree: Tree) -> None:
    """Add renderings to a reading, and remove what isn't judged by itself."""
    reading = tree.reading
    files = dict.fromkeys([*map(_source, reading.entries), *(one.path for _, one in reading.not_manifests)])
    reasons = {file: reason for file in files if (reason := rendering.reason(file))}
    reading.entries = [entry for entry in reading.entries if _source(entry) not in reasons]
    reading.not_manifests = [entry for entry in reading.not_manifests if entry[1].path not in reasons]
    reading.not_read += [PassedOver(file, reason, is_judged=rendering.is_judged(file)) for file, reason in reasons.items()]
    reading.not_read += [PassedOver(name, reason) for name, reason in rendering.left.items()]
    reading.entries += rendering.issues
    reading.entries += (manifest for built in rendering.built for manifest in built.manifests)
    tree.built = {built.title: built for built in rendering.built}
    tree.roots = rendering.roots
    tree.parts = reasons.keys()
    reading.names += tree.built
    reading.has_variables = reading.has_variables or any(built.has_variables for built in rendering.built)


def _lead_back(tree: Tree) -> None:
    """Find the chart of objects from a pipe, if Helm names its templates."""
    given = [manifest for manifest in tree.reading.manifests if manifest.document.source == STDIN]
    if any(manifest.document.contains(b"# Source: ") for manifest in given):
        from weighbridge.webhook.rendering.piped import piped

        found = piped(STDIN, given)
        tree.built = {**tree.built, STDIN: found} if found is not None else tree.built


def _source(entry: Manifest | InputIssue) -> str:
    return entry.document.source if isinstance(entry, Manifest) else entry.source


def _put_in_variables(tree: Tree, start: int = 0) -> None:
    """Replace known variables, from an entry on."""
    from weighbridge.webhook.rendering.delivery import variables_of, what_it_renders
    from weighbridge.webhook.rendering.surroundings import Surroundings
    from weighbridge.webhook.rendering.variables import substituted

    reading = tree.reading
    surroundings = Surroundings(reading.manifests)
    applied = []
    for manifest in reading.manifests:
        if (found := variables_of(manifest, surroundings)) is not None:
            applied.append(found)
            if found.unknown:
                fate = f"with variables of {', '.join(found.unknown)}, whose values aren't known here"
                tree.deliveries[_key(manifest)] = what_it_renders(manifest.value, fate)
    for number, entry in enumerate(reading.entries[start:], start):
        if not isinstance(entry, Manifest) or not entry.document.contains(b"${"):
            continue
        way = _applied(entry.document.source, applied)
        made = substituted(entry.value, None, ()) if way is None else substituted(entry.value, way.variables, way.unknown)
        if made.unknown:
            tree.unknown[_key(entry)] = made.unknown
        if made.value != entry.value:
            reading.entries[number] = replace(entry, value=made.value)


def _applied(source: str, applied: Sequence[Applied]) -> Applied | None:
    """The nearest folder from which Flux applies a file; `None` if none is known."""
    path = os.path.normpath(source)
    above = [one for one in applied if one.folder == os.curdir or (path + os.sep).startswith(one.folder + os.sep)]
    return max(above, key=lambda one: len(one.folder)) if above else None


def _key(manifest: Manifest) -> tuple[str, int, Path]:
    return manifest.document.source, manifest.document.index, manifest.prefix


def _kustomized(path: str) -> Iterator[str]:
    """The folders at and above a path, up to the root of its repository, that have a kustomization."""
    folder = os.path.normpath(path if os.path.isdir(path) else os.path.dirname(path) or os.curdir)
    for _ in range(len(os.path.abspath(folder).split(os.sep))):
        there = [is_there(os.path.join(folder, name)) for name in sorted(STRUCTURE - {"Chart.yaml"})]
        if any(there):
            yield folder
        if is_there(os.path.join(folder, ".git")):
            return
        folder = os.path.normpath(os.path.join(folder, os.pardir))
