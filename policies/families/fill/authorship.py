"""Who wrote a value of an object: its author, Weighbridge, or an unknown client.

The order of trust; the first source that applies decides:

1. The manifest, on the command line: the fields that it names are its author's, and no others.
2. `kubectl.kubernetes.io/last-applied-configuration`, in which `kubectl apply` keeps the manifest, and the entries of `managedFields` for
   server-side apply, which list the fields of the applied manifest: the fields that they name are its author's.
3. Our own record (`record`): a value that it has, and that the field still has, was filled in. On an update the client may have forged the
   record in the request, so the stored object's is read. A record in the author's own manifest is ignored.
4. The entries of `managedFields` for other requests: a client sent or changed the fields that they name. The server makes these entries
   before it calls webhooks, so none has what a webhook fills in; the entry of the request that created the object has the CRD's defaults.
   Two kinds of entries are ignored: one that also names the last applied configuration, since that has its author's part; and one that also
   names our record, since its client copied the object with all filled-in values. An entry of a PUT without our record doesn't show who
   wrote a value that equals the CRD's default, since it names the field either way. Nor does the entry of a creation: there a default
   counts as the author's, unless a rule would refuse it, since the author can't have meant that.
5. Where any of these is known and none names the field, its value came with a default of the CRD or from a webhook.
6. Where nothing is known, a value is taken for the author's; of an export on the command line, the fields that it names.

Source: Kubernetes v1.36, staging/src/k8s.io/apimachinery/pkg/util/managedfields, and staging/src/k8s.io/apiserver/pkg/endpoints/handlers
(create.go, update.go and patch.go make managedFields before mutating admission); kubectl's last-applied-configuration. Seen on a real
server by tests/e2e/test_applied_twice.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import filterfalse
from typing import Final, Self

from weighbridge.policies.families.fill.record import KEY, PATH, Recorded, has_record, is_of_policy, left_out, read_record, standing, within
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, is_stored, lookup, metadata_of
from weighbridge.policies.ground.request import Request

_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


class Authorship:
    """Who wrote what in one object.

    `manifests` are texts that the author applied, `applied` and `sent` the `fieldsV1` of the requests of points 2 and 4 above; `recording`
    is the object whose record is read. `is_known` is whether anything but the record is known; where it isn't, an `export` has the values
    from before the CRD's defaults. `sends_whole` is whether the request replaced the filled-in object by a manifest, `is_new` whether it
    is a creation.
    """

    def __init__(
        self,
        manifests: Sequence[JSONValue] = (),
        applied: Sequence[JSONValue] = (),
        sent: Sequence[JSONValue] = (),
        recording: JSONValue = None,
        *,
        is_known: bool = False,
        export: JSONValue = None,
        sends_whole: bool = False,
        is_new: bool = False,
    ) -> None:
        self._manifests, self._applied, self._sent, self._export = manifests, applied, sent, export
        self._sends_whole, self._is_new = sends_whole, is_new
        #: Whether the author's own manifest has the annotation, so that it isn't ours.
        self.owns_record = self.is_applied(PATH)
        self._record: tuple[Recorded, ...] = () if self.owns_record else read_record(recording)
        #: The number of values that were filled in before and for which the record had no room.
        self.unrecorded = left_out(recording)
        self._is_known = is_known

    @classmethod
    def of_manifest(cls, manifest: JSONObject, stored: JSONValue = None, *, is_new: bool = False) -> Self:
        """The authorship of an object that a manifest makes. For an object that comes from a server, use `of_object`."""
        if is_stored(manifest) or _has_bookkeeping(manifest):
            return cls.of_object(manifest, stored, export=manifest, is_new=is_new)
        return cls([manifest], recording=manifest if stored is None else stored, is_known=True)

    @classmethod
    def of_object(cls, obj: JSONValue, stored: JSONValue = None, *, export: JSONValue = None, is_new: bool = False) -> Self:
        """The authorship of an object from an API server.

        `stored` is its state before an update, `export` the object without defaults, `is_new` whether it is being created.
        """
        manifest = _last_applied(obj)
        entries = items(metadata_of(obj), "managedFields")
        applied = [entry.get("fieldsV1") for entry in entries if text(entry, "operation") == "Apply"]
        sent = [entry.get("fieldsV1") for entry in entries if text(entry, "operation") == "Update" and not _is_covered(entry)]
        recording = obj if stored is None or _is_our_own(obj, entries) else stored
        is_known = manifest is not None or bool(entries)
        manifests = [manifest] if manifest is not None else []
        sends_whole = has_record(stored) and not has_record(obj)
        is_new = is_new and len(entries) == 1
        return cls(manifests, applied, sent, recording, is_known=is_known, export=export, sends_whole=sends_whole, is_new=is_new)

    @classmethod
    def of_request(cls, request: Request) -> Self:
        """The authorship of the object that the rules judge."""
        is_new = request.operation is Operation.CREATE
        if isinstance(request.manifest, dict):
            return cls.of_manifest(request.manifest, request.old_object, is_new=is_new)
        return cls.of_object(request.object, request.old_object, is_new=is_new)

    def of_policies(self) -> Self:
        """The authorship as the configuration's policies see it: of the filled-in values they may change only those of policies."""
        return self._with_record(filter(is_of_policy, self._record))

    def of_families(self) -> Self:
        """The authorship as families see it: of the filled-in values they may change only those of families."""
        return self._with_record(filterfalse(is_of_policy, self._record))

    def _with_record(self, record: Iterable[Recorded]) -> Self:
        found = self.__class__.__new__(self.__class__)
        found.__dict__ |= {**self.__dict__, "_record": tuple(record)}
        return found

    def is_filled(self, obj: JSONObject, path: Path) -> bool:
        """Whether a field of `obj` still has the value that was filled in before."""
        return not self.is_applied(path) and any(entry.path == path for entry in standing(self._record, obj))

    def filled_items(self, obj: JSONObject, path: Path) -> list[JSONValue]:
        """The items of a list of `obj` that were added before."""
        return [entry.value for entry in standing(self._record, obj) if entry.field == path != entry.path]

    def is_written(self, path: Path) -> bool:
        """Whether the author may have written the value of a field. A map is written if anything in it is."""
        if self.is_applied(path):
            return True
        if any(entry.field == path for entry in self._record):
            return any(_names(fields, path) for fields in self._sent)
        if not self._is_known:
            return self._export is None or lookup(self._export, path) is not None
        return any(_names(fields, path) for fields in self._sent)

    def may_be_default(self, path: Path, *, is_refused: bool = False) -> bool:
        """Whether a field's value, which equals the CRD's default, comes from that default; `is_refused` is whether a rule would refuse the
        value.
        """
        if self.is_applied(path):
            return False
        return (self._is_known and (self._sends_whole or (self._is_new and is_refused))) or not self.is_written(path)

    def kept(self, obj: JSONObject, fields: frozenset[Path]) -> list[Recorded]:
        """The valid entries of the record, of the fields that may be filled in."""
        found = [entry for entry in within(standing(self._record, obj), fields) if not self.is_applied(entry.field)]
        # If a client has changed a list since, the whole list is the client's.
        return [entry for entry in found if entry.field == entry.path or not self.is_written(entry.field)]

    def is_named(self, path: Path) -> bool:
        """Whether a manifest names a field: one that the author applied, or an export without known authorship."""
        in_export = not self._is_known and self._export is not None and lookup(self._export, path) is not None
        return in_export or self.is_applied(path)

    def is_applied(self, path: Path) -> bool:
        """Whether a manifest that the author applied names a field."""
        in_manifest = any(lookup(manifest, path) is not None for manifest in self._manifests)
        return in_manifest or any(_names(fields, path) for fields in self._applied)


def _has_bookkeeping(obj: JSONObject) -> bool:
    return bool(items(metadata_of(obj), "managedFields")) or _LAST_APPLIED in part(obj, "metadata", "annotations")


def _is_our_own(obj: JSONValue, entries: Sequence[JSONObject]) -> bool:
    """Whether an earlier call for the same update wrote the record, so that the client didn't send it."""
    return has_record(obj) and bool(entries) and not any(_names(entry.get("fieldsV1"), PATH) for entry in entries)


def _last_applied(obj: JSONValue) -> JSONValue:
    manifest = text(part(obj, "metadata", "annotations"), _LAST_APPLIED)
    if not manifest:
        return None
    from json import loads

    try:
        return loads(manifest)
    except (ValueError, RecursionError):
        return None


def _is_covered(entry: JSONObject) -> bool:
    """Whether an entry is ignored: see point 4."""
    annotations = part(entry, "fieldsV1", "f:metadata", "f:annotations")
    return f"f:{_LAST_APPLIED}" in annotations or f"f:{KEY}" in annotations


def _names(fields: JSONValue, path: Path) -> bool:
    return lookup(fields, [f"f:{step}" for step in path]) is not None
