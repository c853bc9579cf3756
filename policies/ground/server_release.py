"""The releases of Kubernetes, and what differs between them, each difference by its name.

A release is in force while a request is judged (`judging`), and code that depends on it asks for a difference by name:
``release().enforces_number_formats``. So no version is compared anywhere else. A difference is a fact about one place of the server's
source; what that place does is in the module that asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, TypeAlias, overload

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

Minor: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Since:
    """A difference: true from `version` on. `what` says what the server does from then on; `source` is where its source says so."""

    version: Minor
    what: str
    source: str

    @overload
    def __get__(self, release: None, owner: type) -> Since: ...

    @overload
    def __get__(self, release: ServerRelease, owner: type) -> bool: ...

    def __get__(self, release: ServerRelease | None, owner: type) -> Since | bool:
        return self if release is None else release.version >= self.version


class ServerRelease:
    """One minor release of Kubernetes, by its `version` such as ``(1, 36)``, and what differs in it."""

    system: Final = "Kubernetes"

    enforces_number_formats = Since(
        (1, 36),
        "the formats int32, int64, float and double are checked on numbers, and named in errors of type",
        "apiextensions-apiserver/pkg/apiserver/validation/formats.go, stripUnsupportedFormatsPostProcess",
    )

    shows_values_of_rules = Since(
        (1, 35),
        "the error of a rule has the value, or none of a list or an object, instead of the type",
        "apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, validateExpressions",
    )
    keeps_many_selectable_fields = Since(
        (1, 35),
        "an update may keep the selectable fields of a CRD that has more than a new CRD may have",
        "apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, findTooManySelectableFieldsAllowed",
    )
    warns_of_number_formats = Since(
        (1, 36),
        "the server warns of a CRD with unknown formats, whatever the type; before, it warned only of those of strings",
        "apiextensions-apiserver/pkg/apiserver/validation/formats.go, GetUnrecognizedFormats",
    )
    warns_of_sets = Since(
        (1, 37),
        "the server warns of a CRD with sets whose items are objects or lists",
        "apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, getNonScalarListTypeSetWarnings",
    )
    bounds_names = Since(
        (1, 37),
        "the cost of a rule is estimated with the longest name that an object may have",
        "apiextensions-apiserver/pkg/apiserver/schema/cel/model/schemas.go, WithTypeAndObjectMeta",
    )
    requires_references = Since(
        (1, 37),
        "owner references are named with their place in the list, and an empty field of one is a required value",
        "apimachinery/pkg/api/validation/objectmeta.go, validateOwnerReference",
    )
    requires_operations = Since(
        (1, 37),
        "the operation of managed fields is a required value, and one of those supported",
        "apimachinery/pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields",
    )
    merges_metadata_errors = Since(
        (1, 37),
        "errors of metadata with one text are reported once",
        "apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaDeclaratively, by ErrorList.Filter",
    )
    checks_generation_of_updates = Since(
        (1, 37),
        "the generation of an update may not be negative, whatever it was before",
        "apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaAccessorUpdate",
    )

    def __init__(self, version: Minor) -> None:
        self.version = version

    def __repr__(self) -> str:
        return f"ServerRelease({self.name})"

    @property
    def name(self) -> str:
        """The release as people write it: ``1.36``."""
        return ".".join(map(str, self.version))


#: The releases that are modelled, the oldest first.
RELEASES: Final = tuple(ServerRelease((1, minor)) for minor in range(34, 38))
#: The release to judge by where none is known.
USUAL: Final = next(release for release in RELEASES if release.name == "1.36")
_VERSION: Final = expression(r"v?(\d{1,4})\.(\d{1,4})(?![\d])")

_in_force: ContextVar[ServerRelease] = ContextVar("release", default=USUAL)


def release() -> ServerRelease:
    """The release in force."""
    return _in_force.get()


@contextmanager
def judging(by: ServerRelease) -> Iterator[None]:
    """Have a release in force."""
    token = _in_force.set(by)
    try:
        yield
    finally:
        _in_force.reset(token)


def is_modelled(version: str) -> bool:
    """Whether the release of a version is one of those that are modelled."""
    found = _VERSION.match(version)
    return found is not None and (int(found[1]), int(found[2])) in {known.version for known in RELEASES}


@lru_cache(maxsize=64)
def nearest(version: str) -> ServerRelease | None:
    """The modelled release that is nearest to a version, such as ``1.35``, ``v1.35.4`` or ``v1.33.1-eks-1``; `None` if it is no version."""
    found = _VERSION.match(version)
    if found is None:
        return None
    minor = int(found[1]), int(found[2])
    return min(RELEASES, key=lambda known: (abs(known.version[1] - minor[1]) if minor[0] == 1 else -known.version[1], known.version))
