"""The text of a file with all its objects migrated, and the remarks on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.families.migration import Migration, Remark, Told, changed, migration_of
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, name_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.schema.go_values import deep_copy, deep_equal
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.manifests.documents import Document, InputIssue, IssueKind
from weighbridge.webhook.manifests.files import Source
from weighbridge.webhook.manifests.flatten import Manifest, Standing, manifests, standing
from weighbridge.webhook.manifests.lines import line_starts
from weighbridge.webhook.manifests.stream import documents
from weighbridge.webhook.migration.diff import Lines, changed_lines
from weighbridge.webhook.migration.editor import Editor, Piece, UneditableError, exchanged, json_lines, needed
from weighbridge.webhook.migration.forms import Form, plain
from weighbridge.webhook.migration.identities import Identity, identities, identity, name_apart
from weighbridge.webhook.migration.remains import lost_kind, remains
from weighbridge.webhook.migration.templates import old_objects
from weighbridge.webhook.texts.yaml_text import yaml_text

_BY_HAND = "its text can't be changed in place (an alias, a merge or some rare form); migrate this document by hand"

_TEMPLATE = "it is a template of Helm; change it by hand, or migrate what it renders to"


@dataclass(frozen=True, slots=True)
class Placed:
    """A remark and its place in the text that was given."""

    line: int
    column: int
    kind: str
    name: str
    remark: Remark


@dataclass(slots=True)
class Migrated:
    """One file: its text before and after, the remarks, and what couldn't be read; `objects` counts those that change.

    `changed_lines` are the ranges of lines in which the two texts differ.
    """

    source: str
    before: str
    after: str = ""
    objects: int = 0
    told: list[Placed] = field(default_factory=list)
    issues: list[InputIssue] = field(default_factory=list)
    changed_lines: list[Lines] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Plan:
    """The plan for one document: the changes of its objects, its result, and the pieces of text for that.

    Objects that are added to a list are put at its end, by its path; others become separate documents.
    """

    document: Document
    found: list[tuple[Manifest, Migration]]
    wanted: JSONValue
    pieces: list[Piece] = field(default_factory=list)
    behind: list[JSONObject] = field(default_factory=list)
    within: dict[Path, list[JSONObject]] = field(default_factory=dict)


def migrated(source: Source, config: Configuration = DEFAULT) -> Migrated:
    """Migrate the objects of one file. A document that can't be changed in place isn't changed, with a remark."""
    data, form = plain(source.data)
    read = list(documents(source.name, data))
    if not read:
        return Migrated(source.name, "")
    text = read[0].text.text
    result = Migrated(source.name, form.written(text), form.written(text))
    there = frozenset(identities(read))
    definitions = bundled_definitions(config)
    plans = [_plan(document, result, there, config, definitions) for document in read]
    wanted = [plan for plan in plans if plan is not None]
    taken, starts = set(there), [*line_starts(text), len(text)]
    for plan in wanted:
        for obj in (*plan.behind, *(one for objects in plan.within.values() for one in objects)):
            name_apart(obj, taken)
    able = [plan for plan in wanted if not form.obstacle and _edit(plan, text, starts)]
    after = _written(text, read, able, form)
    if after is None:
        able = _fitting(text, read, able, form)
        after = _written(text, read, able, form)
    able = able if after is not None else []
    if after is not None:
        result.after, result.changed_lines = form.written(after[0]), changed_lines(text, after[1])
    for plan in wanted:
        _tell(plan, "" if plan in able else form.obstacle or _BY_HAND, result)
    result.objects = sum(bool(migration.changes) for plan in able for _, migration in plan.found)
    return result


def _plan(
    document: Document, result: Migrated, there: AbstractSet[Identity], config: Configuration, definitions: Definitions
) -> _Plan | None:
    what = standing(document)
    if what is Standing.TEMPLATE:
        result.told.extend(
            Placed(line, 1, str(obj["kind"]), _name(obj, document), Remark(Told.LEFT, (), _TEMPLATE))
            for line, obj in old_objects(document, config)
        )
    if what is Standing.UNREADABLE:
        result.issues.extend(issue for issue in document.issues if issue.kind is IssueKind.ERROR)
    if what is not Standing.MANIFEST:
        return None
    plan = _Plan(document, [], deep_copy(document.value))
    for entry in manifests(document):
        if isinstance(entry, InputIssue):
            result.issues.append(entry)
            continue
        migration = migration_of(entry.value, config)
        if not (migration.changes or migration.remarks) and (reason := lost_kind(entry.value, definitions)):
            migration.leave(("kind",), reason)
        if migration.changes or migration.remarks:
            value = _take_up(plan, entry, migration, there)
            for path, reason in remains(value, definitions, config) if plan.found[-1][1].changes else ():
                plan.found[-1][1].leave(path, reason)
    return plan if plan.found else None


def _take_up(plan: _Plan, manifest: Manifest, migration: Migration, there: AbstractSet[Identity]) -> JSONObject:
    """Add the migrated object to the plan of its document, and return it."""
    value: JSONObject = changed(manifest.value, migration.changes)
    one = identity(value)
    if one is not None and one in there and one != identity(manifest.value):
        migration = Migration()
        migration.leave(("metadata", "name"), f"{one[1]} {one[3]} of {one[0]} is in the file already; remove one of the two")
        value = manifest.value
    plan.found.append((manifest, migration))
    plan.wanted = _replaced(plan.wanted, manifest.prefix, value)
    for obj in migration.beside:
        if manifest.prefix:
            plan.within.setdefault(manifest.prefix[:-1], []).append(obj)
        else:
            plan.behind.append(obj)
    return value


def _name(obj: JSONObject, template: Document) -> str:
    """The name of a template's object, unless an action makes it."""
    name = name_of(obj)
    return name if template.contains(f"name: {name}".encode()) else ""


