"""One YAML document as kubectl reads it: from libyaml's events to the JSON value.

The builder has its own stack, so depth doesn't use the interpreter's, and only the value is recorded: places are found later
(`yaml_outline`). `webhook/texts/yaml_scalars.py` has what kubectl does beyond YAML. A merge key takes effect at its place, so it also
replaces entries above it. Source: go.yaml.in/yaml/v2 v2.4.3 decode.go, measured against kubectl's own reader.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import intern
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONValue, Path, walk
from weighbridge.policies.ground.objects import field as field_text
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests import errors, yaml_syntax
from weighbridge.webhook.manifests.anchors import Anchored, Expansion
from weighbridge.webhook.manifests.duplicates import Duplicates
from weighbridge.webhook.manifests.errors import MAX_DEPTH, UnreadableError
from weighbridge.webhook.manifests.libyaml import CParser, yaml
from weighbridge.webhook.texts import yaml_scalars

#: Special keys of the builder; its key is None inside a list.
_NEXT: Final[Any] = object()  # a key must come now
_AS_KEY: Final[Any] = object()  # the value is itself a key

_MERGE_TAG: Final = "tag:yaml.org,2002:merge"


class TooDeepError(Exception):
    """The document nests deeper than is read; another look decides which of the server's two messages is right."""


@dataclass(frozen=True, slots=True)
class _Merge:
    """Replaces the merge key: the value that follows is merged into the map."""

    place: tuple[int, int]


@dataclass(slots=True)
class Reading:
    """The result of reading one document. Places are line and column from 1 within its text.

    `begins` is the start of its value if that is a map or a list, `lost` the place of content that kubectl ignores, `not_finite` a value
    that JSON doesn't have: such a document is refused.
    """

    value: JSONValue = None
    begins: tuple[int, int] | None = None
    duplicates: Duplicates[tuple[int, int]] | None = None
    overridden: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    lost: tuple[int, int] | None = None
    not_finite: tuple[Path, float] | None = None


def is_merge_key(event: yaml.ScalarEvent) -> bool:
    """Whether a scalar in key position is the merge key."""
    return event.value == "<<" and (event.implicit[0] or event.tag == _MERGE_TAG)


@dataclass(slots=True)
class _Frame:
    """A collection that is being read: its parent, its key there, its anchor and the number of nodes before it."""

    container: Any
    key: Any
    anchored: Anchored | None
    nodes_before: int


