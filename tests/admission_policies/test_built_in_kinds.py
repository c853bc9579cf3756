"""Mutating policies about built-in kinds: the objects that they see, how fields merge, and the results."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.admission_policies.changing import binding, by, by_release, decided, policy
from tests.admission_policies.situations import known, request
from tests.conftest import ROOT
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.server_release import RELEASES
from weighbridge.policies.verdict.engine import Phase, decide

POD = {"containers": [{"name": "c", "image": "nginx"}]}
LABELS = {"app": "a"}
DENIED = "policy 'p' with binding 'b' denied request"


def deployment(**spec: Any) -> JSONObject:
    template = {"metadata": {"labels": LABELS}, "spec": POD}
    found = {"selector": {"matchLabels": LABELS}, "template": template, **spec}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "namespace": "lab"}, "spec": found}


def pod(**spec: Any) -> JSONObject:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "lab"}, "spec": {**POD, **spec}}


def other(kind: str, api: str = "v1", **fields: Any) -> JSONObject:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": "o", "namespace": "lab"}, **fields}


def found(*expressions: str, obj: JSONObject, **more: Any) -> Decision:
    return by(policy(*expressions), binding(), obj=obj, **more)


def made(*expressions: str, obj: JSONObject) -> JSONObject:
    decision = found(*expressions, obj=obj)
    assert decision.allowed, decision.message
    assert not [entry for entry in decision.unchecked if "Mutating" in entry.subject]
    changed: JSONObject = decision.object
    return changed


def unchecked(decision: Decision) -> list[str]:
    return [entry.reason for entry in decision.unchecked if "Mutating" in entry.subject]


def test_an_apply_configuration_merges_by_the_types_of_the_kind() -> None:
    side = 'Object.spec.template.spec.containers{name: "side", image: "s"}'
    again = 'Object.spec.template.spec.containers{name: "c", workingDir: "/w"}'
    spec = f"Object.spec.template.spec{{containers: [{side}, {again}]}}"
    obj = made(f"Object{{spec: Object.spec{{replicas: 3, template: Object.spec.template{{spec: {spec}}}}}}}", obj=deployment())
    assert obj["spec"]["replicas"] == 3
    assert [container["name"] for container in obj["spec"]["template"]["spec"]["containers"]] == ["side", "c"]
    assert obj["spec"]["template"]["spec"]["containers"][1] == {"name": "c", "image": "nginx", "workingDir": "/w"}


def test_what_the_server_fills_in_is_seen_and_not_written() -> None:
    seen = "object.spec.strategy.type + string(object.spec.replicas) + object.spec.template.spec.containers[0].imagePullPolicy"
    obj = made(f'Object{{metadata: Object.metadata{{labels: {{"seen": {seen}}}}}}}', obj=deployment())
    assert obj == {**deployment(), "metadata": {"name": "d", "namespace": "lab", "labels": {"seen": "RollingUpdate1Always"}}}


def test_a_default_that_stays_in_force_is_written() -> None:
    # The server has filled in rollingUpdate before the policy sets the type, and refuses the two together.
    obj = made('Object{spec: Object.spec{strategy: Object.spec.strategy{type: "Recreate"}}}', obj=deployment())
    assert obj["spec"]["strategy"] == {"type": "Recreate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    whole = '[JSONPatch{op: "add", path: "/spec/strategy", value: {"type": "Recreate"}}]'
    assert made(whole, obj=deployment())["spec"]["strategy"] == {"type": "Recreate"}


def test_a_default_that_is_taken_away_stays_away() -> None:
    job = other("Job", "batch/v1", spec={"template": {"spec": {**POD, "restartPolicy": "Never"}}})
    obj = made('[JSONPatch{op: "remove", path: "/spec/completions"}]', obj=job)
    # Without both of them the server would fill in both again.
    assert "completions" not in obj["spec"]
    assert obj["spec"]["parallelism"] == 1


def test_values_come_as_the_server_writes_them() -> None:
    resources = {"limits": {"cpu": "1000m", "memory": 1024}}
    containers = [{"name": "c", "image": "i", "resources": resources, "stdin": False}]
    seen = "object.spec.template.spec.containers[0].resources.limits.cpu + string(has(object.spec.template.spec.containers[0].stdin))"
    given = deployment(template={"metadata": {"labels": LABELS}, "spec": {"containers": containers}})
    obj = made(f'Object{{metadata: Object.metadata{{annotations: {{"seen": {seen}}}}}}}', obj=given)
    assert obj["metadata"]["annotations"] == {"seen": "1false"}
    assert obj["spec"]["template"]["spec"]["containers"] == containers


@pytest.mark.parametrize(
    ("expression", "code", "message"),
    [
        ('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"a": "b"}}}}', 403,
         f"{DENIED}: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector"),
        ("Object{spec: Object.spec{replicas: 1.5}}", 403,
         f"{DENIED}: unable to convert unstructured object to apps/v1, Kind=Deployment: cannot convert float64 to int32"),
        ('[JSONPatch{op: "add", path: "/spec/colour", value: "x"}]', 500,
         'Internal error occurred: strict decoding error: unknown field "spec.colour"'),
        ('[JSONPatch{op: "replace", path: "/spec/replicas", value: "x"}]', 500,
         "Internal error occurred: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"),
        ('Object{metadata: Object.metadata{namespace: "x"}}', 400,
         "the namespace of the provided object does not match the namespace sent on the request"),
    ],
)  # fmt: skip
def test_what_the_server_does_not_take_has_its_words(expression: str, code: int, message: str) -> None:
    answer = found(expression, obj=deployment())
    assert (answer.code, answer.message) == (code, message)


def test_an_update_cannot_rename_an_object() -> None:
    asked = request(deployment(), deployment())
    answer = decide(asked, known(policy('Object{metadata: Object.metadata{name: "x"}}'), binding()), DEFAULT, Phase.APISERVER)
    assert answer.message == 'Deployment.apps "x" is invalid: metadata.name: Invalid value: "x": field is immutable'


@pytest.mark.parametrize(
    ("kind", "api", "resource"),
    [("Lease", "coordination.k8s.io/v1", "leases"), ("PodDisruptionBudget", "policy/v1", "poddisruptionbudgets")],
)
def test_an_update_without_a_version_is_refused_before_its_new_name(kind: str, api: str, resource: str) -> None:
    sent = other(kind, api, spec={})
    stored = {**sent, "metadata": {**sent["metadata"], "resourceVersion": "7"}}
    decision = found('[JSONPatch{op: "add", path: "/metadata/name", value: "x"}]', obj=sent, old=stored, operation=Operation.UPDATE)
    resource += "." + api.partition("/")[0]
    why = "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    assert (decision.code, decision.message) == (422, f'{resource} "o" is invalid: {why}')


def test_a_claim_has_the_name_of_its_type() -> None:
    claim = other("ResourceClaim", "resource.k8s.io/v1", spec={})
    why = "json: cannot unmarshal array into Go struct field ResourceClaim.metadata of type v1.ObjectMeta"
    assert found('[JSONPatch{op: "add", path: "/metadata", value: ["a"]}]', obj=claim).message == f"Internal error occurred: {why}"


def test_the_object_goes_on_as_the_policies_have_left_it() -> None:
    validating = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "v"},
        "spec": {
            "matchConstraints": policy("Object{}")["spec"]["matchConstraints"],
            "validations": [{"expression": "object.spec.replicas < 3", "message": "too many"}],
        },
    }
    bound = {**validating, "kind": "ValidatingAdmissionPolicyBinding", "spec": {"policyName": "v", "validationActions": ["Deny"]}}
    answer = by(policy("Object{spec: Object.spec{replicas: 3}}"), binding(), validating, bound, obj=deployment())
    assert answer.message.endswith("denied request: too many")
    placed = found("Object{spec: Object.spec{replicas: 3}}", obj=deployment(), phase=Phase.WHOLE)
    assert placed.object["spec"]["replicas"] == 3
    assert [(entry.path, entry.source) for entry in placed.provenance] == [
        (("spec", "replicas"), "MutatingAdmissionPolicy p with binding b")
    ]


def test_a_policy_is_asked_once_more_of_what_it_has_changed() -> None:
    again = policy("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}", reinvocationPolicy="IfNeeded")
    assert by(again, binding(), obj=deployment()).object["spec"]["replicas"] == 3


def test_labels_that_the_server_fills_in_are_selected_by() -> None:
    job = other("Job", "batch/v1", spec={"template": {"metadata": {"labels": LABELS}, "spec": {**POD, "restartPolicy": "Never"}}})
    constraints = {**policy("Object{}")["spec"]["matchConstraints"], "objectSelector": {"matchLabels": LABELS}}
    written = policy("Object{spec: Object.spec{backoffLimit: 0}}", matchConstraints=constraints)
    assert by(written, binding(), obj=job).object["spec"]["backoffLimit"] == 0


def test_a_secret_has_its_texts_as_data() -> None:
    seen = "object.data.a + string(has(object.stringData)) + object.type"
    obj = made(f'Object{{metadata: Object.metadata{{annotations: {{"seen": {seen}}}}}}}', obj=other("Secret", stringData={"a": "1"}))
    assert obj["metadata"]["annotations"]["seen"] == "MQ==falseOpaque"
    assert obj["stringData"] == {"a": "1"}


# --- pods ---

NOTE = 'Object{{metadata: Object.metadata{{annotations: {{"seen": string({})}}}}}}'
COMPLETE = {"complete": [("", "LimitRange"), ("scheduling.k8s.io", "PriorityClass")]}


def by_known(expression: str, obj: JSONObject) -> Decision:
    return decided(known(policy(expression), binding(), **COMPLETE), obj)


def test_a_pod_has_what_admission_has_filled_in_before() -> None:
    seen = "object.spec.serviceAccountName + string(object.spec.priority) + string(object.spec.tolerations.size())"
    answer = by_known(NOTE.format(seen), pod())
    assert answer.object["metadata"]["annotations"] == {"seen": "default02"}
    assert answer.object["spec"] == POD


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (NOTE.format("has(object.spec.volumes)"), "the volume with the token of the service account"),
        (NOTE.format("object.spec.containers[0].volumeMounts.size()"), "the volume with the token of the service account"),
        (NOTE.format("object.spec.imagePullSecrets.size()"), "the service account default"),
        ('[JSONPatch{op: "add", path: "/spec/volumes/-", value: {"name": "v"}}]', "the volume with the token of the service account"),
    ],
)
def test_what_a_service_account_adds_is_not_known(expression: str, reason: str) -> None:
    assert unchecked(by_known(expression, pod())) == [f"it asks for {reason}"]
    if "imagePull" not in expression:
        assert not unchecked(by_known(expression, pod(automountServiceAccountToken=False, volumes=[])))


def test_what_the_cluster_may_add_is_not_known_without_it() -> None:
    decision = found(NOTE.format("object.spec.priority"), obj=pod())
    assert unchecked(decision) == ["it asks for the priority classes of the cluster"]
    decision = found(NOTE.format("object.spec.containers[0].resources.size()"), obj=pod())
    assert unchecked(decision) == ["it asks for what the limit ranges of the namespace fill in"]


def test_containers_are_added_to_a_pod() -> None:
    by_patch = by_known('[JSONPatch{op: "add", path: "/spec/containers/-", value: {"name": "side", "image": "s"}}]', pod())
    assert by_patch.object["spec"]["containers"] == [*POD["containers"], {"name": "side", "image": "s"}]
    volume = 'Object{spec: Object.spec{volumes: [Object.spec.volumes{name: "v", emptyDir: Object.spec.volumes.emptyDir{}}]}}'
    # A volume without a source is an empty directory by default.
    assert by_known(volume, pod()).object["spec"]["volumes"] == [{"name": "v"}]


def test_what_takes_over_from_a_class_is_not_known() -> None:
    claim = other("PersistentVolumeClaim", spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}})
    seen = NOTE.format("object.spec.?storageClassName.orValue('none') + object.metadata.finalizers[0]")
    assert unchecked(found(seen, obj=claim)) == ["it asks for the storage classes of the cluster"]
    fast = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "fast", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
    }
    facts = known(policy(seen), binding(), fast, complete=[("storage.k8s.io", "StorageClass")])
    assert decided(facts, claim).object["metadata"]["annotations"]["seen"] == "fastkubernetes.io/pvc-protection"


# --- results that aren't known ---


def test_a_kind_whose_types_are_not_bundled_is_not_checked() -> None:
    node = {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "a"}, "spec": {"drivers": []}}
    assert unchecked(found("Object{}", obj=node)) == ["it asks for the types by which the server merges a CSINode of storage.k8s.io/v1"]


def test_an_object_that_the_server_cannot_read_is_not_checked() -> None:
    why = "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"
    assert unchecked(found("Object{}", obj=deployment(replicas="x"))) == [f"it asks for an object that the server can read: {why}"]


def test_types_and_defaults_are_those_of_the_release() -> None:
    claimed = {"serviceName": "s", "selector": {"matchLabels": LABELS}, "template": {"metadata": {"labels": LABELS}, "spec": POD}}
    obj = other("StatefulSet", "apps/v1", spec=claimed)
    seen = NOTE.format("has(object.spec.updateStrategy.rollingUpdate.maxUnavailable)")
    answers = [by_release(release, policy(seen), binding(), obj=obj).object["metadata"]["annotations"]["seen"] for release in RELEASES]
    assert answers == ["false", "false", "false", "true"]
    workload = "Object{spec: Object.spec{workloadRef: Object.spec.workloadRef{name: 'w'}}}"
    merged = [
        "field not declared" in by_release(release, policy(workload), binding(), obj=pod(automountServiceAccountToken=False)).message
        for release in RELEASES
    ]
    assert merged == [True, False, True, True]


ASKED = """
import sys
from tests.admission_policies.changing import WRITES, binding, by, policy
from tests.admission_policies.situations import box
from tests.admission_policies.test_built_in_kinds import deployment

