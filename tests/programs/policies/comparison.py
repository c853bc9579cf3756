"""Tries generated policies on a real kube-apiserver and here, round by round, and reports the differences."""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.programs.policies import generate, world
from tests.programs.policies.asked import Asked
from tests.programs.policies.client import Answer, Client, audited
from weighbridge.policies.admission_policies import validation
from weighbridge.policies.admission_policies.attributes import Attributes, attributes_of
from weighbridge.policies.admission_policies.validation import Judgement
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import (
    FieldValidation,
    GroupVersionKind,
    GroupVersionResource,
    JSONObject,
    JSONValue,
    Operation,
)
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import ServerRelease, judging, nearest, release
from weighbridge.policies.verdict.engine import Phase, decide

_ADMISSION: Final = "/apis/admissionregistration.k8s.io/v1"
_POLICIES: Final = f"{_ADMISSION}/validatingadmissionpolicies"
_BINDINGS: Final = f"{_ADMISSION}/validatingadmissionpolicybindings"
_OF_KIND: Final = {"ValidatingAdmissionPolicy": _POLICIES, "ValidatingAdmissionPolicyBinding": _BINDINGS}
_GENERATED: Final = re.compile(r"\bgen-[a-z0-9]{5}\b")
_FAILURES: Final = "validation.policy.admission.k8s.io/validation_failure"
#: A number above every seed.
_NEVER: Final = 1_000_000
#: The kinds whose objects are all known.
COMPLETE: Final = frozenset({
    ("", "Namespace"), ("", "ConfigMap"), (world.GROUP, "Limit"), (world.GROUP, "Ceiling"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
})  # fmt: skip


@dataclass(slots=True)
class Tally:
    """The counts of the comparison; `kinds` counts the answers by their kinds."""

    stored: int = 0
    decisions: int = 0
    unchecked: int = 0
    audits: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        return (
            f"{self.stored} policies and bindings written, {self.decisions} decisions ({kinds}; {self.unchecked} not checked), "
            f"{self.audits} audit events: {len(self.differences)} differ"
        )


class Comparison:
    """One server with its kinds, parameters and namespaces; each round has new policies."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._folder = folder
        self.tally = Tally()
        version = client.must("GET", "/version")["gitVersion"]
        found = nearest(version)
        assert found is not None
        self.release: ServerRelease = found
        self._user: JSONObject = {}
        self._definitions = Definitions.from_manifests(world.CRDS, server=found)
        self._audits: dict[str, tuple[str, Judgement]] = {}

    def prepare(self) -> None:
        """Create the kinds, the namespaces and the parameters."""
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
        self._user = self._client.must("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review)["status"]["userInfo"]
        for crd in world.CRDS:
            self._client.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
            self._wait(f"/apis/{world.GROUP}/v1/{crd['spec']['names']['plural']}")
        for name, labels in world.NAMESPACES.items():
            self._client.must("POST", "/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
        for obj in world.settings():
            self._client.must("POST", f"/api/v1/namespaces/{obj['metadata']['namespace']}/configmaps", obj)
        for obj in world.parameters():
            self._client.must("POST", _collection(obj), obj)
        # A server drops the parameters of a kind that no policy uses, and those of built-in kinds for good.
        for number, kind in enumerate(
            (("v1", "ConfigMap"), (f"{world.GROUP}/v1", "Limit"), (f"{world.GROUP}/v2", "Limit"), (f"{world.GROUP}/v1", "Ceiling"))
        ):
            for obj in _keeper(number, *kind):
                self._client.must("POST", _OF_KIND[obj["kind"]], obj)

    def _wait(self, path: str) -> None:
        deadline = time.monotonic() + 30
        while self._client.send("GET", path).code != 200:
            if time.monotonic() > deadline:
                raise TimeoutError(path)
            time.sleep(0.1)

    def round(self, seed: int, policies: int, requests: int) -> None:
        """One round: its objects, its policies, and requests about each of them."""
        with judging(self.release):
            for slot in range(policies):
                self._store_objects(random.Random(f"{seed}-{slot}-stored"), slot)
            written = [obj for slot in range(policies) for obj in self._write(generate.policy(slot, f"{seed}-{slot}"))]
            written += self._settle(seed)
            facts = self._facts()
            for slot in range(policies):
                dice = random.Random(f"{seed}-{slot}-requests")
                for number in range(requests):
                    name, asked = f"{seed}-{slot}-{number}", self._asked(dice, slot, number)
                    self._compare(name, asked if dice.randrange(6) else asked.in_earnest(name), facts)
        self._remove(written)
        # Until the server has noticed the deletion, no object of the next round could be written.
        self._remove(self._settle(seed + _NEVER))
        for path in (_path("gadgets", ""), *(_path("widgets", namespace) for namespace in world.NAMESPACES)):
            self._client.send("DELETE", path)

    def _remove(self, written: list[JSONObject]) -> None:
        for obj in written:
            self._client.send("DELETE", f"{_OF_KIND[obj['kind']]}/{obj['metadata']['name']}")

    def _store_objects(self, dice: random.Random, slot: int) -> None:
        draw = generate.Draw(dice)
        for kind, namespace in (("Widget", generate.namespace(draw)), ("Gadget", "")):
            obj = generate.body(draw, kind, slot, "v1", namespace)
            obj["metadata"].pop("generateName", None)
            obj["metadata"]["name"] = f"s{slot}"
            # Without a size the object has no scale.
            obj["spec"].setdefault("size", 2)
            self._client.must("POST", f"{_collection(obj)}?fieldValidation=Ignore", obj)

    def _write(self, objects: list[JSONObject]) -> Iterator[JSONObject]:
        """Write policies and bindings, and compare whether they are accepted."""
        for obj in objects:
            gvk = GroupVersionKind.from_object(obj)
            assert gvk is not None
            request = Request("write", Operation.CREATE, gvk, obj, name=obj["metadata"]["name"], field_validation=FieldValidation.STRICT)
            ours = decide(request, Facts(self._definitions), DEFAULT, Phase.APISERVER)
            answer = self._client.send("POST", f"{_OF_KIND[obj['kind']]}?fieldValidation=Strict", obj)
            self.tally.stored += 1
            mine = (ours.code, ours.message if not ours.allowed else "")
            theirs = (answer.code, answer.body["message"] if answer.code >= 300 else "")
            # Our texts leave out anything that looks like a password in a URL, on purpose.
            if mine != theirs and "REDACTED" not in mine[1]:
                self.tally.differences.append(f"written {obj['metadata']['name']}\n  {json.dumps(obj)}\n  ours   {mine}\n  theirs {theirs}")
            if answer.code < 300:
                yield obj

    def _settle(self, seed: int) -> list[JSONObject]:
        """Wait until the written policies are in force, which shows when the last one refuses a certain object."""
        name = f"settled-{seed}"
        rules = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"], "resourceNames": [name]}]
        spec = {"matchConstraints": {"resourceRules": rules}, "validations": [{"expression": "false"}]}
        policy = {"apiVersion": generate.API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}
        bound = {"policyName": name, "validationActions": ["Deny"]}
        binding = {"apiVersion": generate.API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": bound}
        self._client.must("POST", _POLICIES, policy)
        self._client.must("POST", _BINDINGS, binding)
        deadline = time.monotonic() + 30
        while self._client.send("POST", "/api/v1/namespaces/plain/configmaps?dryRun=All", {"metadata": {"name": name}}).code != 422:
            if time.monotonic() > deadline:
                raise TimeoutError(name)
            time.sleep(0.2)
        return [policy, binding]

    def _facts(self) -> Facts:
        """The facts about the server: all policies, bindings, parameters and namespaces."""
        lists = (
            ("/api/v1/namespaces", "v1", "Namespace"),
            ("/api/v1/configmaps", "v1", "ConfigMap"),
            (f"/apis/{world.GROUP}/v1/limits", f"{world.GROUP}/v1", "Limit"),
            (f"/apis/{world.GROUP}/v1/ceilings", f"{world.GROUP}/v1", "Ceiling"),
            (_POLICIES, generate.API, "ValidatingAdmissionPolicy"),
            (_BINDINGS, generate.API, "ValidatingAdmissionPolicyBinding"),
        )
        objects = [
            {**item, "apiVersion": version, "kind": kind}
            for path, version, kind in lists
            for item in self._client.must("GET", path)["items"]
        ]
        return from_objects([*objects, *world.CRDS], self._definitions, extent=Extent(complete=COMPLETE))

    def _asked(self, dice: random.Random, slot: int, number: int) -> Asked:
        draw = generate.Draw(dice)
        kind = "Gadget" if draw.chance(15) else "Widget"
        version = "v1beta1" if kind == "Widget" and draw.chance(20) else "v1"
        match number % 8:
            case 0 | 1 | 2 | 3:
                namespace = generate.namespace(draw) if kind == "Widget" else ""
                obj = generate.body(draw, kind, slot, version, namespace)
                path = _path(f"{kind.lower()}s", namespace, version)
                request = self._request(Operation.CREATE, kind, version, obj, None, namespace)
                return Asked("POST", f"{path}?dryRun=All&fieldValidation=Warn", obj, request)
            case 4 | 5:
                return self._update(draw, slot, kind, version)
            case 6:
                return self._deletion(slot, kind, version)
        return self._subresource(draw, slot, version)

    def _stored(self, slot: int, kind: str, version: str, below: str = "") -> tuple[str, JSONObject]:
        """The path and the object that is stored for a slot."""
        if kind == "Gadget":
            path = f"{_path('gadgets', '', version)}/s{slot}{below}"
            return path, self._client.must("GET", path)
        for namespace in world.NAMESPACES:
            path = f"{_path('widgets', namespace, version)}/s{slot}{below}"
            answer = self._client.send("GET", path)
            if answer.code == 200:
                return path, answer.body
        raise LookupError(f"s{slot}")

    def _update(self, draw: generate.Draw, slot: int, kind: str, version: str) -> Asked:
        path, old = self._stored(slot, kind, version)
        namespace = old["metadata"].get("namespace", "")
        spec = old["spec"] if draw.chance(20) else generate.widget_spec(draw)
        metadata = {**old["metadata"], **({"labels": {"slot": str(slot), "a": "x"}} if draw.chance(20) else {})}
        if draw.chance(15):
            metadata |= draw.dice.choice(generate.ODD_METADATA)
        body = {**old, "spec": spec, "metadata": metadata}
        request = self._request(Operation.UPDATE, kind, version, body, old, namespace)
        return Asked("PUT", f"{path}?dryRun=All&fieldValidation=Warn", body, request)

    def _deletion(self, slot: int, kind: str, version: str) -> Asked:
        path, old = self._stored(slot, kind, version)
        request = self._request(Operation.DELETE, kind, version, None, old, old["metadata"].get("namespace", ""))
        return Asked("DELETE", f"{path}?dryRun=All", None, request)

    def _subresource(self, draw: generate.Draw, slot: int, version: str) -> Asked:
        if draw.chance(50):
            path, old = self._stored(slot, "Widget", version, "/status")
            body = generate.status_body(draw, old)
            request = self._request(Operation.UPDATE, "Widget", version, body, old, old["metadata"]["namespace"])
            return Asked("PUT", f"{path}?dryRun=All&fieldValidation=Warn", body, replace(request, subresource="status"))
        path, old = self._stored(slot, "Widget", version, "/scale")
        _, scaled = self._stored(slot, "Widget", version)
        body = {**old, "spec": {"replicas": draw.dice.choice((0, 1, 9))}}
        request = self._request(Operation.UPDATE, "Widget", version, body, scaled, old["metadata"]["namespace"])
        gvk = GroupVersionKind("autoscaling", "v1", "Scale")
        return Asked("PUT", f"{path}?dryRun=All&fieldValidation=Warn", body, replace(request, subresource="scale", gvk=gvk, old_object=old))

    def _request(self, operation: Operation, kind: str, version: str, obj: JSONValue, old: JSONValue, namespace: str) -> Request:
        known = old if isinstance(old, dict) else obj
        return Request(
            uid="compare",
            operation=operation,
            gvk=GroupVersionKind(world.GROUP, version, kind),
            object=obj,
            old_object=old,
            resource=GroupVersionResource(world.GROUP, version, f"{kind.lower()}s"),
            namespace=namespace,
            name=known["metadata"].get("name", ""),
            user_info=self._user,
            dry_run=True,
            field_validation=FieldValidation.WARN,
        )

    def _compare(self, name: str, asked: Asked, facts: Facts) -> None:
        judged: list[tuple[Attributes, Judgement]] = []
        judge = validation.judge

        def watched(attributes: Attributes, known: Facts) -> Judgement:
            found = judge(attributes, known)
            judged.append((attributes, found))
            return found

        with patch.object(validation, "judge", watched):
            # A scale reaches the engine only through the webhook, so its policies are asked here.
            ours = _scaled(asked.request, facts) if asked.request.subresource == "scale" else self._decided(asked.request, facts)
        answer = self._client.send(asked.method, asked.path, asked.body, audit=name)
        self.tally.decisions += 1
        if any(found.unchecked for _, found in judged):
            self.tally.unchecked += 1
            return
        refusals = [
            refusal
            for attributes, found in judged
            for denial in found.denials
            if (refusal := replace(found, denials=[denial]).refusal(attributes)) is not None
        ]
        theirs = _theirs(answer)
        causes = [[(cause.get("reason", ""), cause.get("field", ""), cause["message"]) for cause in refusal.causes] for refusal in refusals]
        possible = [
            (refusal.code, _plain(refusal.message), _plain(cause), sorted(map(_plain, ours.warnings)))
            for refusal, cause in zip(refusals, causes, strict=True)
        ] or [_ours(ours.code, ours.message, ours.causes, ours.warnings)]
        self.tally.kinds["refused by policy" if refusals else "warned" if ours.allowed and ours.warnings else str(answer.code)] += 1
        if theirs not in possible:
            shown = "\n         ".join(map(str, possible))
            self.tally.differences.append(
                f"{name} {asked.method} {asked.path}\n  body   {json.dumps(asked.body)}\n  ours   {shown}\n  theirs {theirs}"
            )
        elif judged:
            self._audits[name] = f"{asked.method} {asked.path}", judged[0][1]

    def _decided(self, request: Request, facts: Facts) -> Decision:
        return decide(request, facts, DEFAULT, Phase.APISERVER)

    def compare_audits(self) -> None:
        """Compare the annotations of the audit log."""
        events = audited(self._folder)
        with judging(self.release):
            for name, (what, judged) in self._audits.items():
                self.tally.audits += 1
                if name not in events or not _same_notes(judged, events[name]):
                    self.tally.differences.append(f"audit of {name} {what}\n  ours   {judged.annotations}\n  theirs {events.get(name)}")
        self._audits.clear()


def _scaled(request: Request, facts: Facts) -> Decision:
    """The decision on a scale, only by the policies."""
    found = validation.judge(attributes_of(request, request.object, request.old_object), facts)
    return Decision(allowed=not found.denials, code=200, warnings=tuple(found.warnings))


def _same_notes(judged: Judgement, theirs: dict[str, str]) -> bool:
    """Whether the annotations are equal, apart from the order of entries that the server writes in random order."""
    ours = judged.annotations
    if ours.keys() != theirs.keys():
        return False
    for key, text in ours.items():
        if key != _FAILURES:
            if sorted(text.split(", ")) != sorted(theirs[key].split(", ")):
                return False
            continue
        mine, told = map(json.loads, judged.failures), json.loads(theirs[key])
        known = sorted(mine, key=json.dumps)
        if sorted(told, key=json.dumps) != known if release().audits_all_failures else told[0] not in known or len(told) != 1:
            return False
    return True


def _keeper(number: int, version: str, kind: str) -> list[JSONObject]:
    name = f"keeper-{number}"
    rules = [{"apiGroups": ["none.test"], "apiVersions": ["*"], "operations": ["*"], "resources": ["nothing"]}]
    spec = {
        "paramKind": {"apiVersion": version, "kind": kind},
        "matchConstraints": {"resourceRules": rules},
        "validations": [{"expression": "true"}],
    }
    bound = {"policyName": name, "validationActions": ["Deny"], "paramRef": {"selector": {}, "parameterNotFoundAction": "Allow"}}
    return [
        {"apiVersion": generate.API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec},
        {"apiVersion": generate.API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": bound},
    ]


def _path(plural: str, namespace: str, version: str = "v1") -> str:
    place = f"/namespaces/{namespace}" if namespace else ""
    return f"/apis/{world.GROUP}/{version}{place}/{plural}"


def _collection(obj: JSONObject) -> str:
    return _path(f"{obj['kind'].lower()}s", obj["metadata"].get("namespace", ""), obj["apiVersion"].rpartition("/")[2])


def _plain(value: Any) -> Any:
    """A value without the names that the server draws."""
    return json.loads(_GENERATED.sub("gen-xxxxx", json.dumps(value)))


def _ours(code: int, message: str, causes: Any, warnings: Any) -> Any:
    told = sorted([cause.get("reason", ""), cause.get("field", ""), cause["message"]] for cause in causes)
    return code, _plain(message), _plain(told), sorted(map(_plain, warnings))


def _theirs(answer: Answer) -> Any:
    if answer.code < 300:
        return _ours(answer.code, "", [], answer.warnings)
    return _ours(answer.code, answer.body["message"], (answer.body.get("details") or {}).get("causes") or [], answer.warnings)
