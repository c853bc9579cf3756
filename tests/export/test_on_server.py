"""The exported policies on a real kube-apiserver: it refuses what Weighbridge refuses, with the same words."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from tests.export.parts import DEFINITIONS, NAMESPACES, REQUESTS, Verdict, configuration, exported, facts, namespace, ours, request
from tests.export.test_rules import RULES, case
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.policies.client import Answer, Client, audit_flags, audited
from tests.yaml_documents import read
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.bundled import bundled_crds

pytestmark = [pytest.mark.control_plane, pytest.mark.timeout(400)]
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
PLURALS = {
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
    "MutatingAdmissionPolicy": "mutatingadmissionpolicies",
    "MutatingAdmissionPolicyBinding": "mutatingadmissionpolicybindings",
}
SECONDS = 60
TRIES = 20
#: The annotation in which a server lists the failed validations.
_FAILURES: Final = "validation.policy.admission.k8s.io/validation_failure"


def write(client: Client, objects: Iterable[JSONObject]) -> None:
    """Create policies and bindings; the server checks and stores each."""
    for obj in objects:
        client.must("POST", f"/apis/{obj['apiVersion']}/{PLURALS[obj['kind']]}", obj)


def install(client: Client, kinds: Iterable[GroupVersionKind]) -> None:
    """Create namespaces and the CRDs of these kinds, and wait until they are served."""
    wanted = {(gvk.group, gvk.kind) for gvk in kinds}
    for name in NAMESPACES:
        client.must("POST", "/api/v1/namespaces", namespace(name))
    for crd in bundled_crds():
        if (crd["spec"]["group"], crd["spec"]["names"]["kind"]) in wanted:
            client.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
    for gvk in kinds:
        until(lambda gvk=gvk: client.send("GET", path(definition(gvk), "default")).code == 200)


def definition(gvk: GroupVersionKind) -> ResourceDefinition:
    """The definition of a kind."""
    found = DEFINITIONS.get(gvk)
    assert found is not None
    return found


def path(of: ResourceDefinition, place: str) -> str:
    """The path of a kind's objects."""
    return f"/apis/{of.gvk.group}/{of.gvk.version}/{f'namespaces/{place}/' if of.namespaced else ''}{of.plural}"


def until(holds: Any) -> None:
    """Wait until something holds."""
    for _ in range(SECONDS * 5):
        if holds():
            return
        time.sleep(0.2)
    raise AssertionError("the server doesn't come so far")


def settled(difference: Callable[[], str]) -> str:
    """A difference that stays. The server applies new policies only after a moment, which differs from policy to policy."""
    for _ in range(TRIES):
        if not difference():
            return ""
        time.sleep(0.5)
    return difference()


def asked(client: Client, obj: JSONObject, old: JSONObject | None) -> Answer:
    """The answer to a dry run for an object. The object that it replaces is written before, while there is no policy."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    where = path(definition(gvk), namespace_of(obj) or "default")
    if old is None:
        return client.send("POST", f"{where}?dryRun=All", obj)
    version = client.must("GET", f"{where}/{name_of(old)}")["metadata"]["resourceVersion"]
    new = {**obj, "metadata": {**obj["metadata"], "resourceVersion": version}}
    return client.send("PUT", f"{where}/{name_of(old)}?dryRun=All", new)


def said(answer: Answer) -> Verdict:
    """The texts of an answer without the names of policies and bindings."""
    refusal = answer.body["message"].partition("denied request: ")[2] if answer.code >= 300 else ""
    warnings = (text for text in answer.warnings if text.startswith("Validation failed for"))
    return Verdict([refusal] if refusal else [], sorted(text.partition("with binding '")[2].partition("': ")[2] for text in warnings))


@pytest.fixture
def client(start_control_plane: StartControlPlane) -> Iterator[Client]:
    with Client(start_control_plane()) as made:
        yield made


def test_the_server_refuses_what_the_policies_of_the_configuration_refuse(client: Client) -> None:
    config = configuration()
    found = exported(config)
    install(client, list(dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds)))
    models = definition(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"))
    creations = [(obj, old) for obj, old in REQUESTS if old is None]
    write(client, found.objects)
    first = next(obj for obj, _ in creations if ours(config, request(obj)).refusals)
    until(lambda: said(asked(client, first, None)).refusals)
    compared = [_compare(client, config, obj, old) for obj, old in creations]
    bindings = [one for one in found.objects if one["kind"].endswith("Binding")]
    for round_ in rounds([(obj, old) for obj, old in REQUESTS if old is not None]):
        # The policies may refuse the object that an update replaces, so it is stored without them.
        for binding in bindings:
            client.must("DELETE", f"{ADMISSION}/{PLURALS[binding['kind']]}/{name_of(binding)}")
        for _, old in round_:
            until(lambda old=old: client.send("POST", path(models, namespace_of(old)), old).code == 201)
        write(client, bindings)
        until(lambda: said(asked(client, first, None)).refusals)
        compared += [_compare(client, config, obj, old) for obj, old in round_]
        for _, old in round_:
            client.must("DELETE", f"{path(models, namespace_of(old))}/{name_of(old)}")
    assert [difference for difference in compared if difference] == []
    assert len(compared) == len(REQUESTS)


def rounds(updates: list[tuple[JSONObject, JSONObject]]) -> Iterator[list[tuple[JSONObject, JSONObject]]]:
    """Updates of different objects at a time."""
    while updates:
        now = {(namespace_of(old), name_of(old)): (obj, old) for obj, old in updates}
        yield list(now.values())
        updates = [one for one in updates if one not in now.values()]


def _compare(client: Client, config: Any, obj: JSONObject, old: JSONObject | None) -> str:
    """The differences of the server's answer. If there are several refusals, it returns a random one."""
    mine = ours(config, request(obj, old))

    def difference() -> str:
        theirs = said(asked(client, obj, old))
        is_same = (
            bool(mine.refusals) == bool(theirs.refusals) and {*theirs.refusals} <= {*mine.refusals} and mine.warnings == theirs.warnings
        )
        return "" if is_same else f"{name_of(obj)} in {namespace_of(obj)} of {old}: {mine} {theirs}"

    return settled(difference)


