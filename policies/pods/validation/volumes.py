"""The API server's checks of a pod's volumes and of where containers mount them.

Source: Kubernetes v1.36, pkg/apis/core/validation (ValidateVolumes, ValidateVolumeMounts). Only the sources that authors of workloads
mostly write are checked in detail. A second source is always an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import amount, flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.wordings import (
    BACKSTEPS,
    BEGINS_WITH_BACKSTEP,
    MOUNTED_TWICE,
    NEGATIVE_SIZE,
    NOT_ABSOLUTE,
    NOT_READ_ONLY,
    NOT_RELATIVE,
    OUTSIDE_MODES,
    PROPAGATES_UNPRIVILEGED,
    SEVERAL_SOURCES,
    SUB_PATH_TWICE,
)
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain

#: The required fields of each source.
_REQUIRED: Final = {
    "hostPath": "path",
    "persistentVolumeClaim": "claimName",
    "secret": "secretName",
    "configMap": "name",
    "csi": "driver",
    "nfs": "server",
}
#: The sources in the server's order; of several it accepts the first and refuses the others.
_ORDER: Final = (
    *("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi", "glusterfs"),
    *("persistentVolumeClaim", "rbd", "cinder", "cephfs", "flocker", "quobyte", "downwardAPI", "fc", "flexVolume", "configMap"),
    *("azureFile", "vsphereVolume", "photonPersistentDisk", "azureDisk", "storageos", "projected", "scaleIO", "csi", "ephemeral", "image"),
)
_HOST_PATHS: Final = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
_PROPAGATION: Final = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE: Final = ("Disabled", "Enabled", "IfPossible")
_MAX_MODE: Final = 0o777


def volume_errors(volumes: list[JSONObject], path: str, names: set[str] | None = None) -> Iterator[FieldError]:
    """The errors of a pod's volumes; the names of the valid ones are added to `names`."""
    names = set() if names is None else names
    for index, volume in enumerate(volumes):
        where, name = f"{path}[{index}]", text(volume, "name")
        found = list(_source_errors(volume, where))
        if not name:
            found.append(FieldError(ErrorType.REQUIRED, f"{where}.name"))
        found += value_errors(f"{where}.name", name, dns1123_label(name) if name else ())
        if name in names:
            found.append(FieldError(ErrorType.DUPLICATE, f"{where}.name", name))
        if not found:
            names.add(name)
        yield from found


def _source_errors(volume: JSONObject, path: str) -> Iterator[FieldError]:
    # NB: a volume without a source is valid: it becomes an emptyDir.
    sources = [field for field, value in volume.items() if field != "name" and value is not None]
    if len(sources) > 1:
        sources.sort(key=lambda kind: _ORDER.index(kind) if kind in _ORDER else len(_ORDER))
    for further in sources[1:]:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.{further}", detail=SEVERAL_SOURCES)
    for kind in sources[:1]:
        source, where = part(volume, kind), f"{path}.{kind}"
        required = _REQUIRED.get(kind)
        if required is not None and not text(source, required):
            yield FieldError(ErrorType.REQUIRED, f"{where}.{required}")
        yield from _particular_errors(kind, source, where)


