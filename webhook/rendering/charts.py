"""Renders Helm charts with `helm template`, and traces fields of the output back to lines of templates.

`# Source:` above each document names its template. The place of a field is the equal line of the template, or else the line with the same
key, since its value comes from an action.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import ABSENT, Document, InputIssue, Manifest, Position, Span, documents, manifests
from weighbridge.webhook.rendering.built import BEGINNING, Built, Origin, Place
from weighbridge.webhook.rendering.programs import ended

FILE: Final = "Chart.yaml"
_RELEASE: Final = "release-name"
_OWN_VALUES: Final = "values.yaml"
_GIVEN_VALUES: Final = "values-"
_SOURCE: Final = expression(rb"^# Source: (.+?)[ \t\r]*$", re.MULTILINE)
#: The place of a Helm error in a template, and its text.
_ERROR_PLACE: Final = expression(r"\(?([^\s():]+/templates/[^\s():]+):(\d+)(?::(\d+))?\)?:\s*")
#: An error of a template that doesn't depend on values.
_MISTAKE: Final = expression(r"parse error at|error converting YAML to JSON|YAML parse error on")
_KEY: Final = expression(r"\s*(?:- )*[^\s:#][^:#]*:")
_LONGEST_PROBLEM: Final = 400


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its folder, its Chart.yaml, and the files of values for its own tests."""

    folder: str
    document: Document
    values: tuple[str, ...]

    @property
    def file(self) -> str:
        """Its Chart.yaml as shown."""
        return self.document.source

    @property
    def is_library(self) -> bool:
        """Whether it has only what other charts use."""
        return text(self.document.value, "type") == "library"

    def has(self, path: str) -> bool:
        """Whether Helm renders or reads a file for it."""
        if not path.startswith(os.path.join(self.folder, "") if self.folder != os.curdir else ""):
            return False
        inside = os.path.relpath(path, self.folder)
        return inside.split(os.sep)[0] in {"templates", "crds", "charts", "ci"} or inside == FILE or inside.startswith("values")


@dataclass(frozen=True, slots=True)
class NotRendered:
    """Why a chart isn't rendered with some values; other values may work."""

    why: str


def chart_of(document: Document) -> Chart | None:
    """The chart of a file of this name, if it is one."""
    if not (text(document.value, "name") and text(document.value, "apiVersion") in {"v1", "v2"}):
        return None
    folder = os.path.normpath(os.path.dirname(document.source) or os.curdir)
    try:
        names = sorted(os.listdir(os.path.join(folder, "ci")))
    except OSError:
        names = []
    values = tuple(os.path.join(folder, "ci", name) for name in names if name.endswith(("-values.yaml", "-values.yml")))
    return Chart(folder, document, values)


def program() -> str:
    """The path of Helm; empty if there is none."""
    return shutil.which("helm") or ""


@dataclass(frozen=True, slots=True)
class ChartRelease:
    """How a chart is rendered. Later `files`, and then `texts`, of values override earlier ones; `options` are Helm's.

    If the chart's own values are left out, it has only these. `because` are the files that say how it is rendered.
    """

    title: str
    namespace: str
    name: str = _RELEASE
    files: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    has_own_values: bool = True
    because: frozenset[str] = frozenset()


def usual(chart: Chart, values: str, namespace: str) -> ChartRelease:
    """A chart with its default values, and with a file of `values` if one is named."""
    title = f"{chart.folder} with {os.path.relpath(values, chart.folder)}" if values else chart.folder
    return ChartRelease(title, namespace, files=(values,) if values else ())


def rendered(chart: Chart, release: ChartRelease, kubernetes: str, helm: str) -> Built | NotRendered | InputIssue:
    """Render a chart."""
    with tempfile.TemporaryDirectory(prefix="weighbridge-") as made:
        folder = os.path.realpath(chart.folder)
        command = [helm, "template", release.name, folder if release.has_own_values else _without_values(folder, made)]
        command += ["--include-crds", "--namespace", release.namespace, "--kube-version", kubernetes]
        for file in (*map(os.path.realpath, release.files), *_written(release.texts, made)):
            command += ["--values", file]
        done = ended([*command, *release.options], folder)
    _, _, why = done.problem.partition(f"{made}{os.sep}{_GIVEN_VALUES}")
    if why:
        return NotRendered(f"its values can't be read{why[why.find(': ') :]}")
    if done.problem:
        return _failure(chart, done.problem)
    title = release.title
    taken: list[Manifest] = []
    for document in documents(title, done.output):
        if document.value is ABSENT:
            return InputIssue(_template(document, chart), 1, 1, f"what this renders to can't be read: {document.issues[0].message}")
        if isinstance(document.value, dict):
            taken += [one for one in manifests(document) if isinstance(one, Manifest)]
    return led_back(title, taken, chart, release.because)


