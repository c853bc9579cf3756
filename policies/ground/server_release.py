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
    """A difference: true from `version` on."""

    version: Minor

    @overload
    def __get__(self, release: None, owner: type) -> Since: ...

    @overload
    def __get__(self, release: ServerRelease, owner: type) -> bool: ...

    def __get__(self, release: ServerRelease | None, owner: type) -> Since | bool:
        return self if release is None else release.version >= self.version


class ServerRelease:
    """One minor release of Kubernetes, by its `version` such as ``(1, 36)``, and what differs in it."""

    system: Final = "Kubernetes"

    enforces_number_formats = Since((1, 36))
    checks_number_types = Since((1, 36))
    knows_name_formats = Since((1, 35))
    names_label_keys = Since((1, 35))
    has_moved_schemes = Since((1, 35))
    names_whole_paths = Since((1, 35))
    shows_values_of_rules = Since((1, 35))
    keeps_many_selectable_fields = Since((1, 35))
    warns_of_number_formats = Since((1, 36))
    warns_of_sets = Since((1, 37))
    relaxes_service_names = Since((1, 36))
    reads_variables_of_files = Since((1, 35))
    compares_tolerations = Since((1, 35))
    words_missing_maximum = Since((1, 36))
    checks_scaling_tolerances = Since((1, 35))
    reads_attribute_lists = Since((1, 37))
    mounts_selinux_labels = Since((1, 37))
    scales_to_zero = Since((1, 37))
    bounds_names = Since((1, 37))
    lacks_durations_of_ints = Since((1, 37))
    reads_escaped_fields = Since((1, 37))
    leaves_scopes = Since((1, 37))
    resolves_types_alone = Since((1, 37))
    prices_affixes = Since((1, 37))
    prices_matches = Since((1, 37))
    bounds_empty_searches = Since((1, 37))
    bounds_ranges = Since((1, 37))
    prices_negative_depths = Since((1, 37))
    requires_optionals = Since((1, 37))
    rounds_near_integers = Since((1, 37))
    keeps_types_in_optionals = Since((1, 37))
    joins_values = Since((1, 37))
    counts_equal_items = Since((1, 37))
    requires_references = Since((1, 37))
    requires_operations = Since((1, 37))
    merges_metadata_errors = Since((1, 37))
    reads_metadata_again = Since((1, 37))
    checks_generation_of_updates = Since((1, 37))
    checks_restart_rules = Since((1, 35))
    stops_at_missing_drivers = Since((1, 35))
    matches_declared_features = Since((1, 36))
    keeps_device_taints = Since((1, 36))
    keeps_device_counters = Since((1, 36))
    shares_devices = Since((1, 36))
    binds_devices_late = Since((1, 36))
    maps_extended_resources = Since((1, 36))
    passes_over_bad_pools = Since((1, 35))
    keeps_alternatives_apart = Since((1, 36))
    names_preemption = Since((1, 37))
    names_shared_processes = Since((1, 37))
    keeps_silent_about_claims = Since((1, 37))
    names_devices = Since((1, 37))
    gathers_pools_by_node = Since((1, 37))
    counts_pools_by_driver = Since((1, 37))
    waits_for_all_devices = Since((1, 37))
    counts_shares_once = Since((1, 37))
    tells_all_devices_apart = Since((1, 37))
    requires_csi_drivers = Since((1, 37))
    stops_at_large_amounts = Since((1, 37))
    applies_taint_rules = Since((1, 37))
    defaults_pods_last = Since((1, 37))
    audits_all_failures = Since((1, 37))
    reads_structs = Since((1, 37))
    declares_bindings = Since((1, 37))
    reserves_static_names = Since((1, 37))
    patches_lists_of_objects = Since((1, 37))
    converts_parts_of_objects = Since((1, 37))
    merges_into_duplicates = Since((1, 35))
    refuses_scalar_documents = Since((1, 35))
    bounds_stateful_updates = Since((1, 37))
    serves_mutating_policies = Since((1, 36))
    checks_untyped_parameters = Since((1, 36))

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
#: The release that is assumed if none is known: the newest.
USUAL: Final = RELEASES[-1]
_VERSION: Final = expression(r"v?(\d{1,4})\.(\d{1,4})(?![\d])")

_in_force: ContextVar[ServerRelease] = ContextVar("release", default=USUAL)


def release() -> ServerRelease:
    """The release in force."""
    return _in_force.get()


@contextmanager
def judging(by: ServerRelease) -> Iterator[None]:
    """Put a release in force within the block."""
    token = _in_force.set(by)
    try:
        yield
    finally:
        _in_force.reset(token)


def is_modelled(version: str) -> bool:
    """Whether the release of a version is modelled."""
    found = _VERSION.match(version)
    return found is not None and (int(found[1]), int(found[2])) in {known.version for known in RELEASES}


@lru_cache(maxsize=64)
def nearest(version: str) -> ServerRelease | None:
    """The modelled release that is nearest to a version, such as ``1.35``, ``v1.35.4`` or ``v1.33.1-eks-1``.

    `None` if the text isn't a version.
    """
    found = _VERSION.match(version)
    if found is None:
        return None
    minor = int(found[1]), int(found[2])
    return min(RELEASES, key=lambda known: (abs(known.version[1] - minor[1]) if minor[0] == 1 else -known.version[1], known.version))
