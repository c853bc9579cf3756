"""`lint --changed-since`: judges the objects that have changed, and finds what is newly wrong with all others.

An object that hasn't changed is judged twice, among the present and among the earlier objects. Findings that only the present ones give
come from the change: for example a service whose Model has changed or was removed. If an object was removed, all objects of its kind count
as known, now and before, so that references to it are reported as missing; those that were missing before aren't.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.config.ignores import ENDED, GONE, UNUSABLE, UNUSED
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.verdict.upgrade import JudgedBy
from weighbridge.webhook.inputs.changed import Comparer, Placed
from weighbridge.webhook.inputs.git import changes_since
from weighbridge.webhook.inputs.surroundings import in_order
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import STDIN, InputIssue, Manifest
from weighbridge.webhook.report import Located, Result

_GroupKind = tuple[str, str]
Judge = Callable[[Sequence[JudgedBy], int], Result]
_Results = Iterator[tuple[Manifest | None, Result]]
#: Gives what objects are judged by, for kinds of which all objects are known.
Load = Callable[[Iterable[Placed], frozenset[_GroupKind]], Sequence[JudgedBy]]
#: The kinds on which any object with pods may depend.
_OF_ANY: Final = frozenset({("", "Namespace"), CRDS.known_as, *(kind.known_as for kind in PLACEMENT_KINDS)})
_OF_IGNORES: Final = frozenset({UNUSED, ENDED, UNUSABLE, GONE})
_SINCE: Final = "this object hasn't changed, another one has"


@dataclass(frozen=True, slots=True)
class Since:
    """What has changed: whether each judged object has, all present and all earlier objects, and the removed ones.

    `others` are the objects that aren't judged, since their verdicts are the same as before; `around_is_changed` says whether each object
    around them has changed.
    """

    is_changed: tuple[bool, ...]
    around_is_changed: tuple[bool, ...]
    others: tuple[Manifest, ...]
    now: tuple[Placed, ...]
    then: tuple[Placed, ...]
    gone: tuple[Placed, ...]

    def has_changed(self, number: int) -> bool:
        """Whether an object has changed, by its number among the judged ones, those around, and the others."""
        flags = (*self.is_changed, *self.around_is_changed)
        return number < len(flags) and flags[number]

    def judging(
        self, judge: Judge, now: Sequence[JudgedBy], load: Load, finished: Callable[[_Results], Iterator[Result]]
    ) -> tuple[Callable[[int], Result], Callable[[_Results], Iterator[Result]]]:
        """How each object is judged, and how results are `finished`.

        `now` is what they are judged by, by release; what they were judged by before is loaded at once.
        """
        kinds = frozenset(kind for obj, _ in self.gone for kind in _alike(obj))
        whole = load(self.now, kinds) if kinds else now
        then = load(self.then, kinds) if not all(self.is_changed) else ()
        kept = load((*self.now, *self.gone), kinds) if kinds and any(self.is_changed) else ()

        def judged(number: int) -> Result:
            if not self.is_changed[number]:
                return replace(judge(whole, number), issues=(), unchecked=(), earlier=tuple(judge(then, number).findings))
            result = judge(now, number)
            if not kept:
                return result
            missed = _new([*judge(whole, number).findings], [*result.findings, *judge(kept, number).findings])
            return result.with_findings([*result.findings, *missed], result.unchecked, result.lines, never_runs=True) if missed else result

        return judged, lambda results: _only_new(finished(results))


def changed_since(ref: str, tree: Tree, around: Sequence[Manifest], paths: Sequence[str], namespace_of: Callable[[str], str]) -> Since:
    """What has changed since `ref`; only objects that have to be judged remain in the reading. Raises InputError."""
    reading = tree.reading
    comparer = Comparer(changes_since(ref, _folder_of(paths)), paths, namespace_of, tree)
    given = list(reading.manifests)
    found = comparer.compared([*given, *around])
    changed = [manifest.value for manifest, is_changed in zip([*given, *around], found.is_changed, strict=True) if is_changed]
    kinds = frozenset(kind for obj in (*changed, *(obj for obj, _ in (*found.were, *found.gone))) if (kind := _kind_of(obj)) is not None)
    is_judged = [is_changed or _may_depend(one.value, kinds) for one, is_changed in zip(given, found.is_changed, strict=False)]
    flags = iter(is_judged)
    reading.entries = [
        entry for entry in reading.entries if (comparer.has_changed(entry.source) if isinstance(entry, InputIssue) else next(flags))
    ]
    # The other objects aren't judged, so a baseline can't miss their findings.
    reading.names.clear()
    now = tuple((one.value, namespace_of(one.document.source)) for one in in_order([*around, *given]))
    is_changed = tuple(changed for changed, judged in zip(found.is_changed, is_judged, strict=False) if judged)
    others = tuple(one for one, judged in zip(given, is_judged, strict=True) if not judged)
    return Since(is_changed, found.is_changed[len(given) :], others, now, found.before, found.gone)


def _folder_of(paths: Sequence[str]) -> str:
    """The folder whose repository is used: that of the first path."""
    first = next((path for path in paths if path != STDIN), os.curdir)
    return first if os.path.isdir(first) else os.path.dirname(first) or os.curdir


def _only_new(results: Iterator[Result]) -> Iterator[Result]:
    """The results without findings that an unchanged object had before; mistakes of its ignores are left out too."""
    for result in results:
        if result.earlier is None:
            yield result
            continue
        new = [_hinted(one) for one in _new(result.findings, result.earlier) if one.finding.rule not in _OF_IGNORES]
        never_runs = result.never_runs and bool(new)
        yield replace(result, crd=None, earlier=None).with_findings(new, (), result.lines, never_runs=never_runs)


def _hinted(located: Located) -> Located:
    hint = f"{located.finding.hint} ({_SINCE})" if located.finding.hint else _SINCE
    return replace(located, finding=replace(located.finding, hint=hint))


def _new(now: Sequence[Located], then: Sequence[Located]) -> list[Located]:
    """The new findings. One with the same rule, field and severity isn't new, even if its text names other objects."""
    left = Counter(map(_key, then))
    found = []
    for located in now:
        finding = located.finding
        # An ignored finding has no severity.
        keys = [_key(located)] if not finding.exempted else [(finding.rule, finding.field, severity) for severity in Severity]
        same = next((key for key in keys if left[key]), None)
        if same is None:
            found.append(located)
        else:
            left[same] -= 1
    return found


