"""A filled-in value stays in whichever way its object is written: created, applied with client-side or server-side apply, replaced, edited,
moved.

The requests have the managedFields that kube-apiserver writes before it calls a mutating webhook: tests/e2e/test_ways_to_write.py has some
of them from a real one.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.families import families, family_of
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, lookup
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.verdict.engine import Phase, decide

LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def _fills(case: Case) -> dict[Path, JSONValue]:
    """The values that are filled in in a case, without items of lists that the author wrote, which aren't in the record."""
    others = "CRD", "OME", "llmaz's"
    entries = (entry for entry in case.decision.provenance if not entry.source.startswith(others) and entry.value is not None)
    return {entry.path: entry.value for entry in entries if entry.path[0] == "spec"}


def _is_plain(case: Case) -> bool:
    annotations = case.object["metadata"].get("annotations") or {}
    return case.old is None and case.decision.allowed and not annotations and "managedFields" not in case.object["metadata"]


#: The cases that expect a patch, or a part of the stored object.
FILLED = [case for case in CASES if case.expect.keys() & {"patch", "object"} and _is_plain(case) and _fills(case)]


def named(value: JSONValue) -> JSONObject:
    """The `fieldsV1` of all fields; a list counts as one."""
    return {f"f:{key}": named(each) if isinstance(each, dict) else {} for key, each in value.items()} if isinstance(value, dict) else {}


def entry(manager: str, operation: str, fields: JSONObject) -> JSONObject:
    """An entry of managedFields; in metadata it names only annotations."""
    annotations = named(fields.get("metadata", {}).get("annotations") or {})
    told = named({"spec": fields["spec"]}) | ({"f:metadata": {"f:annotations": annotations}} if annotations else {})
    return {"manager": manager, "operation": operation, "fieldsType": "FieldsV1", "fieldsV1": told}


def changed(new: JSONObject, old: JSONObject) -> JSONObject:
    """The part of a map that is missing or different in another one."""
    found: JSONObject = {}
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            below = changed(value, before)
            if below:
                found[key] = below
        elif value != before:
            found[key] = value
    return found


def without(fields: JSONObject, other: JSONObject) -> JSONObject:
    """The part of a `fieldsV1` that another one doesn't name."""
    found = {}
    for key, below in fields.items():
        if key not in other:
            found[key] = below
        elif below and (left := without(below, other[key])):
            found[key] = left
    return found


