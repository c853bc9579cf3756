"""``python -m tests.programs.policies.peers KYVERNO [rounds=3]``: compares our verdicts under the same policies with those of another
program.

A round has 40 generated ValidatingAdmissionPolicies with their bindings, and four creations for each. kube-apiserver's answers are compared
with `kyverno apply` and with `lint --policies`, each of which gets one policy with its parameters and objects as files. KYVERNO is the path
of Kyverno's CLI. KUBE names the release of the server.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.policies import generate, world
from tests.programs.policies.client import Client, audit_flags
from tests.programs.policies.comparison import COMPLETE, Comparison
from weighbridge.policies.facts.document import SnapshotHeader
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import judging

_POLICIES: Final = 40
_OBJECTS: Final = 4
#: The number of policies for which the time is measured, and the number of measurements.
_MEASURED: Final = 20
_TIMES: Final = 5
_BY_POLICY: Final = "ValidatingAdmissionPolicy"
#: The files that both programs get.
_POLICY_FILE: Final = "policies.yaml"
_PARAMETER_FILE: Final = "parameters.yaml"
_SNAPSHOT_FILE: Final = "snapshot.yaml"
_VALUES_FILE: Final = "values.yaml"
_CRD_FILE: Final = "crds.yaml"
_OBJECT_FILE: Final = "objects.yaml"
#: An object's kind, namespace and name.
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A policy with its bindings, and what the server answers to objects: `refused`, `warned` or `allowed`."""

    name: str
    policy: Sequence[JSONObject]
    objects: Sequence[JSONObject]
    answers: Mapping[_Key, str]
    matched: frozenset[_Key] = frozenset()

    def trait(self, key: _Key) -> str:
        """The special feature of the policy for an object."""
        policy, *bindings = (obj["spec"] for obj in self.policy)
        if key not in self.matched:
            return "the policy isn't for the object"
        if not any("Deny" in binding["validationActions"] for binding in bindings):
            return "no binding denies"
        return "with parameters" if "paramKind" in policy else "without parameters"

    def matching(self) -> Case:
        """The case with a policy that refuses every matching object."""
        policy, *bindings = self.policy
        spec = {"matchConstraints": policy["spec"]["matchConstraints"], "validations": [{"expression": "false"}]}
        kept = ("policyName", "matchResources")
        bound = [{key: obj["spec"][key] for key in kept if key in obj["spec"]} | {"validationActions": ["Deny"]} for obj in bindings]
        changed = [{**policy, "spec": spec}, *({**obj, "spec": own} for obj, own in zip(bindings, bound, strict=True))]
        return replace(self, policy=changed)

    def write(self, folder: Path) -> None:
        """Write the files."""
        _dump(folder / _POLICY_FILE, self.policy)
        _dump(folder / _OBJECT_FILE, self.objects)
        write_world(folder)


@dataclass(slots=True)
class Score:
    """How often a program agrees with the server; `differing` counts the other verdicts by their probable cause."""

    right: int = 0
    differing: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def count(self, case: Case, key: _Key, said: str) -> None:
        """Count a verdict."""
        theirs = "refused" if case.answers[key] == "refused" else "not refused"
        if said == theirs:
            self.right += 1
            return
        self.differing[f"server {case.answers[key]}, here {said}: {case.trait(key)}"] += 1
        self.examples.append(f"{case.name} {'/'.join(key)}: server {case.answers[key]}, here {said}: {case.trait(key)}")


class Recording(Comparison):
    """Writes policies to a server, and records its answers to creations."""

    def cases(self, seed: int, policies: int, objects: int) -> Iterator[Case]:
        """The cases of a round."""
        with judging(self.release):
            written = [list(self._write(generate.policy(slot, f"{seed}-{slot}"))) for slot in range(policies)]
            settled = self._settle(seed)
            for slot, policy in enumerate(written):
                if {obj["kind"] for obj in policy} == {_BY_POLICY, f"{_BY_POLICY}Binding"}:
                    yield self._case(f"{seed}-{slot}", slot, policy, objects)
            self._remove([*(obj for policy in written for obj in policy), *settled])

    def _case(self, name: str, slot: int, policy: list[JSONObject], objects: int) -> Case:
        dice = random.Random(f"{name}-peers")
        given: list[JSONObject] = []
        answers: dict[_Key, str] = {}
        for number in range(objects):
            asked = self._asked(dice, slot, number)
            body = asked.body
            assert isinstance(body, dict)
            key = _key(body)
            if not key[2] or key in answers:
                continue
            answer = self._client.send(asked.method, asked.path.replace("fieldValidation=Warn", "fieldValidation=Strict"), body)
            if answer.code < 300:
                answers[key] = "warned" if any(_BY_POLICY in text for text in answer.warnings) else "allowed"
            elif _BY_POLICY in str(answer.body.get("message")):
                answers[key] = "refused"
            else:
                continue
            given.append(body)
        return Case(name, policy, given, answers)


def write_world(folder: Path) -> None:
    """Write the files that are the same for all cases."""
    names = world.NAMESPACES.items()
    labelled = [{"name": name, "labels": labels | {"kubernetes.io/metadata.name": name}} for name, labels in names]
    namespaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata} for metadata in labelled]
    parameters = [*world.parameters(), *world.settings()]
    _dump(folder / _PARAMETER_FILE, parameters)
    _dump(folder / _SNAPSHOT_FILE, [SnapshotHeader(complete=tuple(COMPLETE)).document([*namespaces, *parameters, *world.CRDS])])
    values = {"apiVersion": "cli.kyverno.io/v1alpha1", "kind": "Value", "metadata": {"name": "values"}, "namespaceSelector": labelled}
    _dump(folder / _VALUES_FILE, [values])
    _dump(folder / _CRD_FILE, world.CRDS)