class _Builder:
    """Builds the value of one document; one use."""

    __slots__ = ("_anchors", "_container", "_expansion", "_key", "_merged", "_nodes", "_stack", "infinite", "reading")

    def __init__(self) -> None:
        self.reading = Reading()
        self.infinite = False
        self._container: Any = []
        self._key: Any = None
        # yaml.v2 counts the document as a node, too.
        self._nodes = 1
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Anchored] = {}
        self._expansion = Expansion()
        self._merged: dict[int, set[str]] = {}

    def build(self, get_event: Callable[[], Any]) -> None:
        """Read the events up to the end of the first document. Raises UnreadableError."""
        root = self._container
        ignore = self._ignore
        handlers = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._map_start,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceStartEvent: self._list_start,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.StreamStartEvent: ignore,
            yaml.StreamEndEvent: ignore,
            yaml.DocumentStartEvent: ignore,
        }
        event = None
        try:
            for event in iter(get_event, None):
                if event.__class__ is yaml.DocumentEndEvent:
                    break
                handlers[event.__class__](event)
        except UnreadableError as error:
            if event is not None and error.place is None:
                error.place = yaml_syntax.place_of(event.start_mark)
            if error.kubectl.endswith("value: "):
                error.kubectl += yaml_syntax.shown_value(get_event)
            raise
        self.reading.value = root[0] if root else None

    def _ignore(self, event: Any) -> None:
        """Ignore the starts of stream and document."""

    def _scalar(self, event: Any) -> None:
        self._nodes += 1
        text = event.value
        if self._key is _NEXT:
            self._take_key(event)
            return
        if event.tag is not None or event.anchor is not None:
            text = self._marked_scalar(event)
        elif event.implicit[0] and text[:1] in yaml_scalars.HINTS:
            text = yaml_scalars.plain_value(text)
            if text.__class__ is float and not math.isfinite(text):
                self.infinite = True
        if self._key is None:
            self._container.append(text)
        else:
            self._put(text)

    def _put(self, value: JSONValue) -> None:
        """Set the value of the current key, which may be the merge key."""
        if isinstance(self._key, _Merge):
            raise UnreadableError(*errors.wrong_merge())
        self._container[self._key] = value
        self._key = _NEXT

    def _take_key(self, event: Any) -> None:
        text = event.value
        if text == "<<" and is_merge_key(event):
            self._key = _Merge(yaml_syntax.place_of(event.start_mark))
            # yaml.v2 counts neither a merge key nor the list that follows it.
            self._nodes -= 1
            return
        if event.tag is not None or event.anchor is not None or (event.implicit[0] and text[:1] in yaml_scalars.HINTS):
            text = self._key_text(event)
        if text in self._container:
            self._note_duplicate(text, event)
        # A file of many documents has the same few keys again and again.
        self._key = intern(text)

    def _key_text(self, event: Any) -> str:
        try:
            if event.tag is None and event.anchor is None:
                return yaml_scalars.plain_key(event.value)
            resolved = self._resolve(event)
            return yaml_scalars.as_key(resolved)
        except yaml_scalars.ScalarError as error:
            raise UnreadableError(*errors.unusable_key(str(error))) from None

    def _resolve(self, event: Any) -> JSONValue:
        """A tagged or anchored scalar before its conversion to JSON; remembered if anchored."""
        try:
            resolved = yaml_scalars.resolve(event.value, event.tag, plain=event.implicit[0])
        except yaml_scalars.ScalarError as error:
            raise UnreadableError(*errors.invalid_scalar(str(error))) from None
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchored(yaml_scalars.as_json(resolved), resolved, nodes=1)
        return resolved

    def _marked_scalar(self, event: Any) -> JSONValue:
        value = yaml_scalars.as_json(self._resolve(event))
        if isinstance(value, float) and not math.isfinite(value):
            self.infinite = True
        return value

    def _map_start(self, event: Any) -> None:
        self._start({}, _NEXT, event)

    def _list_start(self, event: Any) -> None:
        self._start([], None, event)

    def _start(self, value: JSONValue, first_key: Any, event: Any) -> None:
        key = self._key
        anchored = None
        if not self._stack:
            self.reading.begins = yaml_syntax.place_of(event.start_mark)
        if event.anchor is not None:
            anchored = self._anchors[event.anchor] = Anchored(value, value)
        if key is None:
            self._container.append(value)
        elif key is _NEXT:
            key = _AS_KEY
        elif key.__class__ is not _Merge:
            self._container[key] = value
        uncounted = 1 if key.__class__ is _Merge and first_key is not _NEXT else 0
        # An alias of this list is counted with the list itself.
        self._stack.append(_Frame(self._container, key, anchored, self._nodes + self._expansion.extra - uncounted))
        if len(self._stack) > MAX_DEPTH:
            raise TooDeepError
        self._nodes += 1 - uncounted
        self._container, self._key = value, first_key

    def _end(self, event: Any) -> None:
        value, frame = self._container, self._stack.pop()
        self._container, key = frame.container, frame.key
        if frame.anchored is not None:
            frame.anchored.nodes = self._nodes + self._expansion.extra - frame.nodes_before
        if self._merged:
            self._merged.pop(id(value), None)
        if key is None:
            self._key = None
            return
        if key.__class__ is _Merge:
            self._merge(value, key.place)
        elif key is _AS_KEY:
            raise UnreadableError(*errors.collection_key(yaml_scalars.go_syntax(value)))
        self._key = _NEXT

    def _alias(self, event: Any) -> None:
        self._nodes += 1
        anchored = self._anchors.get(event.anchor)
        if anchored is None:
            raise UnreadableError(*errors.unknown_anchor(event.anchor))
        if not anchored.nodes:
            raise UnreadableError(*errors.recursive_anchor(event.anchor))
        value = self._expansion.expand(anchored, nodes=self._nodes, depth=len(self._stack))
        if self._key is None:
            self._container.append(value)
        elif isinstance(self._key, _Merge):
            if not isinstance(value, dict):
                raise UnreadableError(*errors.wrong_merge())
            self._merge(value, self._key.place)
            self._key = _NEXT
        elif self._key is _NEXT:
            self._take_alias_as_key(anchored, event)
        else:
            self._put(value)

    def _take_alias_as_key(self, anchored: Anchored, event: Any) -> None:
        if isinstance(anchored.resolved, (dict, list)):
            raise UnreadableError(*errors.collection_key(yaml_scalars.go_syntax(anchored.value)))
        try:
            key = yaml_scalars.as_key(anchored.resolved)
        except yaml_scalars.ScalarError as error:
            raise UnreadableError(*errors.unusable_key(str(error))) from None
        if key in self._container:
            self._note_duplicate(key, event)
        self._key = key

    def _merge(self, value: JSONValue, place: tuple[int, int]) -> None:
        """Merge a map, or a list of maps of which the first has precedence, into the current map, which may have explicit keys."""
        maps = value if isinstance(value, list) else [value]
        if not all(isinstance(item, dict) for item in maps):
            raise UnreadableError(*errors.wrong_merge())
        merged = self._merged.setdefault(id(self._container), set())
        for item in reversed(maps):
            for key, member in item.items():
                if key in self._container and key not in merged:
                    self.reading.overridden.append((field_text(self._path(key)), place))
                self._container[key] = member
                merged.add(key)

    def _note_duplicate(self, key: str, event: Any) -> None:
        """Remember a key that the map already has, unless it only came from a merge."""
        merged = self._merged.get(id(self._container))
        if merged is not None and key in merged:
            merged.discard(key)
        else:
            if self.reading.duplicates is None:
                self.reading.duplicates = Duplicates()
            self.reading.duplicates.note(self._path(key), yaml_syntax.place_of(event.start_mark))

    def _path(self, key: str) -> Path:
        # The outermost frame's container is a list with the root.
        steps = [len(frame.container) - 1 if frame.key is None else frame.key for frame in self._stack[1:]]
        return (*(step if isinstance(step, (int, str)) else "<<" for step in steps), key)