def _written(texts: Sequence[str], folder: str) -> Iterator[str]:
    """Write texts into files of a folder. Returns their paths."""
    for number, text_of_values in enumerate(texts):
        file = os.path.join(folder, f"{_GIVEN_VALUES}{number}.yaml")
        with open(file, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text_of_values)
        yield file


def _without_values(folder: str, made: str) -> str:
    """A chart of links to all files of a chart except its own values."""
    linked = os.path.join(made, os.path.basename(folder))
    os.mkdir(linked)
    for name in os.listdir(folder):
        if name != _OWN_VALUES:
            os.symlink(os.path.join(folder, name), os.path.join(linked, name))
    return linked


def led_back(title: str, given: Sequence[Manifest], chart: Chart, because: frozenset[str] = frozenset()) -> Built:
    """Objects that were rendered from a chart, traced back to their templates."""
    origins: dict[int, Origin] = {}
    before: Counter[str] = Counter()
    for manifest in given:
        if manifest.document.index not in origins:
            template = _template(manifest.document, chart)
            origins[manifest.document.index] = _FromTemplate(template, before[template])
            before[template] += 1
    return Built(title, given, origins, frozenset({chart.folder}), because)


def source_of(document: Document) -> str:
    """The template that Helm names above a document; empty if it names none."""
    found = _SOURCE.search(document.text.data, *document.stretch)
    return found[1].decode(errors="replace") if found else ""


def _failure(chart: Chart, problem: str) -> NotRendered | InputIssue:
    line = " ".join(problem.split()).removeprefix("Error: ")
    line = line if len(line) <= _LONGEST_PROBLEM else f"{line[: _LONGEST_PROBLEM - 3]}..."
    place = _ERROR_PLACE.search(line)
    if not _MISTAKE.search(line):
        return NotRendered(line)
    if place is None:
        return InputIssue(chart.file, 1, 1, f"helm can't render this: {line}")
    return InputIssue(_in_tree(place[1], chart), int(place[2]), int(place[3] or 1), f"helm can't render this: {line[place.end() :]}")


def _template(document: Document, chart: Chart) -> str:
    """The template of a document; if it isn't in the tree, the Chart.yaml."""
    named = source_of(document)
    return _in_tree(named, chart) if named else chart.file


def _in_tree(named: str, chart: Chart) -> str:
    """A template that Helm names by the chart's name and its path in the chart."""
    path = os.path.normpath(os.path.join(chart.folder, *named.split("/")[1:]))
    return path if os.path.isfile(path) else chart.file


@dataclass(frozen=True, slots=True)
class _FromTemplate:
    """An object of a template; `before` is the number of earlier documents of the template."""

    file: str
    before: int

    def place(self, manifest: Manifest, path: Path) -> Place:
        lines = _lines(self.file)
        if not lines:
            return Place(self.file, BEGINNING)
        document = manifest.document
        number, written, is_whole = self._first(lines), 0, True
        for end in range(1, len(path) + 1):
            line = manifest.position(path[:end]).line
            if line == written or not line:
                continue
            found = _line_of(document.text_lines[line - 1], lines, number + (end > 1))
            if found is None:
                is_whole = False
                break
            number, written = found, line
        span = manifest.span(path)
        same = is_whole and written and lines[number].rstrip() == document.text_lines[written - 1].rstrip()
        if same and span.start.line == span.end.line == written:
            return Place(self.file, Span(Position(number + 1, span.start.column), Position(number + 1, span.end.column)), lines)
        start = len(lines[number]) - len(lines[number].lstrip())
        return Place(self.file, Span(Position(number + 1, start + 1), Position(number + 1, len(lines[number].rstrip()) + 1)), lines)

    def _first(self, lines: Sequence[str]) -> int:
        """The line where the object's document begins in the template."""
        begins = [number for number, line in enumerate(lines) if line.startswith("apiVersion:")]
        return begins[min(self.before, len(begins) - 1)] if begins else 0


def _line_of(line: str, lines: Sequence[str], start: int) -> int | None:
    """The line of a template from which a rendered line comes: an equal one, or else one with the same key."""
    for fits in _same(line):
        for number in range(start, len(lines)):
            if fits(lines[number]):
                return number
    return None


def _same(line: str) -> Iterator[Callable[[str], bool]]:
    text = line.rstrip()
    yield lambda other: other.rstrip() == text
    key = _KEY.match(line)
    if key:
        yield lambda other: other.startswith(key[0]) and "{{" in other
        # An action can indent its lines differently.
        yield lambda other: other.strip().startswith(key[0].strip())


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return stream.read(4 << 20).splitlines()
    except OSError:
        return []
