"""The releases that a command line names: of Kubernetes, and of the systems with bundled CRDs (``llmkube=0.9.19``)."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.upstream_versions import Upstream, parse_version, standing_for
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, fields, replace
from weighbridge.policies.ground.server_release import ServerRelease
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.policies.verdict.upgrade import SystemRelease
from weighbridge.webhook.inputs.facts import release_for
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

_ENTRY: Final = expression(r"([A-Za-z0-9_-]{1,64})=(\S{1,64})")
_EXAMPLE: Final = "write one such as llmkube=0.9.19"


@dataclass(frozen=True, slots=True)
class ChosenRelease:
    """A release of a system with bundled CRDs; `version` is in the system's form."""

    family: Family
    upstream: Upstream
    version: str

    @property
    def system(self) -> str:
        """The system's name."""
        return self.upstream.title

    @property
    def name(self) -> str:
        """The release's name."""
        return self.version

    def stated_in(self, config: Configuration) -> Configuration:
        """The configuration with the setting that the system has this release, if there is such a setting."""
        module = f"{self.family.package}.settings"
        section = getattr(importlib.import_module(module), "SETTINGS", None) if importlib.util.find_spec(module) else None
        if section is None or "version" not in {entry.name for entry in fields(section)}:
            return config
        stated: Any = replace(config.settings_of(section), version=self.version)
        return replace(config, families={**config.families, section: stated})


@dataclass(frozen=True, slots=True)
class NamedRelease:
    """A release as a text."""

    system: str
    name: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What an object is judged by: a release with its facts and its configuration. `chosen` are all releases of systems."""

    release: SystemRelease
    facts: Facts
    config: Configuration
    chosen: Sequence[ChosenRelease] = ()


def groups_of(chosen: Sequence[ChosenRelease]) -> frozenset[str]:
    """The API groups of the systems for which a release is chosen."""
    return frozenset(group for one in chosen for group in one.upstream.groups)


def chosen_releases(texts: Sequence[str]) -> list[ChosenRelease]:
    """The releases that `--release` names, each once, in the order of the systems' versions. Raises InputError."""
    found: dict[tuple[str, str], ChosenRelease] = {}
    for text in texts:
        for entry in text.split(","):
            chosen = _chosen(entry.strip())
            found[chosen.upstream.key, chosen.version] = chosen
    return sorted(found.values(), key=lambda one: one.family.releases_of(one.upstream).index(one.version))


def _chosen(text: str) -> ChosenRelease:
    matched = _ENTRY.fullmatch(text)
    if matched is None:
        raise InputError(f"--release {as_text(text)[:64]}: must be SYSTEM=VERSION; {_EXAMPLE}")
    key, wanted = matched[1].lower().replace("_", "-"), matched[2]
    known = {upstream.key: (family, upstream) for family in families() for upstream in family.upstreams}
    if key not in known:
        of_family = [upstream.key for family, upstream in known.values() if family.name.replace("_", "-") == key]
        near = of_family or close_matches(key, known, n=1)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(sorted(known))}"
        raise InputError(f"--release {text}: no system has this name; {hint}")
    family, upstream = known[key]
    there = family.releases_of(upstream)
    version = wanted if wanted in there else f"v{wanted.removeprefix('v')}"
    if version not in there:
        nearest = standing_for(parse_version(version), there)
        which = f"the nearest of {', '.join(there)}" if len(there) > 1 else "the only one that is"
        raise InputError(
            f"--release {text}: the CRDs of {upstream.title} {wanted} aren't bundled; write {key}={nearest}, {which}, or give those of"
            f" {wanted} with --crds instead"
        )
    return ChosenRelease(family, upstream, version)


#: Reads the facts for a release of Kubernetes, a configuration, and chosen releases.
ReadFacts = Callable[[str, Configuration, Sequence[ChosenRelease]], Facts]