class Server:
    """kube-apiserver with the mutating webhook in mode deny, for one object."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts, self._config = case, case.facts(), case.configuration()
        self.stored: JSONObject | None = None

    def _read(self, body: JSONObject) -> JSONObject:
        """A body with the CRD's defaults."""
        request = replace(self._case.request(), object=deep_copy(body), old_object=None, operation=Operation.CREATE)
        found = decide(request, self._facts, self._config, Phase.APISERVER).object
        assert isinstance(found, dict)
        return {**found, "metadata": deep_copy(body["metadata"])}

    def _write(self, body: JSONObject, *entries: JSONObject) -> None:
        """Call the webhook, and then check the object against the CRD."""
        body["metadata"]["managedFields"] = list(entries)
        operation = Operation.CREATE if self.stored is None else Operation.UPDATE
        request = replace(self._case.request(), object=body, old_object=deep_copy(self.stored), operation=operation)
        answer = decide(request, self._facts, self._config, Phase.MUTATE)
        found = self._read(answer.object if isinstance(answer.object, dict) else body)
        found["metadata"]["managedFields"] = list(entries)
        allowed = decide(replace(request, object=deep_copy(found)), self._facts, self._config, Phase.APISERVER)
        assert allowed.allowed, allowed.message
        self.stored = found

    def _entries(self) -> list[JSONObject]:
        return [] if self.stored is None else deep_copy(self.stored["metadata"]["managedFields"])

    def create(self, manifest: JSONObject) -> None:
        """`kubectl create`, and any POST."""
        body = self._read(manifest)
        self._write(body, entry("kubectl-create", "Update", body))

    def apply(self, manifest: JSONObject) -> None:
        """`kubectl apply`: fields that aren't in the manifest stay."""
        kept = deep_copy(manifest)
        kept["metadata"].setdefault("annotations", {})[LAST_APPLIED] = json.dumps(manifest)
        if self.stored is not None:
            annotations = {**(self.stored["metadata"].get("annotations") or {}), **kept["metadata"]["annotations"]}
            body = {**deep_copy(self.stored), "metadata": {**deep_copy(self.stored["metadata"]), "annotations": annotations}}
            self._write(body, *self._entries())
            return
        body = self._read(kept)
        self._write(body, entry("kubectl-client-side-apply", "Update", body))

    def apply_on_the_server(self, manifest: JSONObject, manager: str = "kubectl") -> None:
        """`kubectl apply --server-side`: a field that the manager named before and the manifest doesn't is removed, unless another manager
        names it.
        """
        wanted = entry(manager, "Apply", manifest)
        if self.stored is None:
            self._write(self._read(manifest), wanted)
            return
        others = [each for each in self._entries() if (each["manager"], each["operation"]) != (manager, "Apply")]
        mine = next((each for each in self._entries() if each not in others), wanted)
        gone = without(mine["fieldsV1"], wanted["fieldsV1"])
        for each in others:
            gone = without(gone, each["fieldsV1"])
        body = deep_copy(self.stored)
        _remove(body, gone)
        self._write(self._read(body), *others, wanted)

    def move(self) -> None:
        """The step of kubectl, Argo CD and Flux before a server-side apply: take over the entry of the client-side apply."""
        theirs = [each for each in self._entries() if each["manager"] == "kubectl-client-side-apply"]
        mine = next(each for each in self._entries() if each["operation"] == "Apply")
        for each in theirs:
            mine["fieldsV1"] = _joined(mine["fieldsV1"], each["fieldsV1"])
        others = [each for each in self._entries() if each["manager"] != "kubectl-client-side-apply" and each["operation"] != "Apply"]
        self._write(deep_copy(self.stored), *others, mine)

    def replace(self, manifest: JSONObject, manager: str = "kubectl-replace") -> None:
        """`kubectl replace`, and any PUT of a manifest: all fields that it doesn't name are removed."""
        assert self.stored is not None
        body = self._read(manifest)
        new = changed({"spec": body["spec"]}, {"spec": self.stored["spec"]})
        sent = entry(manager, "Update", {"spec": new.get("spec", {})})
        entries = [{**each, "fieldsV1": without(each["fieldsV1"], sent["fieldsV1"])} for each in self._entries()]
        for each in entries:
            each["fieldsV1"].pop("f:metadata", None)
        self._write(body, *entries, sent)

    def label(self) -> None:
        """`kubectl edit` of another field, and any controller that reads an object and writes it back."""
        assert self.stored is not None
        body = deep_copy(self.stored)
        body["metadata"]["labels"] = {**body["metadata"].get("labels", {}), "a": str(len(self._entries()))}
        self._write(body, *self._entries())


def _remove(obj: JSONObject, fields: JSONObject) -> None:
    """Remove the fields that a `fieldsV1` names from an object."""
    for step, below in fields.items():
        key = step.removeprefix("f:")
        if below and isinstance(obj.get(key), dict):
            _remove(obj[key], below)
        elif not below and key != "metadata":
            obj.pop(key, None)


def _joined(one: JSONObject, other: JSONObject) -> JSONObject:
    return {**one, **{key: _joined(one.get(key, {}), below) for key, below in other.items()}}


Way = Callable[[Server, JSONObject], None]

_BEGINNINGS: Final[dict[str, Way]] = {
    "create": Server.create,
    "apply": Server.apply,
    "server-side apply": Server.apply_on_the_server,
}


def _moved(server: Server, manifest: JSONObject) -> None:
    server.apply_on_the_server(manifest)
    if any(each["manager"] == "kubectl-client-side-apply" for each in server.stored["metadata"]["managedFields"]):  # type: ignore[index]
        server.move()
    server.apply_on_the_server(manifest)
    server.label()
    server.apply_on_the_server(manifest)


