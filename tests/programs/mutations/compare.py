"""Sends the objects of set-ups to a real kube-apiserver and to the engine, and compares the outcomes.

The server goes through policies, and through the fields of an object with mistakes, in the random order of Go's maps. So a request with a
different answer is sent again, and one equal answer is enough.
"""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import permutations, product
from typing import Final

from tests.programs.differential.connection import Connections, Reply
from tests.programs.mutations.draw import Draw, Sent, Setup
from tests.programs.mutations.stage import CRD, FIRST_STABLE, collection_of, install, remove, send_policy, store, wait
from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import (
    FieldValidation,
    GroupVersionKind,
    GroupVersionResource,
    JSONObject,
    JSONValue,
    Operation,
    metadata_of,
)
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import ServerRelease, judging, release
from weighbridge.policies.verdict.engine import Phase, decide

_COMPLETE: Final = frozenset({
    ("", "ConfigMap"), ("", "LimitRange"), ("", "Namespace"), ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("networking.k8s.io", "IngressClass"), ("scheduling.k8s.io", "PriorityClass"), ("storage.k8s.io", "StorageClass"),
})  # fmt: skip
_MOST_TIMES: Final = 6
_UNKNOWABLE: Final = ("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink")
_DRAWN: Final = re.compile(r"(m\d+-\d+-)[bcdfghjklmnpqrstvwxz2456789]{5}\b")
_WHOLE: Final = re.compile(r"(?s)(Object 'Kind' is missing in ').*")
_UNDECLARED: Final = ": field not declared in schema"
_LABEL: Final = re.compile(r'("setup":)"[^"]*"')
_TIME: Final = re.compile(r'("lastPhaseTransitionTime":)"[^"]*"')
_UUID: Final = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_POINTER: Final = re.compile("0x[0-9a-f]{8,}")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as the client gets it: the status, the text, its causes, the warnings, and the object as JSON."""

    code: int
    message: str = ""
    causes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    object: str = ""


#: Turns the engine's decision on a request into an answer as the client gets it.
Answering = Callable[[Sent, Decision], Answer]


@dataclass(frozen=True, slots=True)
class Difference:
    """A request that is answered differently."""

    setup: Setup
    sent: Sent
    theirs: Answer
    ours: Answer


@dataclass(slots=True)
class Result:
    """The result of a run. `unstored` are the policies that the server refused, with its messages."""

    requests: int = 0
    codes: dict[int, int] = field(default_factory=dict)
    unchecked: dict[str, int] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    unstored: list[tuple[JSONObject, str]] = field(default_factory=list)
    offered: int = 0
    misjudged: list[tuple[JSONObject, str, str]] = field(default_factory=list)


def run(connections: Connections, count: int, seed: int, draw: type[Draw] = Draw, answer: Answering | None = None) -> Result:
    """Set up a number of policies with their objects, all at once, and compare; `answer` turns the engine's decision into an answer."""
    found = Result()
    install(connections)
    setups = [draw(seed * 100_003 + number).setup(number) for number in range(count)]
    try:
        for number, setup in enumerate(setups):
            found.unstored += store(connections, setup)
            if draw is Draw and release().version >= FIRST_STABLE:
                _refuse(connections, Draw(seed * 200_003 + number).broken(f"broken-{number}"), found)
        wait(connections)
        pairs = [(setup, sent) for setup in setups for sent in setup.requests]
        server = release()

        def compared(pair: tuple[Setup, Sent]) -> tuple[Answer, Answer, str]:
            with judging(server):
                return _compared(connections, *pair, answer or of_engine)

        with ThreadPoolExecutor(4) as pool:
            for (setup, sent), (theirs, ours, unchecked) in zip(pairs, pool.map(compared, pairs), strict=True):
                _take(found, setup, sent, theirs, ours, unchecked)
    finally:
        for setup in setups:
            remove(connections, setup)
    return found


