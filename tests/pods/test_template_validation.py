"""The API server's errors on a pod template as a whole, and on the Deployment or StatefulSet that has it."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.deployment import deployment_errors, deployment_refusal
from weighbridge.policies.pods.validation.stateful_set import stateful_set_errors
from weighbridge.policies.pods.validation.template import label_errors, pod_errors, template_errors
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain, label_value, qualified_name

KEY, VALUE = qualified_name("a b")[0], label_value("a b")[0]
LABEL, SUBDOMAIN = dns1123_label("_")[0], dns1123_subdomain("_")[0]
ONE_OF = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
AT_MOST_ONE = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
CONTAINER: JSONObject = {"name": "c", "image": "i"}


def of_labels(labels: dict[str, str]) -> list[str]:
    """The errors on labels."""
    return [str(error).removeprefix("l: Invalid value: ") for error in label_errors(labels, "l")]


def of_pod(**pod: JSONValue) -> list[str]:
    """The errors on a pod of one container."""
    return [str(error).removeprefix("p.") for error in pod_errors({"containers": [CONTAINER], **pod}, "p")]


def of_claim(claim: JSONObject) -> list[str]:
    """The errors on the second resource claim of a pod."""
    found = of_pod(resourceClaims=[{"name": "a", "resourceClaimName": "x"}, claim])
    return [error.removeprefix("resourceClaims[1]") for error in found]


@pytest.mark.parametrize(
    ("labels", "errors"),
    [
        ({}, []),
        ({"a": "b", "a/B-_.c": "D-_.e", "x.y-z/" + "k" * 63: "v" * 63, "e": ""}, []),
        ({"b c": "", "a": "d e"}, [f'"d e": {VALUE}', f'"b c": {KEY}']),
        ({"b c": "d e"}, [f'"b c": {KEY}', f'"d e": {VALUE}']),
        ({"k" * 64: "a"}, [f'"{"k" * 64}": name part must be no more than 63 bytes']),
        ({"a": "v" * 64}, [f'"{"v" * 64}": must be no more than 63 bytes']),
        ({"A/b": "c"}, [f'"A/b": prefix part {SUBDOMAIN}']),
        ({"d" * 254 + "/a": "b"}, [f'"{"d" * 254}/a": prefix part must be no more than 253 bytes']),
        ({"d" * 253 + "/a": "b"}, []),
    ],
)
def test_labels_have_keys_and_values_that_there_can_be(labels: dict[str, str], errors: list[str]) -> None:
    assert of_labels(labels) == errors


@pytest.mark.parametrize(
    ("annotations", "errors"),
    [
        ({"a": "any thing", "b.c/d": ""}, []),
        ({"A.b/C": "x"}, []),
        ({"z y": "", "B ": ""}, [f'"B ": {qualified_name("b ")[0]}', f'"z y": {KEY}']),
    ],
)
def test_annotations_have_keys_that_there_can_be_whatever_their_case(annotations: dict[str, str], errors: list[str]) -> None:
    template = {"metadata": {"annotations": annotations}, "spec": {}}
    assert list(map(str, template_errors(template, "t"))) == [f"t.annotations: Invalid value: {error}" for error in errors]


@pytest.mark.parametrize(
    ("claim", "errors"),
    [
        ({"name": "b", "resourceClaimName": "x.y"}, []),
        ({"name": "b", "resourceClaimTemplateName": "x"}, []),
        ({"resourceClaimName": "x"}, [".name: Required value"]),
        ({"name": "a", "resourceClaimName": "x"}, ['.name: Duplicate value: "a"']),
        ({"name": "B", "resourceClaimName": "x"}, [f'.name: Invalid value: "B": {LABEL}']),
        ({"name": "b"}, [': Invalid value: {"Name":"b","ResourceClaimName":null,"ResourceClaimTemplateName":null}: ' + ONE_OF]),
        (
            {"name": "b", "resourceClaimName": "X", "resourceClaimTemplateName": "y"},
            [
                ': Invalid value: {"Name":"b","ResourceClaimName":"X","ResourceClaimTemplateName":"y"}: ' + AT_MOST_ONE,
                f'.resourceClaimName: Invalid value: "X": {SUBDOMAIN}',
            ],
        ),
        ({"name": "b", "resourceClaimTemplateName": ""}, [f'.resourceClaimTemplateName: Invalid value: "": {SUBDOMAIN}']),
    ],
)
def test_a_claim_of_a_pod_has_a_name_and_one_source(claim: JSONObject, errors: list[str]) -> None:
    assert of_claim(claim) == errors


def test_containers_know_the_volumes_and_claims_of_their_pod() -> None:
    uses = {**CONTAINER, "volumeMounts": [{"name": "v", "mountPath": "/x"}], "resources": {"claims": [{"name": "g"}]}}
    claims = [{"name": "g", "resourceClaimName": "x"}]
    assert of_pod(containers=[uses], volumes=[{"name": "v"}], resourceClaims=claims) == []
    assert of_pod(containers=[uses], volumes=[{"name": "v"}], resourceClaims=[{"resourceClaimName": "x"}]) == [
        "resourceClaims[0].name: Required value",
        'containers[0].resources.claims[0]: Not found: "g": must be one of the names in pod.spec.resourceClaims which is empty',
    ]
    # A volume with an error can't be mounted.
    assert of_pod(containers=[uses], volumes=[{"name": "v", "hostPath": {}}], resourceClaims=claims) == [
        "volumes[0].hostPath.path: Required value",
        'containers[0].volumeMounts[0].name: Not found: "v"',
    ]


@pytest.mark.parametrize(("host_users", "count"), [(None, 1), (True, 1), (False, 0)])
def test_only_with_users_of_its_own_a_pod_sees_all_of_proc(host_users: JSONValue, count: int) -> None:
    unmasked = {**CONTAINER, "securityContext": {"procMount": "Unmasked"}}
    assert len(of_pod(containers=[unmasked], hostUsers=host_users)) == count


@pytest.mark.parametrize(
    ("names", "errors"),
    [
        ({"priorityClassName": "a.b", "runtimeClassName": "a.b"}, []),
        ({"priorityClassName": None, "runtimeClassName": None}, []),
        ({"priorityClassName": "", "runtimeClassName": ""}, [f'runtimeClassName: Invalid value: "": {SUBDOMAIN}']),
        (
            {"priorityClassName": "A", "runtimeClassName": "B"},
            [f'priorityClassName: Invalid value: "A": {SUBDOMAIN}', f'runtimeClassName: Invalid value: "B": {SUBDOMAIN}'],
        ),
    ],
)
def test_classes_are_named_as_objects_are(names: dict[str, JSONValue], errors: list[str]) -> None:
    assert of_pod(**names) == errors


def test_what_is_wrong_with_a_pod_is_told_in_the_servers_order() -> None:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    pod: dict[str, JSONValue] = {
        "runtimeClassName": "A",
        "priorityClassName": "A",
        "tolerations": [{}],
        "serviceAccountName": "A",
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "", "whenUnsatisfiable": "DoNotSchedule"}],
        "schedulingGates": [{"name": "a b"}],
        "affinity": {"podAffinity": {required: [{"topologyKey": "a b"}]}, "nodeAffinity": {required: {}}},
        "securityContext": {"fsGroup": -1},
        "nodeSelector": {"a b": ""},
        "initContainers": [{**CONTAINER, "image": ""}],
        "containers": [{**CONTAINER, "image": ""}],
        "resourceClaims": [{"resourceClaimName": "x"}],
        "volumes": [{}],
    }
    template: JSONObject = {"metadata": {"labels": {"a b": ""}, "annotations": {"a b": ""}}, "spec": pod}
    assert [str(error).split(": ")[0] for error in template_errors(template, "t")] == [
        "t.labels",
        "t.annotations",
        "t.spec.volumes[0].name",
        "t.spec.resourceClaims[0].name",
        "t.spec.containers[0].image",
        "t.spec.initContainers[0].image",
        "t.spec.initContainers[0].name",
        "t.spec.nodeSelector",
        "t.spec.securityContext.fsGroup",
        f"t.spec.affinity.nodeAffinity.{required}.nodeSelectorTerms",
        f"t.spec.affinity.podAffinity.{required}[0].topologyKey",
        "t.spec.schedulingGates[0]",
        "t.spec.topologySpreadConstraints[0].topologyKey",
        "t.spec.serviceAccountName",
        "t.spec.tolerations[0].operator",
        "t.spec.priorityClassName",
        "t.spec.runtimeClassName",
    ]


def test_a_deployment_is_refused_for_its_name_labels_and_template() -> None:
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {"spec": {"containers": [{"name": "c"}]}}}
    deployment = {"metadata": {"name": "D", "labels": {"a": "b c"}}, "spec": spec}
    assert list(map(str, deployment_errors(deployment))) == [
        f'metadata.name: Invalid value: "D": {SUBDOMAIN}',
        f'metadata.labels: Invalid value: "b c": {VALUE}',
        "spec.template.spec.containers[0].image: Required value",
    ]
    good = {"metadata": {"name": "d"}, "spec": spec}
    told = 'Deployment.apps "d" is invalid: spec.template.spec.containers[0].image: Required value'
    assert deployment_refusal(good) == told
    assert deployment_refusal({**good, "spec": {"template": {"spec": {"containers": [CONTAINER]}}}}) == ""


def test_behind_a_selector_that_cannot_be_read_the_template_is_not_looked_at() -> None:
    template = {"spec": {"containers": [{"name": "c"}]}}
    deployment = {"metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b c", "d": "e"}}, "template": template}}
    assert list(map(str, deployment_errors(deployment))) == [
        f'spec.selector.matchLabels: Invalid value: "b c": {VALUE}',
        'spec.selector: Invalid value: {"matchLabels":{"a":"b c","d":"e"}}: invalid label selector',
    ]


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        ({"restartPolicy": "Always", "activeDeadlineSeconds": None}, []),
        ({"restartPolicy": "Never"}, ['restartPolicy: Unsupported value: "Never": supported values: "Always"']),
        ({"activeDeadlineSeconds": 1}, ["activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported"]),
        ({"containers": [{"name": "c"}]}, ["containers[0].image: Required value"]),
    ],
)
def test_the_pods_of_a_stateful_set_run_for_ever(spec: JSONObject, errors: list[str]) -> None:
    template = {"spec": {"containers": [CONTAINER], **spec}}
    assert list(map(str, stateful_set_errors(template))) == [f"spec.template.spec.{error}" for error in errors]
    assert list(map(str, stateful_set_errors(template, "t"))) == [f"t.spec.{error}" for error in errors]


def test_the_labels_of_a_stateful_sets_pods_are_looked_at() -> None:
    template = {"metadata": {"labels": {"a": "b c"}}, "spec": {"containers": [CONTAINER]}}
    assert list(map(str, stateful_set_errors(template, "t"))) == [f't.labels: Invalid value: "b c": {VALUE}']


@pytest.mark.parametrize(
    ("pod", "errors"),
    [
        ({"serviceAccountName": "engine.of-a.team"}, []),
        ({"serviceAccountName": "No Account"}, [f'serviceAccountName: Invalid value: "No Account": {SUBDOMAIN}']),
        ({"serviceAccountName": ""}, []),
        ({"containers": [CONTAINER, CONTAINER]}, ['containers[1].name: Duplicate value: "c"']),
        ({"initContainers": [CONTAINER]}, ['initContainers[0].name: Duplicate value: "c"']),
        ({"initContainers": [{**CONTAINER, "name": "fetch"}]}, []),
        ({"restartPolicy": "Always"}, []),
        ({"restartPolicy": "Never"}, ['restartPolicy: Unsupported value: "Never": supported values: "Always"']),
        ({"activeDeadlineSeconds": 5}, ["activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported"]),
    ],
)
def test_a_pod_without_an_end_has_an_account_and_containers_of_different_names(pod: JSONObject, errors: list[str]) -> None:
    template = {"spec": {"containers": [CONTAINER], **pod}}
    found = deployment_errors({"metadata": {"name": "d"}, "spec": {"template": template}})
    assert [str(error).removeprefix("spec.template.spec.") for error in found] == errors
