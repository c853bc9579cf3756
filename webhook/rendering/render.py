"""Finds the charts and overlays among the files that were read, renders them, and removes what isn't judged by itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.manifests import Document, InputIssue, Standing, documents, standing
from weighbridge.webhook.rendering import charts, overlays
from weighbridge.webhook.rendering.built import Built
from weighbridge.webhook.rendering.kustomizations import NAMES, OWN_FILE, Kustomization, Role, Tree, Use
from weighbridge.webhook.texts.counts import counted
from weighbridge.webhook.texts.streams import warn

_LARGEST: Final = 32 << 20
_MOST_NAMED: Final = 3
_MOST_AT_ONCE: Final = 8
_Given = TypeVar("_Given")
_Result = TypeVar("_Result")
#: The texts for roles of files in a kustomization.
_PARTS: Final = frozenset(Role) - {Role.RESOURCE, Role.COMPONENT}


@dataclass(slots=True)
class Rendering:
    """The renderings, what couldn't be rendered, and why files aren't judged by themselves, by their paths as shown."""

    built: list[Built] = field(default_factory=list)
    issues: list[InputIssue] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    #: Charts and overlays that aren't rendered, with the reason.
    left: dict[str, str] = field(default_factory=dict)
    #: The kustomizations of which each file is a resource.
    roots: dict[str, set[str]] = field(default_factory=dict)
    #: The charts that were rendered.
    charts: list[charts.Chart] = field(default_factory=list)

    def reason(self, path: str) -> str:
        """Why a file isn't judged by itself; empty if it is."""
        found = self.reasons.get(os.path.normpath(path), "")
        return found or ("judged as helm renders it" if any(chart.has(path) for chart in self.charts) else "")

    def is_judged(self, path: str) -> bool:
        """Whether a file that isn't judged by itself is judged as a part of a rendering, or describes other files."""
        return self.reason(path).startswith("judged") or self.reason(path) == OWN_FILE


def rendering_of(files: Sequence[Document], above: Sequence[str], namespace: str, kubernetes: str) -> Rendering:
    """Render the charts and kustomizations of some files; those in the folders `above` only show which files are patches."""
    # Other programs read files that aren't recorded here.
    not_repeatable()
    rendering = Rendering()
    read = Files()
    found = [chart for document in files if os.path.basename(document.source) == charts.FILE and (chart := charts.chart_of(document))]
    parents = [chart for chart in found if not any(other.has(chart.file) for other in found if other is not chart)]
    _render_charts(parents, rendering, namespace, kubernetes)
    tree = Tree(read.kustomization)
    for document in files:
        is_readable = isinstance(document.value, dict) and standing(document) is not Standing.TEMPLATE
        if os.path.basename(document.source) in NAMES and is_readable and not any(chart.has(document.source) for chart in found):
            tree.add(document)
    roots = tree.roots()
    _build_overlays(roots, tree, rendering, read)
    for folder in above:
        tree.of(folder)
    _say_what_parts_are(tree, rendering)
    return rendering


class Files:
    """Reads files of the tree, each once."""

    def __init__(self) -> None:
        self._known: dict[str, list[Document]] = {}

    def __call__(self, path: str) -> list[Document]:
        """The documents of a file; none if it can't be read."""
        if path not in self._known:
            try:
                with open(path, "rb") as stream:
                    self._known[path] = list(documents(path, stream.read(_LARGEST)))
            except OSError:
                self._known[path] = []
        return self._known[path]

    def kustomization(self, folder: str) -> Document | None:
        """The first document of a folder's kustomization."""
        return next((found[0] for name in NAMES if (found := self(os.path.normpath(os.path.join(folder, name))))), None)


def _render_charts(found: Sequence[charts.Chart], rendering: Rendering, namespace: str, kubernetes: str) -> None:
    renderable = [chart for chart in found if not chart.is_library]
    helm = charts.program() if renderable else ""
    if renderable and not helm:
        told = listed([chart.folder for chart in renderable])
        what = "isn't" if len(renderable) == 1 else "aren't"
        command = f"helm template {renderable[0].folder} | weighbridge lint -"
        warn(f"{told}: {counted(len(renderable), 'Helm chart')} {what} rendered, since helm isn't on PATH; to judge it run: {command}")
        rendering.left |= dict.fromkeys((chart.folder for chart in renderable), "a Helm chart; helm isn't on PATH")
        return
    runs = [(chart, values) for chart in renderable for values in ("", *chart.values)]
    results = at_once(lambda run: charts.rendered(run[0], charts.usual(*run, namespace), kubernetes, helm), runs)
    for chart in renderable:
        _take_chart(chart, {values: result for (of, values), result in zip(runs, results, strict=True) if of is chart}, rendering)