def _key(located: Located) -> tuple[str, str, Severity]:
    return located.finding.rule, located.finding.field, located.finding.severity


def _kind_of(obj: JSONObject) -> _GroupKind | None:
    gvk = GroupVersionKind.from_object(obj)
    return (gvk.group, gvk.kind) if gvk is not None else None


def _alike(obj: JSONObject) -> Iterator[_GroupKind]:
    """The kind of an object, and the kinds that can replace it: a cluster-scoped object is used if the namespace has none."""
    gvk = GroupVersionKind.from_object(obj)
    if gvk is None:
        return
    yield gvk.group, gvk.kind
    family = family_of(gvk.group)
    for kind in family.kinds if family is not None else ():
        if kind.gvk.group == gvk.group and _stem(kind.gvk.kind) == _stem(gvk.kind):
            yield gvk.group, kind.gvk.kind


def _stem(kind: str) -> str:
    """The common name of a kind and its cluster-scoped form, such as AIMModel and AIMClusterModel."""
    return kind.replace("Cluster", "")


def _may_depend(obj: JSONObject, changed: frozenset[_GroupKind]) -> bool:
    """Whether the verdict on an object may depend on one of these kinds."""
    gvk = GroupVersionKind.from_object(obj)
    if gvk is None or not changed:
        return False
    family = family_of(gvk.group)
    needs = family.needs(gvk.kind) if family is not None else _OF_ANY
    # A part of a kind is named with the object: ConfigMap/NAME.
    return any((group, kind.partition("/")[0]) in changed for group, kind in needs)