def _take(found: Result, setup: Setup, sent: Sent, theirs: Answer, ours: Answer, unchecked: str) -> None:
    found.requests += 1
    found.codes[theirs.code] = found.codes.get(theirs.code, 0) + 1
    if unchecked:
        found.unchecked[unchecked] = found.unchecked.get(unchecked, 0) + 1
    elif theirs != ours:
        found.differences.append(Difference(setup, sent, theirs, ours))


def _refuse(connections: Connections, policy: JSONObject, found: Result) -> None:
    """Compare the answers of the server and of the engine to a policy that is written."""
    reply = send_policy(connections, policy, "?dryRun=All&fieldValidation=Strict")
    assert isinstance(reply.body, dict)
    theirs = "" if reply.code == 201 else reply.body["message"]
    gvk = GroupVersionKind.from_object(policy)
    assert gvk is not None
    name = policy["metadata"]["name"]
    request = Request("1", Operation.CREATE, gvk, policy, name=name, dry_run=True, field_validation=FieldValidation.STRICT)
    ours = decide(request, Facts(_definitions(release())), Configuration(), Phase.APISERVER).message
    found.offered += 1
    if theirs != ours:
        found.misjudged.append((policy, theirs, ours))


# --- both answers ---


def _compared(connections: Connections, setup: Setup, sent: Sent, answer: Answering) -> tuple[Answer, Answer, str]:
    decision = ask_engine(setup, sent)
    others = list(_in_other_orders(setup, sent, answer))
    every = list(dict.fromkeys([answer(sent, decision), *(found for found, _ in others)]))
    theirs = of_server(sent, ask_server(connections, sent))
    for _ in range(_MOST_TIMES - 1):
        if theirs in every:
            break
        # Parameters reach the server's policies a moment after they are stored.
        time.sleep(0.1)
        again = of_server(sent, ask_server(connections, sent))
        theirs = again if again in every else theirs
    if theirs in every:
        return theirs, theirs, _unchecked(decision)
    # The server may have evaluated in an order in which some value isn't known.
    return theirs, every[0], next(filter(None, map(_unchecked, (decision, *(other for _, other in others)))), "")


def _unchecked(decision: Decision) -> str:
    return next((entry.reason for entry in decision.unchecked if "AdmissionPolicy" in entry.subject), "")


def _in_other_orders(setup: Setup, sent: Sent, answer: Answering) -> Iterator[tuple[Answer, Decision]]:
    """The engine's answers and decisions with other orders of policies and bindings. The order follows their names, so these are
    swapped.
    """
    bindings: dict[str, list[str]] = {}
    for binding in setup.bindings:
        bindings.setdefault(binding["spec"]["policyName"], []).append(binding["metadata"]["name"])
    policies = [policy["metadata"]["name"] for policy in setup.policies]
    orders = [list(permutations(names)) for names in (policies, *bindings.values())]
    for chosen in product(*orders):
        names: dict[str, str] = {}
        for before, after in zip((policies, *bindings.values()), chosen, strict=True):
            names |= dict(zip(before, after, strict=True))
        if any(before != after for before, after in names.items()):
            renamed = Setup(setup.name, _renamed(setup.policies, names), _renamed(setup.bindings, names), setup.others, setup.validating)
            decision = ask_engine(renamed, sent)
            yield _renamed_back(answer(sent, decision), {after: before for before, after in names.items()}), decision


def _renamed(objects: list[JSONObject], names: Mapping[str, str]) -> list[JSONObject]:
    found = []
    for obj in objects:
        metadata, spec = {"name": names[obj["metadata"]["name"]]}, dict(obj["spec"])
        if "policyName" in spec:
            spec["policyName"] = names[spec["policyName"]]
        found.append({**obj, "metadata": metadata, "spec": spec})
    return found