def _take_chart(chart: charts.Chart, results: Mapping[str, Built | charts.NotRendered | InputIssue], rendering: Rendering) -> None:
    done = [found for found in results.values() if isinstance(found, Built)]
    failed = {values: found.why for values, found in results.items() if isinstance(found, charts.NotRendered)}
    rendering.built += done
    rendering.issues += dict.fromkeys(found for found in results.values() if isinstance(found, InputIssue))
    for values, why in failed.items():
        rendering.left[f"{chart.folder} with {values}" if values else chart.folder] = f"not rendered: {why}"
    if failed and not done:
        why = next(iter(failed.values()))
        values = os.path.join(chart.folder, "ci", "NAME-values.yaml")
        warn(f"{chart.folder}: this Helm chart isn't rendered ({why}); if it needs values, give them in {values}")
    if done:
        rendering.charts.append(chart)


def at_once(work: Callable[[_Given], _Result], given: Sequence[_Given]) -> list[_Result]:
    """The results for all arguments, several of which are computed at the same time; external programs do the work."""
    if len(given) < 2:
        return list(map(work, given))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(len(given), _MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        return list(pool.map(work, given))


def _build_overlays(roots: Sequence[Kustomization], tree: Tree, rendering: Rendering, read: Files) -> None:
    for root in roots:
        for file in _resources(tree.parts(root)):
            rendering.roots.setdefault(file, set()).add(root.folder)
    able = [root for root in roots if not has_obstacle(root, tree, rendering)]
    tool = overlays.program() if able else ()
    if able and not tool:
        told = listed([root.folder for root in able])
        command = f"kustomize build {able[0].folder} | weighbridge lint -"
        warn(f"{told}: not built, since neither kustomize nor kubectl is on PATH; to judge what comes out run: {command}")
        rendering.left |= dict.fromkeys((root.folder for root in able), "not built; neither kustomize nor kubectl is on PATH")
        return
    parts_of = {root.folder: tree.parts(root) for root in able}
    for root, found in zip(able, at_once(lambda root: overlays.built(root, parts_of[root.folder], read, tool), able), strict=True):
        if isinstance(found, InputIssue):
            rendering.issues.append(found)
            continue
        rendering.built.append(found)
        for file in _resources(parts_of[root.folder]):
            rendering.reasons.setdefault(file, f"judged as {root.folder} builds it")


def _resources(parts: Sequence[Kustomization]) -> Iterator[str]:
    """The files that kustomizations have as resources."""
    for one in parts:
        yield from (use.target for use in one.uses if use.role is Role.RESOURCE and not os.path.isdir(use.target))


def has_obstacle(root: Kustomization, tree: Tree, rendering: Rendering) -> bool:
    """Whether a kustomization can't be built because something is missing. A mistake becomes an issue."""
    wrong = False
    for one in tree.parts(root):
        if one.inflates:
            rendering.left[root.folder] = f"not built: {one.file} has a chart rendered; run: kustomize build --enable-helm {root.folder}"
            return True
        for use in one.uses:
            if os.path.exists(use.target):
                continue
            if use.is_remote or use.role is Role.CONTENT:
                what = "would be downloaded" if use.is_remote else "isn't there"
                rendering.left[root.folder] = f"not built: {use.given} of {one.file} {what}"
                return True
            issue = _missing(one, use)
            wrong = True
            if issue not in rendering.issues:
                rendering.issues.append(issue)
    return wrong


def _missing(one: Kustomization, use: Use) -> InputIssue:
    place = one.document.position(use.path)
    return InputIssue(
        one.file, place.line, place.column, f"{use.role}: {use.given}: no such file or folder; correct the path, or remove it"
    )


def _say_what_parts_are(tree: Tree, rendering: Rendering) -> None:
    """Set the reason for each file that is a part of others and isn't an object by itself."""
    given = tree.given()
    whole = {use.target for one in given for use in one.uses if use.role is Role.RESOURCE}
    for one in given:
        rendering.reasons.setdefault(one.file, OWN_FILE)
        for use in one.uses:
            if use.role in _PARTS and use.target not in whole:
                rendering.reasons.setdefault(use.target, f"{_article(use.role)} of {one.file}")


def _article(role: Role) -> str:
    return str(role) if role is Role.CONTENT else f"a {role}"


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    named = ", ".join(names[:_MOST_NAMED])
    return f"{named} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else named