def _particular_errors(kind: str, source: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a source apart from missing fields."""
    match kind:
        case "hostPath":
            if ".." in text(source, "path").split("/"):
                yield FieldError(ErrorType.INVALID, f"{path}.path", text(source, "path"), BACKSTEPS)
            if text(source, "type") not in _HOST_PATHS:
                yield unsupported(f"{path}.type", text(source, "type"), _HOST_PATHS)
        case "emptyDir":
            limit = amount(source.get("sizeLimit"))
            if limit is not None and limit.sign() < 0:
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.sizeLimit", detail=NEGATIVE_SIZE)
        case "nfs":
            if not text(source, "path"):
                yield FieldError(ErrorType.REQUIRED, f"{path}.path")
            elif not text(source, "path").startswith("/"):
                yield FieldError(ErrorType.INVALID, f"{path}.path", text(source, "path"), NOT_ABSOLUTE)
        case "configMap" | "secret":
            yield from _mode_errors(source.get("defaultMode"), f"{path}.defaultMode")
            for index, item in enumerate(items(source, "items")):
                yield from _item_errors(item, f"{path}.items[{index}]")
        case "csi":
            yield from _driver_errors(text(source, "driver"), f"{path}.driver")
        case "ephemeral":
            if source.get("volumeClaimTemplate") is None:
                yield FieldError(ErrorType.REQUIRED, f"{path}.volumeClaimTemplate")


def _driver_errors(driver: str, path: str) -> Iterator[FieldError]:
    if driver or not release().stops_at_missing_drivers:
        yield from (FieldError(ErrorType.INVALID, path, driver, said) for said in dns1123_subdomain(driver.lower()))


def _mode_errors(mode: JSONValue, path: str) -> Iterator[FieldError]:
    if isinstance(mode, int) and not 0 <= mode <= _MAX_MODE:
        yield FieldError(ErrorType.INVALID, path, mode, OUTSIDE_MODES)


def _item_errors(item: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of an item: a key of a ConfigMap or Secret, and its path."""
    if not text(item, "key"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.key")
    target = text(item, "path")
    if not target:
        yield FieldError(ErrorType.REQUIRED, f"{path}.path")
    yield from descending_errors(target, f"{path}.path")
    if target.startswith("..") and ".." not in target.split("/"):
        yield FieldError(ErrorType.INVALID, f"{path}.path", target, BEGINS_WITH_BACKSTEP)
    yield from _mode_errors(item.get("mode"), f"{path}.mode")


def mount_errors(mounts: list[JSONObject], volumes: set[str], path: str, *, is_privileged: bool) -> Iterator[FieldError]:
    """The errors of a container's mounts, given the names of the pod's volumes."""
    taken = set[str]()
    for index, mount in enumerate(mounts):
        where, name, mounted = f"{path}[{index}]", text(mount, "name"), text(mount, "mountPath")
        if not name:
            yield FieldError(ErrorType.REQUIRED, f"{where}.name")
        if name not in volumes:
            yield FieldError(ErrorType.NOT_FOUND, f"{where}.name", name)
        if not mounted:
            yield FieldError(ErrorType.REQUIRED, f"{where}.mountPath")
        if mounted in taken:
            yield FieldError(ErrorType.INVALID, f"{where}.mountPath", mounted, MOUNTED_TWICE)
        taken.add(mounted)
        # Most mounts have only a name and a path.
        if len(mount) > 2:
            yield from _rare_errors(mount, path, where, is_privileged=is_privileged)


def _rare_errors(mount: JSONObject, path: str, where: str, *, is_privileged: bool) -> Iterator[FieldError]:
    # NB: the server leaves out the index of the mount in the fields of these errors, except in one of them.
    relative, expression = text(mount, "subPath"), text(mount, "subPathExpr")
    yield from descending_errors(relative, f"{path}.subPath")
    if relative and expression:
        yield FieldError(ErrorType.INVALID, f"{where}.subPathExpr", expression, SUB_PATH_TWICE)
    yield from descending_errors(expression, f"{path}.subPathExpr")
    propagation, recursive = mount.get("mountPropagation"), mount.get("recursiveReadOnly")
    if isinstance(propagation, str):
        if propagation not in _PROPAGATION:
            yield unsupported(f"{path}.mountPropagation", propagation, _PROPAGATION)
        elif propagation == "Bidirectional" and not is_privileged:
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.mountPropagation", detail=PROPAGATES_UNPRIVILEGED)
    if isinstance(recursive, str):
        if recursive not in _RECURSIVE:
            yield unsupported(f"{path}.recursiveReadOnly", recursive, _RECURSIVE)
        elif recursive != "Disabled" and not flag(mount, "readOnly"):
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.recursiveReadOnly", detail=NOT_READ_ONLY)


def descending_errors(relative: str, path: str) -> Iterator[FieldError]:
    """The errors of a path that must remain below its start."""
    if relative.startswith("/"):
        yield FieldError(ErrorType.INVALID, path, relative, NOT_RELATIVE)
    if ".." in relative.split("/"):
        yield FieldError(ErrorType.INVALID, path, relative, BACKSTEPS)
