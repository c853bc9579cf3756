"""Compares the server's answers to a plain request and to kubectl with the engine's: the same verdict, object and words."""

from __future__ import annotations

import copy
import re
import subprocess
from pathlib import Path

from tests.doors.cases import Case
from tests.e2e.cluster import LAST_APPLIED, Cluster, stored, without_manifest, without_servers_own
from tests.e2e.process import TurningProcess
from tests.programs.differential.connection import Reply
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.server_release import USUAL, release
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions

Completed = subprocess.CompletedProcess[str]


def decision_of(case: Case) -> Decision:
    """The engine's decision for the release in force. The decision for the usual release is kept with the case."""
    return case.decision if release() is USUAL else decide(case.request(), case.facts(), case.configuration())


def paths_of(case: Case) -> list[Path | None]:
    """The cluster and the configuration of a case, if it has them."""
    return [case.file("cluster"), case.file("config")]


def created_alike(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    """Create the object of a case, and compare."""
    webhook.turn(*paths_of(case))
    answered_alike(created(cluster, case.object, case.field_validation, as_sent=sent_by(case)), decision_of(case))


def sent_by(case: Case) -> JSONObject:
    """The object of a case as the server gets it.

    The schema of a server without the operator refuses what the operator's webhook completes. Only an object that both accept is sent as
    its author wrote it.
    """
    alone = decide(case.request(), case.facts(), case.configuration(), Phase.APISERVER)
    return case.object if alone.allowed and decision_of(case).allowed else rewritten(case.object)


def needs_the_operator(case: Case) -> bool:
    """Whether the operator's webhook writes a null: the server drops a null in a request, and keeps one that a webhook writes."""
    return any(entry.value is None and entry.source.endswith("'s webhook") for entry in case.decision.provenance)


def created(cluster: Cluster, obj: JSONObject, field_validation: str = "Strict", *, as_sent: JSONObject | None = None) -> Reply:
    """The server's answer to a dry-run creation; the manifest is kept in the object, so that it shows what the author wrote."""
    sent = copy.deepcopy(obj if as_sent is None else as_sent)
    keep_manifest(sent, obj)
    return cluster.connections.send_value("POST", f"{url_of(obj).rpartition('/')[0]}?dryRun=All&fieldValidation={field_validation}", sent)


def updated_alike(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    """Create the old object of a case, update it, and compare."""
    webhook.turn(lets_all_in=True)
    url = url_of(case.object)
    old = cluster.connections.send_value("POST", url.rpartition("/")[0], case.old)
    assert old.code == 201, old.body
    if "status" in case.old and "status" not in old.body:
        # The server accepts a status only through the subresource.
        old = cluster.connections.send_value("PUT", f"{url}/status", {**old.body, "status": case.old["status"]})
        assert old.code == 200, old.body
    webhook.turn(*paths_of(case))
    update = copy.deepcopy(sent_by(case))
    update["metadata"]["resourceVersion"] = old.body["metadata"]["resourceVersion"]
    if "managedFields" not in update["metadata"]:
        keep_manifest(update, case.object)
    reply = cluster.connections.send_value("PUT", f"{url}?dryRun=All&fieldValidation=Strict", update)
    assert cluster.connections.send("DELETE", url).code == 200
    answered_alike(reply, decision_of(case))


def answered_alike(reply: Reply, decision: Decision) -> None:
    """Fail with the differences of the server's answer."""
    body: JSONObject = reply.body
    assert (reply.code < 300) is decision.allowed, body
    if decision.allowed:
        assert rewritten(without_manifest(without_servers_own(body))) == without_manifest(without_servers_own(decision.object))
        assert sorted(reply.warnings) == sorted(decision.warnings)
    else:
        assert (reply.code, body["message"]) == (decision.code, decision.message)
        if decision.causes:
            assert body["details"]["causes"] == list(decision.causes)


def rewritten(obj: JSONObject) -> JSONObject:
    """The object as the operator's own mutating webhook would have rewritten it; the cluster of these tests has no operator."""
    gvk = GroupVersionKind.from_object(obj)
    family = family_of(gvk.group) if gvk is not None else None
    definition = bundled_definitions().get(gvk) if gvk is not None else None
    rewrite = family.rewrite.get(gvk.kind) if family is not None and gvk is not None else None
    return rewrite(obj, definition.openapi_schema).object if rewrite is not None and definition is not None else obj


def keep_manifest(obj: JSONObject, manifest: JSONObject) -> None:
    """Write the manifest into an object as `kubectl apply` does."""
    annotations = obj["metadata"].get("annotations") or {}
    if LAST_APPLIED not in annotations:
        obj["metadata"]["annotations"] = {**annotations, LAST_APPLIED: json_text(manifest)}


def compare(done: Completed, decision: Decision, gvk: GroupVersionKind) -> None:
    """Fail with the differences of kubectl's output."""
    warnings, error = said(done.stderr)
    assert (done.returncode == 0) is decision.allowed, done.stderr
    if decision.allowed:
        assert rewritten(without_manifest(stored(done.stdout))) == without_manifest(without_servers_own(decision.object))
        assert sorted(warnings) == sorted(decision.warnings)
    elif decision.code == 422:
        # kubectl prints the causes of an Invalid answer in separate lines, so each is searched for.
        for cause in decision.causes:
            assert f"{cause['field']}: {cause['message']}" in " ".join(error.split()) or cause["message"] in error
    else:
        assert error == _as_kubectl(decision, gvk.kind, gvk.group)


def said(stderr: str) -> tuple[list[str], str]:
    """Warnings and error of kubectl, without its own words around the server's."""
    warnings = [line.removeprefix("Warning: ") for line in stderr.splitlines() if line.startswith("Warning: ")]
    error = "\n".join(line for line in stderr.splitlines() if not line.startswith("Warning: ")).strip()
    return warnings, re.sub(r'^Error from server(?: \(\w+\))?: (?:error when [a-z]+ "[^"]*": )?', "", error)


def _as_kubectl(decision: Decision, kind: str, group: str) -> str:
    """The message as kubectl prints it: for an Invalid answer it leaves out the group and adds a `The`."""
    if decision.code == 422:
        return "The " + decision.message.replace(f'{kind}.{group} "', f'{kind} "', 1).replace("is invalid: [", "is invalid: ", 1)
    return decision.message


def url_of(obj: JSONObject) -> str:
    """The server's path of an object of a family."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    family = family_of(gvk.group)
    kind = family.kind(gvk) if family is not None else None
    assert kind is not None
    within = f"/namespaces/{namespace_of(obj)}" if kind.namespaced else ""
    return f"/apis/{gvk.group}/{gvk.version}{within}/{kind.plural}/{name_of(obj)}"