def test_the_audit_log_has_what_is_only_recorded(start_control_plane: StartControlPlane, tmp_path: Path) -> None:
    document = read((Path(__file__).parent / "config.yaml").read_text(encoding="utf-8"))
    config, audited_only = configuration(), configuration({**document, "mode": "audit"})
    creations = [obj for obj, old in REQUESTS if old is None]
    mine = [ours(config, request(obj)) for obj in creations]
    with Client(start_control_plane(apiserver_flags=audit_flags(tmp_path))) as client:
        found = exported(config)
        install(client, list(dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds)))
        write(client, found.objects)
        until(lambda: [bool(said(asked(client, obj, None)).refusals) for obj in creations] == [bool(one.refusals) for one in mine])
        ask(client, creations, "enforced")
        bindings = [one for one in exported(audited_only).objects if one["kind"].endswith("Binding")]
        for binding in bindings:
            client.must("PUT", f"{ADMISSION}/{PLURALS[binding['kind']]}/{name_of(binding)}", _newer(client, binding))
        until(lambda: not any(said(asked(client, obj, None)).refusals for obj in creations))
        ask(client, creations, "audited")
    log = audited(tmp_path)
    for name, actions, wanted in (
        ("enforced", ["Audit"], [one.notes for one in mine]),
        ("audited", ["Warn", "Audit"], [sorted(one.refusals) for one in mine]),
    ):
        failures = [json.loads(log[f"{name}-{number}"].get(_FAILURES, "[]")) for number in range(len(creations))]
        recorded = [sorted(one["message"] for one in found if one["validationActions"] == actions) for found in failures]
        if release().audits_all_failures:
            assert recorded == wanted
        else:
            # Before that release only the first failure of a request is recorded.
            assert all({*there} <= {*here} for there, here in zip(recorded, wanted, strict=True))
        assert sum(map(bool, recorded)) >= (15 if name == "audited" else 2)


def ask(client: Client, objects: Iterable[JSONObject], name: str) -> None:
    """Send a request for each object once, with ids that the audit log has."""
    for number, obj in enumerate(objects):
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        client.send("POST", f"{path(definition(gvk), namespace_of(obj))}?dryRun=All", obj, f"{name}-{number}")


def _newer(client: Client, obj: JSONObject) -> JSONObject:
    """An object that replaces the one of its name."""
    held = client.must("GET", f"{ADMISSION}/{PLURALS[obj['kind']]}/{name_of(obj)}")
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": held["metadata"]["resourceVersion"]}}


@dataclass(frozen=True)
class Asked:
    """An object of a rule's cases, the object that it replaces, the rules' findings on it, and the ids of the rules that must have one."""

    obj: JSONObject
    old: JSONObject | None
    said: Verdict
    speaking: Sequence[str]


