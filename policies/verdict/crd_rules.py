"""Finds the checks of a CRD that the webhook makes because the API server doesn't: the installed CRD may be older, or may have lost some.

The configuration's `crdRules` says which of a CRD's checks the webhook makes. `weighbridge.policies.apiserver.comparison` compares CRDs.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.demands import Demands, lacks_nothing, lost_demands, whole_demands
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.upstream_versions import Version, releases_of
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.request import Request


def demands_on(
    gvk: GroupVersionKind, family: Family, facts: Facts, config: Configuration, request: Request | None = None
) -> Demands | None:
    """The checks of a kind's CRD that the webhook has to make; `None` if there are none, or if no release of the CRD is known.

    A `request` remembers the settings of the system's operator, which are read for this.
    """
    setting = config.crd_rules_of(gvk.group)
    if setting == "never":
        return None
    known = facts.definitions.releases(gvk)
    if not known:
        return None
    installed: ResourceDefinition | None = facts.definitions.installed(gvk)
    if setting == "missing" and installed is not None and lacks_nothing(installed, known):
        return None
    version, is_proven = _version(family, facts, config, request)
    releases = releases_of(version, known)
    name = "" if version is None else "v" + ".".join(map(str, version))
    if setting == "always" or installed is None:
        return whole_demands(tuple(releases), name)
    found = lost_demands(installed, releases, name, is_proven=is_proven)
    return None if found.is_empty else found


def _version(family: Family, facts: Facts, config: Configuration, request: Request | None) -> tuple[Version | None, bool]:
    """The version of the system that runs, `None` if it isn't known, and whether it is proven.

    The operator or the configuration proves it. The installed CRDs don't: a newer version may have the same fields.
    """
    operator = family.operator
    if operator is None:
        return (family.version_of(facts.definitions, config), False) if family.version_of is not None else (None, False)
    settings = operator(facts, config) if request is None else request.once(operator, lambda: operator(facts, config))
    return settings.known_version, settings.is_version_stated