def _not_finite(value: JSONValue) -> tuple[Path, float] | None:
    """An infinity or NaN that no later key has replaced, with its path."""
    for path, member in walk(value):
        if isinstance(member, float) and not math.isfinite(member):
            return path, member
    return None


def _counted(get_event: Callable[[], Any], most: int) -> Callable[[], Any]:
    """The events of a text. Raises UnreadableError for more than `most` values, and for aliases."""
    left = most

    def get() -> Any:
        nonlocal left
        event = get_event()
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableError(*errors.alias_not_taken(event.anchor or ""), place=yaml_syntax.place_of(event.start_mark))
        if isinstance(event, yaml.NodeEvent):
            left -= 1
            if left < 0:
                raise UnreadableError(*errors.too_many_nodes(most), place=yaml_syntax.place_of(event.start_mark))
        return event

    return get


def read_yaml(data: bytes, most: int | None = None) -> Reading:
    """Read the first YAML document of a chunk of UTF-8 text; if `most` is given, it may have at most that many values, and no aliases.

    Raises UnreadableError with the place within the chunk.
    """
    builder = _Builder()
    get_event = CParser(data).get_event
    if most is not None:
        get_event = _counted(get_event, most)
    try:
        builder.build(get_event)
    except yaml.YAMLError as error:
        raise yaml_syntax.invalid(error, data) from None
    except TooDeepError:
        raise yaml_syntax.depth_refusal(data) from None
    if b"\\/" in data:
        yaml_syntax.refuse_slash_escapes(data)
    reading = builder.reading
    reading.lost = yaml_syntax.find_lost(get_event)
    if builder.infinite:
        reading.not_finite = _not_finite(reading.value)
    return reading
