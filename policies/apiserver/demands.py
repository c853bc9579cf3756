"""Demands of a shipped CRD that the installed CRD lacks, so that the API server doesn't check them, and those that an object fails.

The words and the order are the API server's, and so is what an update may keep. An error that the stored object has already, word for
word, only gives a warning, since no server has refused it before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import Release, ResourceDefinition
from weighbridge.policies.apiserver.validation import RULES_NOT_CHECKED, validate_demands
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema.go_values import deep_copy

if TYPE_CHECKING:
    from weighbridge.policies.apiserver.comparison import Comparison, Loss

_STATUS: Final = "status"
#: The most checks and fields of a CRD that reports list, and the most fields that a sentence about it names.
_MOST_LISTED, _MOST_NAMED = 20, 3


@dataclass(frozen=True, slots=True)
class Unmet:
    """The demands that an object doesn't meet: `errors` refuse it, and `warnings` are reported. With `is_partial` the rules weren't run."""

    errors: list[FieldError]
    warnings: list[str]
    is_partial: bool = False


class Demands:
    """What the webhook checks of the objects of one kind.

    `release` is the release whose checks these are, empty if only one is known. `losses` are the checks that the installed CRD lacks;
    `None` if no CRD is known to be installed, and then everything is checked. `unknown_fields` are the fields that the installed CRD
    doesn't know. `read` returns the release's definition when an object is checked.
    """

    def __init__(self, release: str, read: Callable[[], ResourceDefinition], comparison: Comparison | None) -> None:
        self.release = release
        self._read_definition = read
        self._comparison = comparison

    @property
    def losses(self) -> Sequence[Loss] | None:
        """The checks that the installed CRD lacks, or `None` if none is known to be installed."""
        return None if self._comparison is None else self._comparison.losses

    @property
    def unknown_fields(self) -> Sequence[str]:
        """The fields that the installed CRD doesn't know, which the server drops."""
        return () if self._comparison is None else self._comparison.unknown_fields

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to check."""
        return self._comparison is not None and not self._comparison.losses

    @property
    def hint(self) -> str:
        """What to do about unmet demands."""
        return "" if self._comparison is None else wordings.lacking_check(self.release)

    def as_json(self) -> JSONObject:
        """The checks that the installed CRD lacks, as reports hold them: their number, and the first of them."""
        losses = self.losses or ()
        return {
            "kind": self._read_definition().gvk.kind,
            "release": self.release,
            "count": len(losses),
            "lacks": [loss.as_json() for loss in losses[:_MOST_LISTED]],
            "unknownFields": list(self.unknown_fields[:_MOST_LISTED]),
        }

    @cached_property
    def _checked(self) -> ResourceDefinition:
        definition = self._read_definition()
        return definition if self._comparison is None else definition.with_schema(self._comparison.schema)

    def unmet(self, obj: JSONObject, old: JSONObject | None) -> Unmet:
        """The demands that `obj` doesn't meet when it is created or replaces `old`. Neither is changed."""
        new, before = self._read(obj), None if old is None else self._read(old)
        outcome = validate_demands(new, before, self._checked)
        warnings = list(outcome.warnings)
        errors = outcome.errors
        if errors and before is not None:
            known = set(map(str, validate_demands(before, None, self._checked).errors))
            warnings += [str(error) for error in errors if error != RULES_NOT_CHECKED and str(error) in known]
            errors = [error for error in errors if error == RULES_NOT_CHECKED or str(error) not in known]
        is_partial = RULES_NOT_CHECKED in errors
        return Unmet([] if errors == [RULES_NOT_CHECKED] else errors, warnings, is_partial)

    def _read(self, obj: JSONObject) -> JSONObject:
        """A copy as a server with the whole CRD would read it: with defaults, and without the nulls that it drops."""
        found: JSONObject = deep_copy(obj)
        self._checked.schema.drop_nulls(found)
        self._checked.schema.default(found)
        return found


def told_losses(crd: JSONObject) -> str:
    """One sentence about what an installed CRD lacks, from the form of `Demands.as_json`."""
    places: dict[str, list[str]] = {}
    for loss in crd["lacks"]:
        places.setdefault(loss["field"] or wordings.THE_OBJECT, []).append(loss["keyword"])
    named = [f"{field} ({', '.join(dict.fromkeys(keywords))})" for field, keywords in places.items()]
    are_all = len(named) <= _MOST_NAMED and crd["count"] <= _MOST_LISTED
    return wordings.lacking_checks(crd["kind"], crd["count"], crd["release"], named[:_MOST_NAMED], are_all=are_all)


def lost_demands(
    installed: ResourceDefinition,
    releases: Sequence[Release],
    version: str,
    *,
    is_proven: bool = True,
    schema_of: Callable[[Release], JSONObject] = Release.schema,
) -> Demands:
    """The checks of a release that an installed CRD lacks. For a system between two releases: of the checks that both have.

    `version` is the system's, empty if it isn't known; with `is_proven` it is known from more than the installed CRDs. Each CRD is compared
    only once.
    """

    def compared() -> Demands:
        from weighbridge.policies.apiserver.comparison import common, compare

        wanted = [schema_of(release) for release in releases]
        schema = wanted[0] if len(wanted) == 1 else common(wanted[0], wanted[-1])
        is_known = is_proven and version != "" and (len(wanted) > 1 or version == releases[0].version)
        found = compare(schema, installed.openapi_schema, wanted[-1], is_known_release=is_known)
        if installed.status_subresource:
            found = _but_for_the_status(found)
        return Demands(_name(releases, version), releases[-1].read, found)

    return installed.once((lost_demands, version, is_proven, *(release.version for release in releases)), compared)


def lacks_nothing(installed: ResourceDefinition, known: Sequence[Release]) -> bool:
    """Whether an installed CRD lacks no check of any release. That is usual, and then the release doesn't matter."""

    def compared() -> bool:
        read = Memory()

        def schema_of(release: Release) -> JSONObject:
            return read.once(release.version, release.schema)

        possible = [*((release,) for release in known), *pairwise(known)]
        return all(lost_demands(installed, releases, releases[0].version, schema_of=schema_of).is_empty for releases in possible)

    return installed.once(lacks_nothing, compared)


def _but_for_the_status(found: Comparison) -> Comparison:
    """The comparison without the status, which no request that is checked here can change."""
    losses = tuple(loss for loss in found.losses if loss.field.partition(".")[0] != _STATUS)
    unknown = tuple(field for field in found.unknown_fields if field.partition(".")[0] != _STATUS)
    return replace(found, losses=losses, unknown_fields=unknown)


@lru_cache(maxsize=256)
def whole_demands(releases: tuple[Release, ...], version: str) -> Demands:
    """All checks of a release. For a system between two releases: the checks that both have. `version` is the system's."""

    def both() -> ResourceDefinition:
        from weighbridge.policies.apiserver.comparison import common

        first, last = (release.read() for release in releases)
        return last.with_schema(common(first.openapi_schema, last.openapi_schema))

    return Demands(_name(releases, version), releases[0].read if len(releases) == 1 else both, None)


def _name(releases: Sequence[Release], version: str) -> str:
    """The name of the release: for a system between two releases its own version."""
    return releases[0].version if len(releases) == 1 else version