def test_the_server_refuses_what_the_rules_refuse(client: Client) -> None:
    rules = [(family, rule) for family, rule in RULES if str(rule.severity) != "note"]
    found = exported(DEFAULT, *(rule.id for _, rule in rules))
    # Some use functions of CEL that came after the oldest release.
    assert all("wouldn't store it" in why for _, why in found.left)
    left = {name.partition(" ")[0] for name, _ in found.left}
    rules = [(family, rule) for family, rule in rules if rule.id not in left]
    install(client, list(dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds)))
    asked_of = list(_cases(rules))
    for name in {namespace_of(one.obj) for one in asked_of} - {"", "default", *NAMESPACES}:
        client.must("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    for one in asked_of:
        if one.old is not None:
            _keep(client, one.old)
    write(client, found.objects)
    compared = [settled(partial(_compare_rules, client, one)) for one in asked_of]
    assert [difference for difference in compared if difference] == []
    spoken = {id_ for one in asked_of for id_ in one.speaking}
    # The CRD of v1 refuses an empty selector of a pool.
    assert {rule.id for _, rule in rules} - spoken == {"GIE-009"}


def _cases(rules: Sequence[tuple[Family, Rule]]) -> Iterator[Asked]:
    """The cases of the rules that the server stores, each once and with its own object."""
    ids = [rule.id for _, rule in rules]
    bad: dict[tuple[str, str], list[str]] = {}
    for family, rule in rules:
        bad.setdefault((family.name, rule.bad), []).append(rule.id)
    families = {(family.name, name): family for family, rule in rules for name in (rule.good, rule.bad)}
    for number, (where, family) in enumerate(families.items()):
        obj, old = case(family, where[1])
        if old is not None:
            obj, old = ({**one, "metadata": {**one["metadata"], "name": f"case-{number}"}} for one in (obj, old))
        before = None if old is None else _stored(old, None, family)
        if old is not None and before is not None and "status" in old:
            before["status"] = old["status"]
        stored = _stored(obj, before, family)
        if stored is not None:
            yield Asked(stored, before, _said_by(stored, before, ids), bad.get(where, ()))


def _keep(client: Client, old: JSONObject) -> None:
    """Store the object that an update replaces, with its status."""
    made = client.must("POST", _path_of(old), old)
    if "status" in old:
        client.must("PUT", f"{_path_of(old)}/{name_of(old)}/status", {**made, "status": old["status"]})


def _stored(obj: JSONObject, old: JSONObject | None, family: Family) -> JSONObject | None:
    """An object as the server stores it, after the operator's own webhook if it is refused without that; `None` if it doesn't."""
    place = {"namespace": namespace_of(obj) or "default"} if _is_namespaced(obj) else {}
    placed = {**obj, "metadata": {**obj["metadata"], **place}}
    decision = decide(request(placed, old), facts(), DEFAULT, Phase.APISERVER)
    rewrite = family.rewrite.get(obj["kind"])
    if not decision.allowed and rewrite is not None:
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        rewritten = rewrite(placed, definition(gvk).openapi_schema).object
        decision = decide(request(rewritten, old), facts(), DEFAULT, Phase.APISERVER)
    return decision.object if decision.allowed and isinstance(decision.object, dict) else None


def _said_by(obj: JSONObject, old: JSONObject | None, ids: Sequence[str]) -> Verdict:
    """The findings of these rules on an object that the server stores."""
    findings = [one for one in decide(request(obj, old), facts(), DEFAULT, Phase.VALIDATE).findings if one.rule in ids]
    texts = {weight: [f"{one} ({one.rule})" for one in findings if str(one.severity) == weight] for weight in ("error", "warning")}
    return Verdict(texts["error"], texts["warning"])


def _compare_rules(client: Client, one: Asked) -> str:
    """The differences of the server's answer from the rules. If there are several refusals, it returns a random one."""
    theirs = said(asked(client, one.obj, one.old))
    told = [*theirs.refusals, *theirs.warnings]
    refused = [text for text in one.said.refusals if text.rpartition("(")[2].removesuffix(")") in one.speaking]
    speaks = all(any(f"({id_})" in text for text in (*told, *refused[: len(theirs.refusals)])) for id_ in one.speaking)
    is_known = {*one.said.refusals}.issuperset(theirs.refusals) and {*one.said.warnings}.issuperset(theirs.warnings)
    is_same = speaks and is_known and bool(one.said.refusals) == bool(theirs.refusals)
    return "" if is_same else f"{one.speaking} {name_of(one.obj)}: {one.said} {theirs}"


def _path_of(obj: JSONObject) -> str:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return path(definition(gvk), namespace_of(obj))


def _is_namespaced(obj: JSONObject) -> bool:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return definition(gvk).namespaced