def _dump(path: Path, objects: Sequence[JSONObject]) -> None:
    path.write_text("---\n".join(f"{json.dumps(obj)}\n" for obj in objects), encoding="utf-8")


def _key(obj: JSONObject) -> _Key:
    metadata = obj["metadata"]
    return obj["kind"], metadata.get("namespace", ""), metadata.get("name", "")


def kyverno_command(program: str) -> list[str]:
    """The command line for Kyverno's CLI."""
    files = ("--resource", _OBJECT_FILE, "--parameter-resource", _PARAMETER_FILE, "--values-file", _VALUES_FILE, "--crd-paths", _CRD_FILE)
    return [program, "apply", _POLICY_FILE, *files, "--policy-report", "--output-format", "json", "--continue-on-fail"]


def lint_command() -> list[str]:
    """The command line for this program."""
    files = (_OBJECT_FILE, "--policies", _POLICY_FILE, "--cluster", _SNAPSHOT_FILE)
    return [sys.executable, "-m", "weighbridge", "lint", *files, "--isolated", "-o", "json"]


def kyverno_verdicts(output: str, case: Case) -> dict[_Key, str]:
    """Kyverno's verdict on each object. One with a failure or an error is refused; Kyverno's report doesn't have the actions of
    bindings.
    """
    found = dict.fromkeys(case.answers, "not refused")
    start = output.find("{")
    report: dict[str, Any] = json.JSONDecoder().raw_decode(output[start:])[0] if start >= 0 else {}
    for result in report.get("results") or ():
        for one in result.get("resources") or ():
            key = one["kind"], one.get("namespace", ""), one["name"]
            # Kyverno puts objects without a namespace into one.
            key = key if key in found else (one["kind"], "", one["name"])
            if key in found and result["result"] in {"fail", "error"}:
                found[key] = "refused"
    return found


def lint_verdicts(output: str, case: Case) -> dict[_Key, str]:
    """This program's verdict on each object; a policy that isn't checked is a separate verdict."""
    found = dict.fromkeys(case.answers, "not refused")
    for result, obj in zip(json.loads(output)["results"], case.objects, strict=True):
        if any(finding["rule"] == "K8S-009" for finding in result["findings"]):
            found[_key(obj)] = "refused"
        elif any(_BY_POLICY in entry["subject"] for entry in result["unchecked"]):
            found[_key(obj)] = "not checked"
    return found


def _asked(command: Sequence[str], folder: Path) -> str:
    # Without this, the answer of an earlier run could be used.
    environment = os.environ | {"WEIGHBRIDGE_CACHE": "off", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def _seconds(command: Sequence[str], folder: Path) -> float:
    """The CPU time of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _asked(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(cases: Sequence[Case], program: str) -> dict[str, Score]:
    """The scores of both programs."""
    ways: dict[str, tuple[list[str], Callable[[str, Case], dict[_Key, str]]]] = {
        "kyverno": (kyverno_command(program), kyverno_verdicts),
        "lint": (lint_command(), lint_verdicts),
    }
    scores = {name: Score() for name in ways}
    for given in cases:
        with tempfile.TemporaryDirectory() as made:
            for_all = given.matching()
            for_all.write(Path(made))
            found = lint_verdicts(_asked(lint_command(), Path(made)), for_all)
            case = replace(given, matched=frozenset(key for key, said in found.items() if said == "refused"))
            case.write(Path(made))
            for name, (command, read) in ways.items():
                for key, said in read(_asked(command, Path(made)), case).items():
                    scores[name].count(case, key, said)
    return scores


def measure(cases: Sequence[Case], program: str) -> dict[str, float]:
    """The median CPU seconds of both programs for the policies and objects of all cases in one run, one after the other."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_world(folder)
        _dump(folder / _POLICY_FILE, [obj for case in cases for obj in case.policy])
        named = [
            obj | {"metadata": obj["metadata"] | {"name": f"{obj['metadata']['name']}-{number}"}} for number, obj in enumerate(_all(cases))
        ]
        _dump(folder / _OBJECT_FILE, named)
        commands = {"kyverno": kyverno_command(program), "lint": lint_command()}
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(_TIMES):
            for name, command in commands.items():
                taken[name].append(_seconds(command, folder))
    return {name: statistics.median(times) for name, times in taken.items()}


def _all(cases: Sequence[Case]) -> Iterator[JSONObject]:
    return (obj for case in cases for obj in case.objects)


def main(arguments: list[str]) -> int:
    """Print the scores."""
    program, rounds = arguments[0], int(arguments[1]) if len(arguments) > 1 else 3
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as made:
        kept = Path(made)
        with ControlPlane(assets, apiserver_flags=audit_flags(kept)) as plane, Client(plane) as client:
            recording = Recording(client, kept)
            recording.prepare()
            cases = [case for number in range(rounds) for case in recording.cases(number, _POLICIES, _OBJECTS) if case.objects]
    answers = Counter(answer for case in cases for answer in case.answers.values())
    print(f"{recording.release.name}: {len(cases)} policies, {answers.total()} creations: {dict(answers)}")
    for name, score in compare(cases, os.path.abspath(program)).items():
        print(f"{name}: {score.right} of {answers.total()} as the server; {dict(score.differing)}")
        for text in score.examples[:20]:
            print(f"  {text}")
    some = cases[:_MEASURED]
    for name, seconds in measure(some, os.path.abspath(program)).items():
        print(f"{name}: {seconds:.2f} s of CPU for {len(some)} policies and {len(list(_all(some)))} objects in one run")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
