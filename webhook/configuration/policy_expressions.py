"""Finds the mistakes of a configuration's policies: ids, kinds, and the types of expressions, each at its place in the text.

Every expression is compiled for each kind that the policy matches, by the shipped CRDs, so that a missing field is found before anything
runs. The module is imported only if there are policies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config.policies import Policies, Policy, form_mistakes
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind, Path, field
from weighbridge.policies.ground.spelling import closest
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy
from weighbridge.policies.user_policies.compiler import Fault
from weighbridge.webhook.configuration.mistake import Mistake, mistake_at
from weighbridge.webhook.manifests import Document

_POLICIES = "policies"


def policy_mistakes(
    document: Document, policies: Policies, definitions: Definitions, is_authors: Callable[[Path], bool]
) -> Iterator[Mistake]:
    """All mistakes of the policies of a document at paths that the author wrote."""
    troubles = form_mistakes(policies.entries, (_POLICIES,))
    yield from (mistake_at(document, path, text) for path, text in troubles if is_authors(path))
    known = judged_kinds()
    for index, policy in enumerate(policies):
        where: Path = (_POLICIES, index)
        yield from (mistake_at(document, path, text) for path, text in _unknown_kinds(policy, known, where) if is_authors(path))
        kinds = [gvk for gvk in known if policy.match.means_kind(gvk)]
        yield from _faults(document, policy, where, kinds, definitions, is_authors)


def judged_kinds() -> Sequence[GroupVersionKind]:
    """The kinds that policies can match: those that the webhook judges."""
    return [kind.gvk for family in families() for kind in family.kinds]


def _unknown_kinds(policy: Policy, known: Sequence[GroupVersionKind], where: Path) -> Iterator[tuple[Path, str]]:
    names = {spelling for gvk in known for spelling in (gvk.kind, f"{gvk.kind}.{gvk.group}")}
    for place, kind in enumerate(policy.match.kinds):
        if kind not in names:
            near = closest(kind, names)
            would_do = f"did you mean {near}?" if near else "docs/families has the kinds that policies can be about"
            yield (*where, "match", "kinds", place), f"{kind[:64]!r} isn't a kind that Weighbridge judges; {would_do}"


def _faults(
    document: Document,
    policy: Policy,
    where: Path,
    kinds: Sequence[GroupVersionKind],
    definitions: Definitions,
    is_authors: Callable[[Path], bool],
) -> Iterator[Mistake]:
    """The faults of expressions; a fault for only some of the kinds names these."""
    found: dict[tuple[Path, Fault], list[str]] = {}
    asked = 0
    for gvk in kinds:
        definition = definitions.get(gvk)
        if definition is None:
            continue
        asked += 1
        for path, fault in CompiledPolicy(policy, definition.openapi_schema, definitions).faults:
            found.setdefault((path, fault), []).append(gvk.kind)
    for (path, fault), of_kinds in found.items():
        if not is_authors((*where, *path)):
            continue
        names = list(dict.fromkeys(of_kinds))
        few = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        text = fault.message if len(of_kinds) == asked else f"{fault.message} (for {few})"
        line, column = place_in(document, (*where, *path), fault)
        yield Mistake(document.source, line, column, field((*where, *path)), text)


def place_in(document: Document, path: Path, fault: Fault) -> tuple[int, int]:
    """The line and column in the file of a place in the text at a path; those of the text itself if it is written in another way."""
    start = document.position(path)
    text = _text_at(document, path)
    if not fault.line or not text:
        return start.line, start.column
    lines = text.split("\n")
    wanted = lines[fault.line - 1] if fault.line <= len(lines) else ""
    raw = document.text_lines
    at = raw[start.line - 1].find(wanted, start.column - 1) if wanted else -1
    if at >= 0:
        return start.line, at + fault.column
    return _place_in_block(raw, start.line, text, sum(len(line) + 1 for line in lines[: fault.line - 1]) + fault.column - 1) or (
        start.line,
        start.column,
    )


def _place_in_block(raw: Sequence[str], first: int, text: str, offset: int) -> tuple[int, int] | None:
    """The place of a character of a text that is written in several lines, whose breaks may be spaces in the text."""
    seen = 0
    for number in range(first, len(raw)):
        line = raw[number].strip()
        at = text.find(line, seen)
        if not line or at < 0:
            continue
        if at <= offset <= at + len(line):
            return number + 1, len(raw[number]) - len(raw[number].lstrip()) + offset - at + 1
        seen = at + len(line)
        if seen > offset:
            return None
    return None


def _text_at(document: Document, path: Path) -> str:
    value = document.value
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return ""
    return value if isinstance(value, str) else ""