def _replaced(root: JSONValue, path: Path, value: JSONValue) -> JSONValue:
    if not path:
        return value
    parent = root
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return root


def _edit(plan: _Plan, text: str, starts: Sequence[int]) -> bool:
    """Add the pieces of a document's changes. Returns whether there are pieces for all of them."""
    changes = [(change, manifest.prefix) for manifest, migration in plan.found for change in migration.changes]
    editor = Editor(text, starts, plan.document.outline(), changes)
    try:
        for change, prefix in changes:
            plan.pieces.extend(editor.pieces(change, prefix))
        for path, objects in plan.within.items():
            plan.pieces.extend(editor.appended(path, objects))
            lookup(plan.wanted, path).extend(objects)
    except UneditableError:
        return False
    return True


def _fitting(text: str, read: Sequence[Document], plans: list[_Plan], form: Form) -> list[_Plan]:
    """The documents that give the right result, of some that don't together; found by bisection."""
    if len(plans) <= 1:
        return []
    parts = plans[: len(plans) // 2], plans[len(plans) // 2 :]
    return [plan for part in parts for plan in (part if _written(text, read, part, form) is not None else _fitting(text, read, part, form))]


def _written(text: str, read: Sequence[Document], plans: Sequence[_Plan], form: Form) -> tuple[str, list[Piece]] | None:
    """The text with these documents changed, and the changed pieces.

    `None` if reading it again, in its form, doesn't give the wanted objects.
    """
    is_json = _is_json(text)
    by_index = {plan.document.index: plan for plan in plans}
    pieces, wanted, at_end = [], [], ""
    for document, end in zip(read, _ends(read), strict=True):
        plan = by_index.get(document.index)
        wanted.append(plan.wanted if plan else document.value)
        if plan is None:
            continue
        pieces += plan.pieces
        if is_json:
            at_end += "".join(f"{json_lines(obj, text)}\n" for obj in plan.behind)
        elif plan.behind:
            wanted += plan.behind
            pieces.append(_insertion(text, end, "".join(f"---\n{yaml_text(obj)}" for obj in plan.behind)))
    if at_end:
        wanted += [obj for plan in plans for obj in plan.behind]
        pieces.append(_insertion(text, len(text), at_end))
    try:
        pieces = needed(text, pieces)
    except UneditableError:
        return None
    after = exchanged(text, pieces)
    # Python's own comparison fails on values that nest deeper than its stack.
    found = [document.value for document in documents("", form.written(after).encode())]
    return (after, pieces) if deep_equal(found, wanted) else None


def _insertion(text: str, at: int, lines: str) -> Piece:
    return Piece(at, at, lines if text.endswith("\n", 0, at) else f"\n{lines}")


def _ends(read: Sequence[Document]) -> Iterator[int]:
    """Where each document ends, in characters."""
    done = characters = 0
    for document in read:
        characters += len(document.text.data[done : document.stretch[1]].decode())
        done = document.stretch[1]
        yield characters


def _is_json(text: str) -> bool:
    """Whether a text begins as JSON, and not as a YAML map in braces."""
    try:
        json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return text.lstrip().startswith("{")


def _tell(plan: _Plan, obstacle: str, result: Migrated) -> None:
    """Add the remarks; for a document that isn't changed only that it isn't, and why."""
    for manifest, migration in plan.found:
        remarks = migration.remarks
        if migration.changes and obstacle:
            remarks = [Remark(Told.LEFT, (), obstacle)]
        for remark in remarks:
            place = plan.document.position((*manifest.prefix, *remark.path))
            kind, metadata = str(manifest.value.get("kind")), manifest.value.get("metadata")
            name = metadata.get("name") if isinstance(metadata, dict) else ""
            result.told.append(Placed(place.line, place.column, kind, str(name or ""), remark))
