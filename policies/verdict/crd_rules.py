"""Holds the CRDs' own rules where the API server doesn't: by the installed CRD it may have lost some, or knows none of a newer release.

Which of a CRD's demands the webhook checks is the configuration's `crdRules`; how a CRD is compared is
`weighbridge.policies.apiserver.comparison`.
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
    """What the webhook has to check of objects of a kind by its CRD; `None` where that is nothing, or no release of the CRD is known.

    Where a `request` is given, what is asked about the system's operator is remembered with it.
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
    """The version of the system that runs, and whether its operator or the configuration says so.

    The installed CRDs tell a version as well, but a newer one may have the same fields. `None` where nothing says.
    """
    operator = family.operator
    if operator is None:
        return (family.version_of(facts.definitions, config), False) if family.version_of is not None else (None, False)
    settings = operator(facts, config) if request is None else request.once(operator, lambda: operator(facts, config))
    return settings.known_version, settings.is_version_stated
