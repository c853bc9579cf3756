"""Settings without effect: nothing in a cluster can have the name that they are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.sections import key_of
from weighbridge.policies.config.selection import covers
from weighbridge.policies.facts.accelerators.recognition import VENDORS
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import sections
from weighbridge.policies.families.upstream_versions import parse_version, standing_for
from weighbridge.policies.ground.objects import Path
from weighbridge.webhook.configuration.catalogue import rules_by_kind

#: Resources that nodes have without a domain (Kubernetes v1.36, core/v1 ResourceName).
_NATIVE: Final = frozenset({"cpu", "memory", "ephemeral-storage", "pods", "storage"})
_PAGES: Final = "hugepages-"
Trouble = tuple[Path, str]


def without_effect(config: Configuration) -> Iterator[Trouble]:
    """Each such setting, with what would have an effect."""
    for name, node in config.expected_nodes.items():
        yield from _resources(node.allocatable, ("expectedNodes", name, "allocatable"))
    yield from _resources(config.expected_resources, ("expectedResources",))
    for index, name in enumerate(config.fill_in.resource_names or ()):
        yield from ((("fillIn", "resourceNames", index), text) for _, text in _resources([name], ()))
    yield from _images(config.images.pins, ("images", "pins"), "pins are looked up with the registry")
    yield from _registries(config.images.mirrors, ("images", "mirrors"))
    yield from _versions(config)
    yield from _rules_without_kinds(config)


def _resources(names: Iterable[str], path: Path) -> Iterator[Trouble]:
    for name in names:
        if "/" in name or name in _NATIVE or name.startswith(_PAGES) or "*" in name:
            continue
        known = [vendor.domain + name for vendor in VENDORS if vendor.serves(vendor.domain + name)]
        would_do = f"did you mean {' or '.join(known)}?" if known else "write domain/name, such as nvidia.com/gpu"
        yield (*path, name), f"{name} isn't a resource that a pod can request; {would_do}"


def _images(images: Iterable[str], path: Path, why: str) -> Iterator[Trouble]:
    for image in images:
        first, slash, _ = image.partition("/")
        if not slash or not _is_host(first):
            full = image if slash else f"library/{image}"
            yield (*path, image), f"{why}, which this one lacks; write docker.io/{full}"


def _registries(registries: Iterable[str], path: Path) -> Iterator[Trouble]:
    for registry in registries:
        if not _is_host(registry.partition("/")[0]):
            yield (*path, registry), f"no image has this registry; write docker.io/{registry} for an image of Docker Hub"


def _is_host(component: str) -> bool:
    """Whether the first part of an image is a registry (distribution/reference v0.6, normalize.go)."""
    return "." in component or ":" in component or component == "localhost" or component != component.lower()


def _versions(config: Configuration) -> Iterator[Trouble]:
    """A release that isn't bundled, and the one that is used."""
    known = {family.name: family for family in families()}
    for name, section in sections().items():
        family, wanted = known.get(name), getattr(config.settings_of(section), "version", None)
        version = parse_version(wanted) if isinstance(wanted, str) else None
        if family is None or not family.versions or version is None or version in map(parse_version, family.versions):
            continue
        taken = standing_for(version, family.versions)
        if version > max(filter(None, map(parse_version, family.versions))):
            yield (key_of(name), "version"), f"no CRDs of {wanted} are bundled; those of {taken} are used, of {', '.join(family.versions)}"


def _rules_without_kinds(config: Configuration) -> Iterator[Trouble]:
    """Entries whose rules don't judge any of their kinds."""
    for index, entry in enumerate(config.enforcement):
        if entry.kinds and not _judge(entry.rules, entry.kinds, config):
            yield ("enforcement", index, "kinds"), "none of the rules judges one of these kinds; weighbridge rules ID names the kinds"
    for index, exception in enumerate(config.exceptions):
        if exception.match.kinds and not _judge(exception.rules, exception.match.kinds, config):
            where: Path = ("exceptions", index, "match", "kinds")
            yield where, "none of the rules judges one of these kinds; weighbridge rules ID names the kinds"


def _judge(rules: Iterable[str], kinds: Iterable[str], config: Configuration) -> bool:
    wanted, named = list(rules), set(kinds)
    known = {spelling for _, gvk in rules_by_kind(config) for spelling in (gvk.kind, f"{gvk.kind}.{gvk.group}")}
    if named - known:
        # Unlisted kinds with pod templates may be judged too.
        return True
    return any(
        {gvk.kind, f"{gvk.kind}.{gvk.group}"} & named and any(covers(pattern, rule.id) for pattern in wanted)
        for rule, gvk in rules_by_kind(config)
    )