def _renamed_back(answer: Answer, names: Mapping[str, str]) -> Answer:
    def renamed(text: str) -> str:
        return re.sub(r"(?<=')m\d+-\d+(-b\d+)?(?=')", lambda match: names.get(match[0], match[0]), text)

    return replace(answer, message=renamed(answer.message), causes=tuple(sorted(map(renamed, answer.causes))))


def _body(sent: Sent) -> JSONObject:
    if sent.subresource != "scale":
        return sent.body
    name = sent.body["metadata"]["name"]
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, "spec": {"replicas": sent.body["spec"].get("size", 1)}}


def ask_server(connections: Connections, sent: Sent) -> Reply:
    """The server's answer to a dry run; if the server panics it closes the connection, and the code is 0."""
    collection, options = collection_of(sent.body), f"?dryRun=All&fieldValidation={sent.validation}"
    try:
        if sent.stored is None:
            return connections.send_value("POST", collection + options, sent.body)
        path = f"{collection}/{sent.stored['metadata']['name']}{f'/{sent.subresource}' if sent.subresource else ''}"
        return connections.send_value("PUT", path + options, _body(sent))
    except http.client.RemoteDisconnected:
        return Reply(0, "no answer", [])


@cache
def _definitions(server: ServerRelease) -> Definitions:
    return Definitions.from_manifests([CRD], server=server)


def facts_of(setup: Setup) -> Facts:
    """The engine's facts: the CRD, the namespace, and the stored objects of the set-up."""
    namespace = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "default", "labels": {"kubernetes.io/metadata.name": "default"}},
    }
    objects = [CRD, namespace, *setup.policies, *setup.bindings, *setup.others, *setup.validating]
    return from_objects(objects, _definitions(release()), extent=Extent(complete=_COMPLETE))


def ask_engine(setup: Setup, sent: Sent) -> Decision:
    """The engine's answer, with the steps of `dry-run --stage apiserver`."""
    body = _body(sent)
    gvk = GroupVersionKind.from_object(body)
    assert gvk is not None
    request = Request(
        uid="1",
        operation=Operation.CREATE if sent.stored is None else Operation.UPDATE,
        gvk=gvk,
        object=body,
        old_object=sent.stored,
        resource=_resource(sent.body),
        subresource=sent.subresource,
        namespace="default" if "/namespaces/" in collection_of(sent.body) else "",
        name=(sent.stored or sent.body)["metadata"].get("name", ""),
        dry_run=True,
        field_validation=sent.validation,
    )
    return decide(request, facts_of(setup), Configuration(), Phase.APISERVER)


def _resource(body: JSONObject) -> GroupVersionResource:
    group, _, version = body["apiVersion"].rpartition("/")
    return GroupVersionResource(group, version, plural_of(body["kind"]))


def of_server(sent: Sent, reply: Reply) -> Answer:
    """The server's answer, without the parts that can't be equal."""
    if not isinstance(reply.body, dict):
        return Answer(reply.code, str(reply.body))
    if reply.code < 300:
        return Answer(reply.code, warnings=_warnings(reply), object=_object(sent, reply.body))
    causes = (reply.body.get("details") or {}).get("causes") or []
    return Answer(reply.code, *_texts(reply.body.get("message", ""), causes), warnings=_warnings(reply))


def _warnings(reply: Reply) -> tuple[str, ...]:
    """The warnings of a reply, except those that a built-in kind always gets."""
    return tuple(sorted(text for text in reply.warnings if " is deprecated in v1." not in text))


def of_engine(sent: Sent, decision: Decision) -> Answer:
    """The engine's answer, without the parts that can't be equal."""
    warnings = tuple(sorted(decision.warnings))
    if decision.allowed:
        return Answer(decision.code, warnings=warnings, object=_object(sent, decision.object))
    return Answer(decision.code, *_texts(decision.message, decision.causes), warnings=warnings)


