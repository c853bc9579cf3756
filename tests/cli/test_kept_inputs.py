"""For each kind of input on which a verdict depends: the answer of a run is kept, and once the input has changed, the program runs
again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_kept_runs import Place

_SERVICE: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s, namespace: a}
spec: {modelRef: m, replicas: 1}
"""
_MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: a}
spec: {source: "https://example.com/m.gguf", hardware: {accelerator: cuda, gpu: {count: 1}}}
"""
_POLICY: Final = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}
  validations: [{expression: "object.kind == 'ConfigMap' || object.spec.?replicas.orValue(1) <= int(params.data.most)"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny]
  paramRef: {name: most, namespace: a, parameterNotFoundAction: Allow}
  matchResources: {namespaceSelector: {matchLabels: {checked: "yes"}}}
"""
_CHANGING: Final = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/replicas', value: 2}]"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p}
"""
_TYPED: Final = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: typed}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: ['*'], resources: [boxes]}]}
  validations: [{expression: "object.spec.size > 1"}]
"""
_CRD: Final = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
"""
_CLUSTER: Final = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: most, namespace: a}
data: {most: "3"}
---
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {checked: "yes", pod-security.kubernetes.io/warn: privileged}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: a}
spec: {hard: {requests.nvidia.com/gpu: "4"}}
"""
_OWN: Final = """\
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
policies:
- id: POLICY-001
  name: one
  description: The cluster's ConfigMap says no.
  match: {kinds: [InferenceService.inference.llmkube.dev]}
  validations: [{expression: "cluster.get('Namespace', 'a').?metadata.?labels[?'checked'].orValue('') == 'yes'", message: "no"}]
- id: POLICY-002
  name: two
  description: Fills in.
  match: {kinds: [InferenceService.inference.llmkube.dev]}
  fillIns: [{fieldPath: .spec.priority, expression: "'high'", reason: "the default"}]
"""
_NODE: Final = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n"},
    "status": {"allocatable": {"cpu": "64", "memory": "1Ti", "pods": "110", "nvidia.com/gpu": "1"}},
}


def _snapshot(gpus: int) -> str:
    priorities = [{"priority": 0, "pods": 1, "requests": {"nvidia.com/gpu": gpus}}]
    holders = [{"name": "b/p", "priority": 0, "requests": {"nvidia.com/gpu": gpus}}] if gpus else []
    pods = [{"node": "n", "priorities": priorities, "holders": holders}]
    known = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "complete": ["Node"], "pods": pods, "items": [_NODE]}
    return json.dumps(known)


def _rewrite(name: str, old: str, new: str) -> Callable[[Place], object]:
    def change(place: Place) -> object:
        before = (place.folder / name).read_text()
        assert old in before
        return place.file(name, before.replace(old, new))

    return change


_FILES: Final = {
    "in/service.yaml": _SERVICE,
    "in/model.yaml": _MODEL,
    "policies/p.yaml": _POLICY,
    "changing/p.yaml": _CHANGING,
    "typed/p.yaml": _TYPED,
    "crds.yaml": _CRD,
    "cluster.yaml": _CLUSTER,
    "own.yaml": _OWN,
    "pods.json": _snapshot(0),
}
_ALL: Final = ("--policies", "policies", "--cluster", "cluster.yaml")
_CHANGES: Final[dict[str, tuple[tuple[str, ...], Callable[[Place], object]]]] = {
    "a policy's parameter": (("in", *_ALL), _rewrite("cluster.yaml", 'most: "3"', 'most: "0"')),
    "a label of a namespace that a binding selects": (("in", *_ALL), _rewrite("cluster.yaml", 'checked: "yes"', 'checked: "no"')),
    "a policy's binding": (("in", *_ALL), _rewrite("policies/p.yaml", "[Deny]", "[Warn]")),
    "the type of a field in a policy": (("typed", "--crds", "crds.yaml"), _rewrite("crds.yaml", "type: integer", "type: string")),
    "a mutating policy": (("in", "--policies", "changing"), _rewrite("changing/p.yaml", "value: 2", "value: 3")),
    "a quota": (("in", "--cluster", "cluster.yaml"), _rewrite("cluster.yaml", '"4"', '"0"')),
    "a label of Pod Security": (("in", "--cluster", "cluster.yaml"), _rewrite("cluster.yaml", "privileged", "restricted")),
    "an expression of one's own": (("in", "--config", "own.yaml", *_ALL[2:]), _rewrite("own.yaml", "== 'yes'", "== 'no'")),
    "an object that it looks up": (("in", "--config", "own.yaml", *_ALL[2:]), _rewrite("cluster.yaml", 'checked: "yes"', "a: b")),
    "a value to fill in": (("in", "--config", "own.yaml", *_ALL[2:]), _rewrite("own.yaml", "'high'", "'low'")),
    "what pods take": (("in", "--cluster", "pods.json"), lambda place: place.file("pods.json", _snapshot(1))),
    "an object around": (("in/service.yaml", "--context", "in"), _rewrite("in/model.yaml", "count: 1", "count: 2")),
    "a file around that comes": (
        ("in/service.yaml", "--context", "in"),
        lambda place: place.file("in/zone.yaml", _MODEL.replace("name: m,", "name: z,")),
    ),
    "an object of a change": (("in", "--cluster", "pods.json"), _rewrite("in/service.yaml", "replicas: 1", "replicas: 2")),
}


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command in ("lint", "dry-run") for name in _CHANGES if command == "lint" or "--context" not in _CHANGES[name][0]],
)
def test_an_input_that_has_changed_is_judged_anew(tmp_path: Path, command: str, name: str) -> None:
    given, change = _CHANGES[name]
    place = Place(tmp_path)
    for file, text in _FILES.items():
        place.file(file, text)
    arguments = (command, *given, "-o", "json")
    first = place.run(*arguments)
    assert first[2]
    assert place.run(*arguments) == (*first[:2], False)
    change(place)
    code, output, needed = place.run(*arguments)
    assert needed
    assert (code, output) == place.run(*arguments, WEIGHBRIDGE_CACHE="off")[:2]


def test_reports_are_written_to_files_each_time(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        place.run("lint", "m.yaml", "-o", "text", "-o", "json=report.json")
        report = place.folder / "report.json"
        assert json.loads(report.read_text())
        report.unlink()


def test_what_git_says_has_changed_is_asked_each_time(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        assert place.run("lint", "m.yaml", "--changed-since", "HEAD")[2]