def bases(read: ReadFacts, config: Configuration, kubernetes: Sequence[str], chosen: Sequence[ChosenRelease]) -> list[Basis]:
    """The bases, the oldest release first. One system may have several releases, all others only one. Raises InputError."""
    systems = {key: [one for one in chosen if one.upstream.key == key] for key in dict.fromkeys(one.upstream.key for one in chosen)}
    several = [key for key, releases in systems.items() if len(releases) > 1]
    if len(several) + (len(kubernetes) > 1) > 1:
        names = ", ".join([*(["Kubernetes"] if len(kubernetes) > 1 else []), *several])
        raise InputError(f"several releases of {names}: give several releases of one system, and one of each other")
    if not several:
        own = _stated(config, chosen)
        facts = read(kubernetes[0], own, chosen)
        return [Basis(server, replace(facts, definitions=served), own, chosen) for server, served in _by_server(facts, kubernetes)]
    key = several[0]
    others = [one for one in chosen if one.upstream.key != key]
    return [_basis(read, config, kubernetes[0], one, others) for one in systems[key]]


def _basis(read: ReadFacts, config: Configuration, kubernetes: str, one: ChosenRelease, others: Sequence[ChosenRelease]) -> Basis:
    named = [*others, one]
    own = _stated(config, named)
    return Basis(one, read(kubernetes, own, named), own, named)


def _stated(config: Configuration, chosen: Sequence[ChosenRelease]) -> Configuration:
    for one in chosen:
        config = one.stated_in(config)
    return config


def _by_server(facts: Facts, kubernetes: Sequence[str]) -> Iterator[tuple[SystemRelease, Definitions]]:
    """The definitions for servers of all releases, the oldest release first."""
    servers = {facts.definitions.server, *map(release_for, kubernetes[1:])}
    for server in sorted(servers, key=lambda one: one.version):
        yield server, facts.definitions.served_by(server)


def named_bases(read: ReadFacts, config: Configuration, server: str, kubernetes: Sequence[str], release: Sequence[str]) -> list[Basis]:
    """The bases that the command line names; `server` is the version of the cluster's API server. Raises InputError."""
    named = [next(iter(kubernetes), "") or server, *kubernetes[1:]]
    return bases(read, config, _known(named), chosen_releases(release))


def _known(kubernetes: Sequence[str]) -> list[str]:
    """The releases for these versions; for an unknown one there is a warning, once."""
    return [release_for(version).name if version else "" for version in kubernetes]


def steps_from(
    read: ReadFacts, config: Configuration, server: str, kubernetes: Sequence[str], chosen: Sequence[ChosenRelease]
) -> list[Basis]:
    """The bases of an upgrade: the cluster as it is, then with each release that the command line names.

    Releases of Kubernetes are in ascending order, unless all of them are older than the cluster's. `server` is the version of its API
    server, empty if it isn't known; then a single release of Kubernetes is that of the present cluster. Raises InputError.
    """
    (cluster,) = _known([server])
    named = _known(kubernetes)
    later = bases(read, config, [named[0] or cluster, *named[1:]], chosen)
    if not chosen:
        if not server:
            return later
        now = read(cluster, config, ())
        own = now.definitions.server
        if any(basis.facts.definitions.server is own for basis in later):
            return later
        is_downgrade = all(_server_version(basis) < own.version for basis in later)
        return sorted([Basis(own, now, config), *later], key=_server_version, reverse=is_downgrade)
    now = read(cluster or named[0], config, ())
    as_it_is = Basis(NamedRelease("", "today's cluster"), now, config)
    return [as_it_is, *(replace(basis, release=_named(basis, now.definitions.server)) for basis in later)]


def _server_version(basis: Basis) -> tuple[int, int]:
    return basis.facts.definitions.server.version


def _named(basis: Basis, own: ServerRelease) -> SystemRelease:
    """All named releases that differ from the present cluster, whose server has the release `own`."""
    server = basis.facts.definitions.server
    named: list[SystemRelease] = [*([server] if server is not own else []), *basis.chosen]
    return named[0] if len(named) == 1 else NamedRelease("", " with ".join(f"{one.system} {one.name}" for one in named))
