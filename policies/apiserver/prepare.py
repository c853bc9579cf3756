"""Prepares an object for validation as the server does: sets, restores or drops fields, whatever the body has in them.

Source: apiserver/pkg/registry/rest/{create,update}.go, endpoints/handlers/rest.go, storage/names/generate.go and
apiextensions-apiserver/pkg/registry/customresource/{strategy,status_strategy}.go, 1.36.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal, conflict, internal_error, unversioned
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_time import TimeParseError, unix_seconds
from weighbridge.policies.schema.go_values import deep_copy, deep_equal

#: The placeholder for the five random characters that the server appends to a generateName.
GENERATED_SUFFIX: Final = "xxxxx"
_MAX_GENERATED_BASE: Final = 58
#: The alphabet of the random characters (k8s.io/apimachinery v0.36, pkg/util/rand, alphanums).
_DRAWN: Final = frozenset("bcdfghjklmnpqrstvwxz2456789")
_MAX_UINT64: Final = 2**64 - 1


def generated_name(base: str) -> str:
    """The name that the server makes from a generateName, with a placeholder for the random characters."""
    # The cut may go through a character; the remaining bytes are then not valid UTF-8.
    cut = base.encode(errors="replace")[:_MAX_GENERATED_BASE].decode(errors="surrogateescape")
    return cut + GENERATED_SUFFIX


def is_drawn(name: str, base: str) -> bool:
    """Whether a name can be one that the server made from a generateName."""
    stem = generated_name(base).removesuffix(GENERATED_SUFFIX) if base else ""
    drawn = name.removeprefix(stem)
    return bool(stem) and name.startswith(stem) and len(drawn) == len(GENERATED_SUFFIX) and _DRAWN.issuperset(drawn)


def prepare_for_create(obj: JSONObject, definition: ResourceDefinition) -> bool:
    """Name the object, drop its status if that is a subresource, and set its generation. Returns whether the name is a placeholder."""
    metadata = obj["metadata"]
    if definition.status_subresource:
        obj.pop("status", None)
    metadata["generation"] = 1
    if metadata.get("name") or not metadata.get("generateName"):
        return False
    metadata["name"] = generated_name(metadata["generateName"])
    return True


def prepare_for_update(obj: JSONObject, old: JSONObject, definition: ResourceDefinition) -> None:
    """Restore what an update can't change, and increase the generation if anything but metadata differs."""
    if definition.status_subresource:
        obj.pop("status", None)
        if "status" in old:
            obj["status"] = deep_copy(old["status"])
    _restore_metadata(obj["metadata"], old["metadata"])
    if not _same_content(obj, old):
        obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1


def status_update(obj: JSONObject, old: JSONObject) -> JSONObject:
    """The object that a status write stores: the old object with the new status."""
    stored: JSONObject = deep_copy(old)
    stored.pop("status", None)
    if "status" in obj:
        stored["status"] = obj["status"]
    return stored


def _restore_metadata(metadata: JSONObject, old: JSONObject) -> None:
    metadata["generation"] = old.get("generation", 0)
    # An old object without these fields wasn't stored by a server, so their values aren't known. A uid that was sent is that of the old
    # object; one that a policy has written stays, and is refused.
    written = metadata.get("uid")
    for key in ("uid", "creationTimestamp", "managedFields"):
        metadata.pop(key, None)
        if key in old:
            metadata[key] = deep_copy(old[key])
    if written and "uid" in metadata:
        metadata["uid"] = written
    if old.get("deletionTimestamp") is not None:
        metadata["deletionTimestamp"] = old["deletionTimestamp"]
    elif not _is_readable(metadata.get("deletionTimestamp")):
        metadata.pop("deletionTimestamp", None)
    if old.get("deletionGracePeriodSeconds") is not None:
        metadata.setdefault("deletionGracePeriodSeconds", old["deletionGracePeriodSeconds"])


def _is_readable(time: str | None) -> bool:
    """Whether the time counts.

    One whose year in UTC hasn't four digits is lost, or reported as unreadable later, depending on the release.
    """
    try:
        return time is not None and unix_seconds(time) is not None
    except TimeParseError:
        return release().reads_metadata_again


def _same_content(obj: JSONObject, old: JSONObject) -> bool:
    return deep_equal(
        {key: value for key, value in obj.items() if key != "metadata"},
        {key: value for key, value in old.items() if key != "metadata"},
    )


def drop_duplicate_owners(metadata: JSONObject, *, after_mutation: bool) -> list[str]:
    """Remove owner references that repeat an earlier one from the metadata. Returns a warning if there were any."""
    references = metadata.get("ownerReferences") or []
    kept: list[JSONObject] = []
    dropped: list[str] = []
    for reference in references:
        if reference in kept:
            dropped.append(reference["uid"])
        else:
            kept.append(reference)
    if not dropped:
        return []
    metadata["ownerReferences"] = kept
    return [wordings.duplicate_owners(dropped, after_mutation=after_mutation)]


def unversioned_create(obj: JSONObject) -> Refusal | None:
    """The refusal of an object that is created with a resourceVersion; a dry run doesn't check that."""
    version = obj["metadata"].get("resourceVersion", "")
    if not re.fullmatch("[0-9]+", version) or not 0 < int(version) <= _MAX_UINT64:
        return None
    return internal_error(wordings.VERSION_OF_NEW)


def unmet_precondition(
    obj: JSONObject, old: JSONObject, definition: ResourceDefinition, request: Request | None = None, *, stored_in: str = ""
) -> Refusal | None:
    """The refusal of an update that was made for another object or another version than the stored one.

    The object of the `request` says which one it is for, before admission could change it. An old object without uid or resourceVersion
    comes from a manifest; a missing value isn't compared. `stored_in` is the folder of the kind's objects, if it isn't the usual one.
    """
    metadata, stored = obj["metadata"], old["metadata"]
    name = metadata.get("name", "")
    uid, stored_uid = metadata_of(obj if request is None else request.object).get("uid", ""), stored.get("uid", "")
    if uid and stored_uid and uid != stored_uid:
        folder = stored_in or f"{definition.gvk.group}/{definition.plural}"
        key = "/".join(["", folder, *filter(None, [stored.get("namespace", "")]), name])
        return conflict(definition.resource, name, wordings.wrong_uid(key, uid, stored_uid, dry_run=request is None or request.dry_run))
    version, stored_version = metadata.get("resourceVersion", ""), stored.get("resourceVersion", "")
    if not stored_version:
        return None
    if version and not re.fullmatch("[0-9]+", version):
        return internal_error(wordings.no_number(version))
    if int(version or "0") > _MAX_UINT64:
        return internal_error(wordings.number_too_great(version))
    if int(version or "0") == 0:
        return unversioned(definition.plural, definition.gvk.group, name)
    return None if int(version) == int(stored_version) else conflict(definition.resource, name, wordings.MODIFIED)