for obj, resource in ((box(), "*"), (deployment(), "services"), (deployment(), "deployments")):
    by(policy("Object{}", matchConstraints={"resourceRules": [{**WRITES, "resources": [resource]}]}), binding(), obj=obj)
    print("weighbridge.policies.apiserver.built_in_types" in sys.modules)
"""


def test_types_are_loaded_with_the_first_object_that_a_policy_may_be_about() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]


@pytest.mark.parametrize(
    ("obj", "resource", "key"),
    [
        (deployment(), 'deployments.apps "d"', "/registry/deployments/lab/d"),
        (other("Service"), 'services "o"', "/registry/services/specs/lab/o"),
        (other("Role", "rbac.authorization.k8s.io/v1"), 'roles.rbac.authorization.k8s.io "o"', "/registry/roles/lab/o"),
    ],
)
def test_an_update_of_another_object_is_refused_before_policies(obj: JSONObject, resource: str, key: str) -> None:
    stored, sent = ({**obj, "metadata": {**obj["metadata"], "uid": uid}} for uid in ("1", "2"))
    spoil = 'Object{metadata: Object.metadata{labels: {"a": string(1/0)}}}'
    refused = found(spoil, obj=sent, old=stored, operation=Operation.UPDATE)
    assert refused.code == 409
    assert refused.message == (
        f"Operation cannot be fulfilled on {resource}: StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, "
        "AdditionalErrorMsg: Precondition failed: UID in precondition: 2, UID in object meta: 1"
    )
    assert found(spoil, obj=stored, old=stored, operation=Operation.UPDATE).code == 403
