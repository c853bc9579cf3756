"""Rules about model sources: their registries and filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from weighbridge.policies.families.aim.native.words import at, of_new, of_old
from weighbridge.policies.families.aim.subject.images import REGISTRY
from weighbridge.policies.families.native import NativeRule, finds, flat, must, native, raw

_FILTERS: Final = "object.?spec.filters.orValue([])"
_NUMBERS: Final = r"[0-9]+[.][0-9]+"
_SIGN: Final = r"[<>=!](\s*=)?\s*"
_WORD: Final = rf"(({_SIGN})?{_NUMBERS}([.][0-9]+(-[0-9A-Za-z.-]+)?([+][0-9A-Za-z.-]+)?|[.][xX*])?|{_SIGN}[0-9]+[.][xX*])"
_CONSTRAINT: Final[dict[str, Any]] = {"words": raw(rf"^\s*({_WORD}(\s+|$))+$")}
_HAS_TAG: Final = "one.image.matches('@|:[^/]*$')"


def _unread(versions: str, place: str) -> str:
    """The constraints in an optional list that can't be read."""
    return (
        f"{versions}.orValue([]).transformList(at, constraint, "
        " constraint.trim() != '*' && !constraint.split('||').all(part, part.matches(variables.words)),"
        f" {place}versions[' + string(at) + ']: \"' + constraint + '\" can\\'t be read, so every version matches')"
    )


SOURCES: Final[Mapping[str, NativeRule]] = {
    "AIM-060": finds(
        _unread("object.?spec.versions", "'spec.") + " + variables.of_filters",
        **_CONSTRAINT,
        of_filters=flat(f"{_FILTERS}.transformList(i, one, " + _unread("one.?versions", "'spec.filters[' + string(i) + '].") + ")"),
    ),
    "AIM-061": finds(
        f"{_FILTERS}.transformList(i, one, one.image.trim() == '' || variables.has_upper[i] || one.image.matches('(?s)[*].*:'),"
        f" {at('filters', '.image')}' + (one.image.trim() == '' ? 'the image is empty, and matches nothing' : '\"' + one.image"
        " + '\" has ' + (variables.has_upper[i] ? 'upper case, which no repository has' : 'a tag after a wildcard, and matches nothing')))",
        has_upper=f"{_FILTERS}.map(one, one.image != one.image.lowerAscii() || one.image.matches('[\\\\p{{Lu}}\\\\p{{Lt}}]'))",
    ),
    "AIM-062": finds(
        f"{_FILTERS}.transformList(i, one,"
        " one.image.matches(':[^/]*$') && !one.image.contains('*') && one.?versions.orValue([]).size() > 0,"
        f" {at('filters', '.versions')}\"' + one.image + '\" has a tag: versions don\\'t count')"
    ),
    "AIM-063": native(
        must(
            "!(variables.written != '' && duration(variables.written) > duration('0s') && duration(variables.written) < duration('15m'))",
            ".spec.syncInterval",
            says="'it queries registries every ' + variables.written",
        ),
        written="object.?spec.syncInterval.orValue('')",
    ),
    "AIM-064": finds(
        "variables.filters.transformList(i, one, variables.filters.indexOf(one) < i,"
        f" {at('filters')}is the same as filters[' + string(variables.filters.indexOf(one)) + ']')",
        filters="dyn(object).?spec.filters.orValue([])",
    ),
    "AIM-065": native(
        must(
            f"variables.registry == '' || variables.registry.matches({raw(f'^({REGISTRY.pattern})$')})",
            ".spec.registry",
            says="'\"' + variables.registry + '\" isn\\'t the host of a registry'",
        ),
        registry="object.?spec.registry.orValue('')",
    ),
    "AIM-066": finds(
        f"{_FILTERS}.transformList(i, one, {_HAS_TAG} && !one.image.contains('*') && one.?exclude.orValue([]).size() > 0,"
        f" {at('filters', '.exclude')}has no effect, since image has a tag')",
        kinds=of_new("AIMClusterModelSource"),
    ),
    "AIM-067": finds(
        f"{_FILTERS}.transformList(i, one, one.image.matches('^[^/]*[.][^/]*/(?s:.*)[*]') && one.image.split('/')[0] != variables.asked,"
        f" {at('filters', '.image')}' + variables.asked + ' is queried, not ' + one.image.split('/')[0])",
        kinds=of_old("AIMClusterModelSource"),
        registry="object.?spec.registry.orValue('')",
        asked="variables.registry == '' ? 'docker.io' : variables.registry",
    ),
}
