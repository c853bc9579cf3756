"""Variables that Flux replaces in manifests after it has built them (`postBuild`), such as `${REPLICAS:=3}`.

Flux substitutes in the text of each object and reads it again, so `${REPLICAS:=3}` becomes a number, quoted or not. A variable with a value
in the tree gets it, one with a default gets the default. The others are unknown, so findings about their fields aren't certain.
Source: fluxcd/pkg kustomize/kustomize_varsub.go and drone/envsubst, as of Flux 2.6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Decision, Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.manifests import documents

_VARIABLE: Final = expression(r"(\$?)\$\{([A-Za-z_]\w*)(?:(:?[=-])([^{}]*))?\}")
#: Expressions that Flux can't read or replaces in another way: functions on values.
_ANY: Final = expression(r"\$\{[^{}]*\}")
_WHOLE: Final = expression(r"\$\{[^{}\s]+\}")
_PLAIN: Final = expression(r"[^\s'\"#\[\]&*!|>%@`,?-][^\s#]*")
_ANNOTATION: Final = "kustomize.toolkit.fluxcd.io/substitute"


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A field whose value isn't known before Flux replaces its variable; `sources` are the objects that may have it."""

    path: Path
    text: str
    sources: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Substituted:
    """An object with known variables replaced, and the fields that aren't known."""

    value: JSONObject
    unknown: Sequence[Placeholder]


def substituted(value: JSONObject, variables: Mapping[str, str] | None, sources: Sequence[str]) -> Substituted:
    """Replace known variables; `sources` are objects with unknown variables.

    Without `variables`, if no Kustomization of Flux is known to apply the object, only values that are a single variable count: in other
    texts these signs may belong to a shell.
    """
    annotations = part(value, "metadata", "annotations")
    labels = text_map(value, "metadata", "labels")
    if "disabled" in {annotations.get(_ANNOTATION), labels.get(_ANNOTATION)}:
        return Substituted(value, ())
    unknown: list[Placeholder] = []
    made = _walked(value, (), variables, unknown)
    return Substituted(made, [replace(one, sources=sources) for one in unknown]) if isinstance(made, dict) else Substituted(value, ())


def _walked(value: JSONValue, path: Path, variables: Mapping[str, str] | None, unknown: list[Placeholder]) -> JSONValue:
    if isinstance(value, dict):
        return {key: _walked(one, (*path, key), variables, unknown) for key, one in value.items()}
    if isinstance(value, list):
        return [_walked(one, (*path, index), variables, unknown) for index, one in enumerate(value)]
    if not isinstance(value, str) or "${" not in value or (variables is None and not _WHOLE.fullmatch(value)):
        return value
    given = variables or {}
    made = _VARIABLE.sub(lambda match: _put_in(match, given), value)
    if _ANY.search(_VARIABLE.sub(lambda match: match[0] if _put_in(match, given) == match[0] else "", value)):
        unknown.append(Placeholder(path, value))
        return made
    return _read_again(made) if made != value and _PLAIN.fullmatch(value) else made


def _put_in(match: re.Match[str], variables: Mapping[str, str]) -> str:
    escape, name, operator, default = match.groups()
    if escape:
        return match[0][1:]
    found = variables.get(name)
    if found is None or (not found and (operator or "").startswith(":")):
        return default if operator else match[0]
    return found


def _read_again(text: str) -> JSONValue:
    """The value of a text as YAML reads it without quotes."""
    for document in documents("", f"v: {text}\n".encode()):
        value = document.value
        if isinstance(value, dict) and not isinstance(value["v"], (dict, list)):
            return value["v"]
    return text


def _without(value: JSONObject, unknown: Sequence[Placeholder]) -> JSONObject:
    """The object without the fields that aren't known."""
    made = _left(value, (), {one.path for one in unknown})
    return made if isinstance(made, dict) else value


def _left(value: JSONValue, path: Path, gone: set[Path]) -> JSONValue:
    if isinstance(value, dict):
        return {key: _left(one, (*path, key), gone) for key, one in value.items() if (*path, key) not in gone}
    if isinstance(value, list):
        return [_left(one, (*path, index), gone) for index, one in enumerate(value)]
    return value


def as_far_as_known(
    decision: Decision, unknown: Sequence[Placeholder], value: JSONObject, decided: Callable[[JSONObject], Decision]
) -> Decision:
    """The verdict without what depends on unknown fields. `decided` judges an object."""
    if any(_is_about(finding, one) for finding in decision.findings for one in unknown):
        # A text instead of a number may have kept other rules from running.
        decision = decided(_without(value, unknown))
    findings = [finding for finding in decision.findings if not any(_is_about(finding, one) for one in unknown)]
    refuses = any(finding.severity is Severity.ERROR for finding in findings)
    return replace(
        decision,
        findings=findings,
        allowed=decision.allowed or not refuses,
        unchecked=[*decision.unchecked, *_unchecked(unknown)],
        never_runs=decision.never_runs and refuses,
    )


def _is_about(finding: Finding, placeholder: Placeholder) -> bool:
    shorter = min(len(finding.path), len(placeholder.path))
    is_on_the_way = bool(finding.path) and finding.path[:shorter] == placeholder.path[:shorter]
    return is_on_the_way or any(match[0] in finding.message for match in _ANY.finditer(placeholder.text))


def _unchecked(unknown: Sequence[Placeholder]) -> Iterator[Unchecked]:
    """The texts about fields that aren't known."""
    for one in unknown:
        names = ", ".join(dict.fromkeys(match[0] for match in _ANY.finditer(one.text)))
        where = f"; {', '.join(one.sources)} may have it" if one.sources else ""
        yield Unchecked(field(one.path), f"its value isn't known here: Flux puts in {names}{where}")