def _texts(message: str, causes: Sequence[JSONObject]) -> tuple[str, tuple[str, ...]]:
    if any(cause.get("field") == "metadata.name" and "immutable" in cause.get("message", "") for cause in causes):
        # The server's other errors on a built-in object aren't predicted here.
        return "renamed", ()
    unreadable = [cause["message"].rpartition("}: ")[2] for cause in causes if cause.get("field") == "metadata"]
    if unreadable:
        # The message shows the whole metadata, with values that only a server knows.
        return "unreadable metadata", tuple(unreadable)
    listed = tuple(sorted(_undrawn(f"{cause.get('reason', '')} {cause.get('field', '')} {cause.get('message', '')}") for cause in causes))
    head, separator, _ = message.partition(" is invalid: ")
    # The order of errors at one level is that of a Go map, and so random.
    return _undrawn(head + separator if separator and len(listed) > 1 else message), listed


def _undrawn(text: str) -> str:
    """A text without the parts that only a server knows or draws: the whole object, names, memory addresses, the order of several
    errors.
    """
    text = _WHOLE.sub(r"\1…", text)
    head, separator, errors = text.partition("errors:\n")
    if separator:
        listed = sorted(errors.split("\n"))
        # The server stops at an undeclared field, at random before or after it finds the other mistakes.
        undeclared = [line.strip() for line in listed if line.endswith(_UNDECLARED)]
        text = head + (undeclared[0] if undeclared else separator + "\n".join(listed))
    head, separator, paths = text.partition("maps or structs: ")
    if separator:
        text = head + separator + ", ".join(sorted(paths.split(", ")))
    return _POINTER.sub("0x…", _DRAWN.sub(r"\1xxxxx", text))


def _object(sent: Sent, obj: JSONValue) -> str:
    if not isinstance(obj, dict):
        return json_text(obj)
    if sent.subresource == "scale":
        size = obj["spec"].get("replicas") if obj.get("kind") == "Scale" else obj["spec"].get("size")
        return json_text(size or 0)
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in _UNKNOWABLE}
    if metadata.get("generateName") and sent.stored is None and "name" not in sent.body["metadata"]:
        metadata.pop("name", None)
    # The label by which policies match the object isn't one of their changes.
    text = json_text(_sorted({**obj, "metadata": metadata}))
    return _UUID.sub("…", _TIME.sub(r'\1""', _LABEL.sub(r'\1""', text)))


def _sorted(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return list(map(_sorted, value)) if isinstance(value, list) else value


def report(result: Result, most: int = 20) -> Iterator[str]:
    """The differences, each with its policies and object, and a summary."""
    for found in result.differences[:most]:
        yield f"--- {found.setup.name}"
        for policy in found.setup.policies:
            spec = {key: value for key, value in policy["spec"].items() if key != "matchConstraints"}
            yield f"  policy  {json_text(spec)}"
        yield f"  sent    {found.sent.subresource} {json_text(found.sent.body)}"
        if found.sent.stored is not None:
            yield f"  stored  {json_text({key: found.sent.stored[key] for key in found.sent.stored if key != 'metadata'})}"
        yield f"  theirs  {found.theirs}"
        yield f"  ours    {found.ours}"
    for policy, theirs, ours in result.misjudged[:most]:
        yield f"--- policy  {json_text(policy['spec'])}"
        yield f"  theirs  {theirs}"
        yield f"  ours    {ours}"
    for reason, number in sorted(result.unchecked.items()):
        yield f"{number} not checked: {reason}"
    for policy, message in result.unstored[:most]:
        yield f"not stored: {json_text(policy['spec'].get('variables'))} {json_text(policy['spec']['mutations'])} {message}"
    codes = ", ".join(f"{number} x {code}" for code, number in sorted(result.codes.items()))
    yield f"{result.requests} requests ({codes}), {sum(result.unchecked.values())} unchecked, {len(result.unstored)} policies not stored"
    yield f"{result.offered} policies offered, {len(result.misjudged)} judged differently"
    yield f"{len(result.differences)} answered differently"
