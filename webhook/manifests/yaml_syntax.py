"""Errors of YAML's grammar or of kubectl's reading of it, with messages and places.

libyaml and kubectl's library, which was ported from an older libyaml, have the same messages; they count lines differently, and libyaml has
one more escape sequence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.manifests import errors
from weighbridge.webhook.manifests.errors import UnreadableError
from weighbridge.webhook.manifests.libyaml import CParser, yaml
from weighbridge.webhook.manifests.lines import place_in
from weighbridge.webhook.texts import yaml_scalars

_SLASH_ESCAPE: Final = expression(r"(?<!\\)(?:\\\\)*\\/")


def place_of(mark: Any) -> tuple[int, int]:
    """A libyaml mark as line and column from 1."""
    return mark.line + 1, mark.column + 1


def _kubectl_line(error: yaml.MarkedYAMLError) -> int:
    """The line that kubectl's library prints: counted from 0 except for the scanner's errors, and another mark's if that is 0."""
    problem, context = error.problem_mark, error.context_mark
    if problem is not None and problem.line:
        return problem.line + isinstance(error, yaml.scanner.ScannerError)
    return context.line if context is not None else 0


def invalid(error: yaml.YAMLError, data: bytes) -> UnreadableError:
    """libyaml's error about a chunk of text as ours, with the line that kubectl would print."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark: Any = error.problem_mark or error.context_mark
        if error.context_mark is not None and mark.line >= data.count(b"\n"):
            # A collection that is never closed is noticed only at the end of the text; its beginning is the place to show.
            mark = error.context_mark
        place = min(place_of(mark), place_in(data, len(data) - 1))
        found = data.decode()[mark.index : mark.index + 1]
        return UnreadableError(*errors.invalid_yaml(error.problem or "not parsable", _kubectl_line(error), found), place)
    # The reader stops at a character and knows only its offset.
    if isinstance(error, yaml.reader.ReaderError):
        return UnreadableError(*errors.invalid_yaml(error.reason, 0), place_in(data, error.position))
    return UnreadableError(*errors.invalid_yaml(str(error), 0), (1, 1))


def refuse_slash_escapes(data: bytes) -> None:
    r"""Raise UnreadableError at a quoted `\/`, which libyaml reads only since after kubectl's library was ported."""
    text = data.decode()
    for event in iter(CParser(data).get_event, None):
        if isinstance(event, yaml.DocumentEndEvent):
            return
        if getattr(event, "style", None) == '"':
            start: Any = event.start_mark
            end: Any = event.end_mark
            found = _SLASH_ESCAPE.search(text, start.index, end.index)
            if found is not None:
                line, column = place_in(text[: found.end() - 2].encode(), len(data))
                raise UnreadableError(*errors.unknown_escape(line if line > 1 else 0), (line, column))


def depth_refusal(data: bytes) -> UnreadableError:
    """Why a document that nests too deeply isn't read: because of its YAML, of other YAML errors in it, or of the resulting JSON."""
    open_flow = open_block = 0
    refused: UnreadableError | None = None
    try:
        for event in iter(CParser(data).get_event, None):
            if isinstance(event, yaml.CollectionStartEvent):
                is_flow = bool(event.flow_style)
                open_flow, open_block = open_flow + is_flow, open_block + (not is_flow)
                place = place_of(event.start_mark)
                if max(open_flow, open_block) > errors.MAX_DEPTH:
                    return UnreadableError(*errors.too_deep_yaml(place[0] if place[0] > 1 else 0), place)
                if refused is None and open_flow + open_block > errors.MAX_DEPTH:
                    sign = "{" if isinstance(event, yaml.MappingStartEvent) else "["
                    refused = UnreadableError(*errors.too_deep(sign), place)
            elif isinstance(event, yaml.CollectionEndEvent):
                # The collection that was opened last is closed, and flow can't contain block.
                open_flow, open_block = (open_flow - 1, open_block) if open_flow else (0, open_block - 1)
            elif isinstance(event, yaml.DocumentEndEvent):
                break
    except yaml.YAMLError as error:
        return invalid(error, data)
    return refused or UnreadableError(*errors.too_deep("["), (1, 1))


def find_lost(get_event: Callable[[], Any]) -> tuple[int, int] | None:
    """Where content after the end of the first document begins, if there is any."""
    try:
        event = get_event()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return place_of(mark) if mark is not None else (1, 1)
    return None if event is None or isinstance(event, yaml.StreamEndEvent) else place_of(event.start_mark)


def shown_value(get_event: Callable[[], Any]) -> str:
    """The value after an unusable key as kubectl prints it; of a collection only its kind."""
    try:
        event = get_event()
        if isinstance(event, yaml.ScalarEvent):
            return yaml_scalars.go_syntax(yaml_scalars.as_json(yaml_scalars.resolve(event.value, event.tag, plain=event.implicit[0])))
    except (yaml.YAMLError, yaml_scalars.ScalarError):
        return "..."
    return "[]interface {}{...}" if isinstance(event, yaml.SequenceStartEvent) else "map[interface {}]interface {}{...}"