def _moved_with_others_between(server: Server, manifest: JSONObject) -> None:
    server.apply_on_the_server(manifest)
    if any(each["manager"] == "kubectl-client-side-apply" for each in server.stored["metadata"]["managedFields"]):  # type: ignore[index]
        server.move()
    server.label()
    server.apply_on_the_server(manifest)


def _replaced(server: Server, manifest: JSONObject) -> None:
    server.replace(manifest)
    server.replace(manifest)


def _from_two_managers(server: Server, manifest: JSONObject) -> None:
    server.apply_on_the_server({**manifest, "spec": {}}, manager="other")
    server.apply_on_the_server(manifest)


def _replaced_and_applied(server: Server, manifest: JSONObject) -> None:
    server.replace(manifest, manager="terraform")
    server.apply(manifest)
    server.replace(manifest)
    server.apply_on_the_server(manifest)


def _edited(server: Server, _: JSONObject) -> None:
    server.label()
    server.label()


_GOING_ON: Final[dict[str, Way]] = {
    "edit": _edited,
    "apply": Server.apply,
    "replace": _replaced,
    "move to server-side apply": _moved,
    "move with others between": _moved_with_others_between,
    "second manager": _from_two_managers,
    "one way and another": _replaced_and_applied,
}


def lost(server: Server, case: Case) -> dict[Path, Any]:
    """The filled-in values that are missing, each with the present value."""
    assert server.stored is not None
    found = {}
    for path, value in _fills(case).items():
        holder = lookup(server.stored, path[:-1])
        there = value in holder if isinstance(holder, list) else lookup(server.stored, path) == value
        if not there:
            found[path] = lookup(server.stored, path)
    return found


def _stays(case: Case, configured: Case, beginning: str) -> None:
    """Write an object in each way: the values that were filled in at the beginning stay, and nothing is refused. A creation keeps the CRD's
    defaults.
    """
    manifest = copy.deepcopy(case.object)
    defaults = decide(case.request(), case.facts(), case.configuration(), Phase.APISERVER).object
    for going_on in _GOING_ON.values():
        server = Server(configured)
        _BEGINNINGS[beginning](server, manifest)
        left = lost(server, case)
        assert left == ({path: lookup(defaults, path) for path in left} if beginning == "create" else {})
        assert None not in left.values()
        going_on(server, manifest)
        assert lost(server, case).items() <= left.items()


@pytest.mark.parametrize("beginning", _BEGINNINGS)
@pytest.mark.parametrize("case", FILLED, ids=lambda case: case.id)
def test_what_was_filled_in_is_there_whichever_way_the_object_is_written(case: Case, beginning: str) -> None:
    _stays(case, case, beginning)


@pytest.mark.parametrize("beginning", _BEGINNINGS)
@pytest.mark.parametrize("case", [case for case in FILLED if "ServiceTemplate" in case.object["kind"]], ids=lambda case: case.id)
def test_what_never_changes_is_there_without_a_record_too(case: Case, beginning: str) -> None:
    unrecorded = replace(case, config={**(case.config or {}), "annotations": {"objects": False}})
    _stays(case, unrecorded, beginning)


def test_a_creation_fills_in_what_would_be_refused() -> None:
    refused = {"fills-in-the-resource-of-an-h100-in-the-old-group", "fills-the-kind-of-a-model-of-the-namespace"}
    found = [case for case in FILLED if case.folder.name in refused]
    assert len(found) == len(refused)
    for case in found:
        server = Server(case)
        server.create(case.object)
        assert lost(server, case) == {}


def test_every_family_that_fills_something_in_is_looked_at() -> None:
    written = ((family_of(case.object["apiVersion"].partition("/")[0]), case.object["kind"]) for case in FILLED)
    found = {(family.name, kind) for family, kind in written if family is not None}
    filled = {(family.name, fill.kind) for family in families() for fill in family.fills}
    assert found <= filled
    lacking = ", ".join(f"{kind} of {family}" for family, kind in sorted(filled - found))
    assert not lacking, f"{lacking}: add a case that is allowed and expects the filled-in field, as a `patch` or in `object`"
