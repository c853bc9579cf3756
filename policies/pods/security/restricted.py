"""The checks of the level restricted in addition to those of baseline, each with its file of k8s.io/pod-security-admission v0.37."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import items, part, texts
from weighbridge.policies.pods.security import wordings
from weighbridge.policies.pods.security.baseline import has_seccomp, proc_mount, seccomp, without_own_users
from weighbridge.policies.pods.security.checked_pod import Broken, Check, CheckedPod, context_of, named

_VOLUMES: Final = (*("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"),)
_RESTRICTED_VOLUMES: Final = (
    *("hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd", "flexVolume", "cinder"),
    *("cephfs", "flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk", "portworxVolume"),
    *("scaleIO", "storageos"),
)


def _escalation(pod: CheckedPod) -> Broken | None:
    """policy/check_allowPrivilegeEscalation.go."""
    bad = named(container for container in pod.containers if context_of(container).get("allowPrivilegeEscalation") is not False)
    if not bad:
        return None
    return Broken(wordings.ESCALATION, wordings.escalation(bad))


def _capabilities(pod: CheckedPod) -> Broken | None:
    """policy/check_capabilities_restricted.go."""
    held = [part(context_of(container), "capabilities") for container in pod.containers]
    added = [set(texts(capabilities, "add")) - {"NET_BIND_SERVICE"} for capabilities in held]
    keeping = [one for one, capabilities in zip(pod.containers, held, strict=True) if "ALL" not in texts(capabilities, "drop")]
    adding = [one for one, more in zip(pod.containers, added, strict=True) if more]
    details = []
    if keeping:
        details.append(wordings.kept_capabilities(named(keeping)))
    if adding:
        details.append(wordings.added_capabilities(named(adding), sorted(set().union(*added))))
    return Broken(wordings.UNRESTRICTED_CAPABILITIES, wordings.restricted_capabilities(details)) if details else None


def _volumes(pod: CheckedPod) -> Broken | None:
    """policy/check_restrictedVolumes.go. A volume without a source becomes an emptyDir (SetDefaults_Volume of pkg/apis/core/v1)."""
    kinds = {}
    for index, volume in enumerate(items(pod.spec, "volumes")):
        sources = [source for source in _RESTRICTED_VOLUMES if isinstance(volume.get(source), dict)]
        if sources and not any(isinstance(volume.get(source), dict) for source in _VOLUMES):
            kinds[index] = sources[0]
    if not kinds:
        return None
    names = named(volume for index, volume in enumerate(items(pod.spec, "volumes")) if index in kinds)
    return Broken(wordings.VOLUMES, wordings.restricted_volumes(names, sorted(set(kinds.values()))))


def _as_root(pod: CheckedPod) -> Broken | None:
    """policy/check_runAsNonRoot.go: runAsNonRoot1_0."""
    own = [context_of(container).get("runAsNonRoot") for container in pod.containers]
    bad = [container for container, said in zip(pod.containers, own, strict=True) if said is False]
    who = wordings.setters(named(bad), is_pod=pod.context.get("runAsNonRoot") is False)
    if who:
        return Broken(wordings.AS_ROOT, wordings.as_root(who))
    silent = [container for container, said in zip(pod.containers, own, strict=True) if said is None]
    if not silent or pod.context.get("runAsNonRoot") is True:
        return None
    return Broken(wordings.AS_ROOT, wordings.maybe_as_root(named(silent)))


def _user(pod: CheckedPod) -> Broken | None:
    """policy/check_runAsUser.go: runAsUser1_23."""
    bad = [container for container in pod.containers if _is_zero(context_of(container).get("runAsUser"))]
    who = wordings.setters(named(bad), is_pod=_is_zero(pod.context.get("runAsUser")))
    return Broken("runAsUser=0", wordings.as_user_zero(who)) if who else None


def _is_zero(value: object) -> bool:
    return value == 0 and not isinstance(value, bool)


def _seccomp(pod: CheckedPod) -> Broken | None:
    """policy/check_seccompProfile_restricted.go: seccompProfileRestricted_1_19."""
    said = seccomp(pod)
    if said is not None:
        return said
    silent = [container for container in pod.containers if not has_seccomp(context_of(container))]
    if not silent or has_seccomp(pod.context):
        return None
    return Broken("seccompProfile", wordings.no_seccomp(named(silent)))


def _but_for_windows(check: Check) -> Check:
    return lambda pod: None if pod.is_for_windows else check(pod)


#: The checks by their ids, each with its forms and the minor versions that introduced them, oldest first.
CHECKS: Final[dict[str, tuple[tuple[int, Check], ...]]] = {
    "allowPrivilegeEscalation": ((8, _escalation), (25, _but_for_windows(_escalation))),
    "capabilities_restricted": ((22, _capabilities), (25, _but_for_windows(_capabilities))),
    "procMount_restricted": ((35, proc_mount),),
    "restrictedVolumes": ((0, _volumes),),
    "runAsNonRoot": ((0, _as_root), (35, without_own_users(_as_root))),
    "runAsUser": ((23, _user), (35, without_own_users(_user))),
    "seccompProfile_restricted": ((19, _seccomp), (25, _but_for_windows(_seccomp))),
}
#: The checks of baseline that one of these replaces.
REPLACED: Final = {
    "capabilities_restricted": "capabilities_baseline",
    "procMount_restricted": "procMount",
    "restrictedVolumes": "hostPathVolumes",
    "seccompProfile_restricted": "seccompProfile_baseline",
}
