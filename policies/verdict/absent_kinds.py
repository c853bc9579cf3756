"""The finding about a kind that the cluster doesn't have: kubectl's words, and the group and version that the author may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.apiserver.built_in import Kinds, built_in_groups
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.apiserver.versions import version_priority
from weighbridge.policies.families import family_groups, family_of
from weighbridge.policies.families.migration import successor_kind
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import close_matches, is_within
from weighbridge.policies.verdict.judgement import NO_MATCHES

#: How many letters of a group may be wrong. SIGs of Kubernetes have groups that differ from built-in ones in two (`x-k8s.io`).
_SLIPS, _SLIPS_OF_BUILT_IN = 2, 1


def no_matches(gvk: GroupVersionKind, known: Definitions, *, is_whole: bool) -> Finding | None:
    """The error for a kind that the cluster doesn't have, with what to write instead; `None` if the cluster may have the kind.

    A version is wrong if the kind is known in other versions. A kind is wrong if all kinds of its group are known. Those of built-in groups
    always are; `is_whole` says whether those of other groups are. A group is wrong if a group with almost the same name has this kind.
    """
    message = f'no matches for kind "{gvk.kind}" in version "{gvk.api_version}"'
    kinds = _kinds_of(gvk.group, known)
    if served := kinds.get(gvk.kind):
        elsewhere = [kind for kind in _meant(gvk, known) if kind.version == gvk.version]
        what = _hint(gvk, elsewhere) if elsewhere else _newer(gvk, served, known)
        what = what or f"write {' or '.join(replace(gvk, version=version).api_version for version in served)}"
        return Finding(NO_MATCHES, Severity.ERROR, ("apiVersion",), f"{message}: {what}", found=gvk.api_version)
    if lacking := _lacking(gvk, known):
        return Finding(NO_MATCHES, Severity.ERROR, ("apiVersion",), f"{message}: {lacking}", found=gvk.api_version)
    if meant := list(_meant(gvk, known)):
        hint = _hint(gvk, meant)
        return Finding(NO_MATCHES, Severity.ERROR, ("apiVersion",), f"{message}: {hint}", found=gvk.api_version)
    if gvk.group not in built_in_groups() and not (is_whole and kinds):
        return None
    if _lacks_version(gvk):
        hint = f"the version is missing: write {gvk.version}/VERSION"
        return Finding(NO_MATCHES, Severity.ERROR, ("apiVersion",), f"{message}: {hint}", found=gvk.api_version)
    near = ", ".join(close_matches(gvk.kind, kinds, n=1))
    hint = f": did you mean {near}?" if near else ""
    return Finding(NO_MATCHES, Severity.ERROR, ("kind",), f"{message}{hint}", found=gvk.kind, nearest=near)


def _newer(gvk: GroupVersionKind, served: Iterable[str], known: Definitions) -> str:
    """The hint for a version that is newer than those of all shipped CRDs; empty for other versions, or if the cluster has a CRD.

    A newer release of the system may have it.
    """
    origin = known.origin(gvk)
    if origin is None or origin.is_chosen or any(version_priority(gvk.version) <= version_priority(version) for version in served):
        return ""
    versions = " and ".join(served)
    return f"{origin.releases} {'has' if origin.releases == origin.name else 'have'} {versions}, and no newer release is known"


def _lacking(gvk: GroupVersionKind, known: Definitions) -> str:
    """The hint for a kind that the chosen release of its system doesn't have but other shipped releases have; empty for any other kind."""
    origin = known.origin(gvk)
    if origin is None or not origin.is_chosen:
        return ""
    having = [release.version for release in known.releases(gvk)]
    return f"{origin.name} doesn't have it; {', '.join(having)} {'has' if len(having) == 1 else 'have'}" if having else ""


def _kinds_of(group: str, known: Definitions) -> Kinds:
    """The kinds of a group with their versions; none if the group isn't known."""
    built_in = built_in_groups().get(group)
    return built_in or {kind.kind: tuple(known.versions(group, kind.kind)) for kind in known.kinds() if kind.group == group}


def _meant(gvk: GroupVersionKind, known: Definitions) -> Iterator[GroupVersionKind]:
    """The kinds of this name in the groups that the author may have meant; only those that have the version, if any does."""
    holders = [kind for group in _groups_with(gvk.kind, known) if group != gvk.group for kind in _versions(group, gvk.kind, known)]
    meant = [kind for kind in holders if kind.group in set(_likely(gvk, {holder.group for holder in holders}))]
    same_version = [kind for kind in meant if kind.version == gvk.version]
    yield from dict.fromkeys(map(successor_kind, same_version or meant))


def _groups_with(kind: str, known: Definitions) -> Iterator[str]:
    yield from (group for group, kinds in built_in_groups().items() if kind in kinds)
    yield from dict.fromkeys(each.group for each in known.kinds() if each.kind == kind)


def _versions(group: str, kind: str, known: Definitions) -> Iterator[GroupVersionKind]:
    yield from (GroupVersionKind(group, version, kind) for version in _kinds_of(group, known)[kind])


def _likely(gvk: GroupVersionKind, groups: Iterable[str]) -> Iterator[str]:
    """The groups among `groups` that the author may have meant."""
    named = _named_group(gvk)
    family = family_of(named)
    for group in groups:
        if family is not None:
            # A later version of this system may have the kind. That another system has a kind with this name is a coincidence.
            is_likely = family_of(group) is family
        elif "." not in named or named in built_in_groups():
            # It can't be the group of a CRD that isn't known: such a group has a dot and isn't built in.
            is_likely = True
        else:
            is_likely = _is_near(named, group)
        if is_likely:
            yield group


def _named_group(gvk: GroupVersionKind) -> str:
    """The group as it is written, with a version after it or without."""
    return gvk.version if _lacks_version(gvk) else gvk.group


def _lacks_version(gvk: GroupVersionKind) -> bool:
    """Whether `apiVersion` has a group without a version. A group has a dot, a version has none."""
    return not gvk.group and "." in gvk.version


def _is_near(written: str, group: str) -> bool:
    """Whether a group differs from the written one in one or two letters, or in one label."""
    if group not in family_groups():
        return group in built_in_groups() and is_within(written, group, _SLIPS_OF_BUILT_IN)
    labels, wanted = written.split("."), group.split(".")
    if len(labels) == len(wanted) > 2 and sum(a != b for a, b in zip(labels, wanted, strict=True)) == 1:
        return True
    shorter, longer = sorted((labels, wanted), key=len)
    is_label_off = any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))
    return is_label_off or is_within(written, group, _SLIPS)


def _hint(gvk: GroupVersionKind, meant: list[GroupVersionKind]) -> str:
    """What to write, or a question whether it is meant."""
    texts = " or ".join(kind.api_version if kind.kind == gvk.kind else f"{kind.kind} of {kind.api_version}" for kind in meant)
    if gvk.group:
        return f"did you mean {texts}?"
    if not _lacks_version(gvk):
        return f"the group is missing: write {texts}"
    is_whole = all(kind.group == gvk.version for kind in meant)
    return f"the version is missing: write {texts}" if is_whole else f"did you mean {texts}?"
