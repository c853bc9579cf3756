"""What policies can read, their findings, and the severities that the configuration gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.user_policies.parts import CLUSTER, KIND, SERVICE, configured, judged, lacked, policy, said
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.verdict.engine import Phase

FALSE = policy("object.metadata.name != 'chat'")


@pytest.mark.parametrize(
    "expression",
    [
        "object.spec.replicas == 2",
        "object.metadata.labels.team == 'a' && object.metadata.namespace == 'team-a'",
        "oldObject == null && request.operation == 'CREATE' && request.kind.kind == 'InferenceService'",
        "request.name == 'chat' && request.namespace == 'team-a' && !request.dryRun",
        "namespaceObject.metadata.labels.stage == 'lab'",
        "effective.pods.size() == 1 && effective.pods[0].replicas == 2 && effective.pods[0].gpus == 1",
        "effective.gpus == 2",
        "effective.pods[0].workload.kind == 'Deployment'",
        "quantity(effective.pods[0].spec.containers[0].resources.limits['nvidia.com/gpu']).compareTo(quantity(1)) == 0",
        "effective.images.exists(i, image(i.image).registry() == 'ghcr.io' && i.source.endsWith('spec.image'))",
        "effective.commands.exists(c, '--port' in c.line)",
        "effective.services.exists(s, s.spec.ports[0].port == 8080)",
        "effective.claims.size() == 1",
        "effective.model.name == 'llama' && effective.runtime.name == 'llamacpp'",
        "effective.values.exists(v, v.field == 'spec.replicas' && v.value == 2 && v.source.contains('spec.replicas'))",
        "effective.settings.size() >= 0 && effective.failure == '' && effective.waits == ''",
        "effective.objects.exists(o, o.kind == 'Deployment' && o.spec.replicas == 2)",
        "effective.status.phase == 'Creating'",
        "placement.outlook == 'now' && placement.nodes.map(n, n.name) == ['h100-1', 'l4-1']",
        "placement.nodes.exists(n, n.labels['nvidia.com/gpu.product'].contains('H100')) && placement.rejected.size() == 0",
        "placement.nodes.all(n, int(n.allocatable['nvidia.com/gpu']) >= 1)",
        "cluster.get('Namespace', 'team-a').?metadata.?labels[?'stage'].orValue('') == 'lab'",
        "cluster.get('Model.inference.llmkube.dev', 'llama').hasValue()",
        "cluster.get('Model.inference.llmkube.dev', 'team-a', 'llama').?spec.?format.orValue('') == 'gguf'",
        "cluster.get('Model.inference.llmkube.dev', 'other', 'llama') == optional.none()",
        "cluster.list('Model.inference.llmkube.dev', 'team-a').size() == 1 && cluster.list('Model.inference.llmkube.dev').size() == 1",
        "semver('1.2.3').isLessThan(semver('1.10.0'))",
        "image('nginx').repository() == 'docker.io/library/nginx' && image('a/b:c').tag() == 'c' && !image('a/b:c').isPinned()",
        "image('a@sha256:' + 'e') == image('docker.io/library/a@sha256:e') && isImage('a') && !isImage('a b')",
        "now.getFullYear() == 2026",
    ],
)
def test_an_expression_is_true(expression: str) -> None:
    decision = judged(configured(policy(expression)), moment="2026-12-31T18:00:00+00:00")
    assert (said(decision), lacked(decision)) == ([], [])


def test_a_validation_that_is_false_refuses_with_its_message_at_its_field() -> None:
    validation = {
        "expression": "effective.gpus <= 1",
        "messageExpression": "'asks for ' + string(effective.gpus) + ' GPUs'",
        "fieldPath": ".spec.replicas",
        "hint": "ask for fewer",
    }
    decision = judged(configured({**FALSE, "validations": [validation]}))
    assert said(decision) == ["POLICY-001 error spec.replicas: asks for 2 GPUs"]
    assert decision.findings[0].hint == "ask for fewer"
    assert not decision.allowed
    assert "spec.replicas: asks for 2 GPUs (POLICY-001: ask for fewer)" in decision.message


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        ({"expression": "1 ==\n  2"}, "failed expression: 1 == 2"),
        ({"expression": "1 == 2", "message": "is wrong"}, "is wrong"),
        ({"expression": "1 == 2", "message": "is wrong", "messageExpression": "'very ' + 'wrong'"}, "very wrong"),
        ({"expression": "1 == 2", "message": "is wrong", "messageExpression": "string(1 / 0)"}, "is wrong"),
        ({"expression": "1 == 2", "message": "is wrong", "messageExpression": "'two\\nlines'"}, "is wrong"),
    ],
)
def test_the_message_is_that_of_a_validating_admission_policy(validation: dict[str, Any], message: str) -> None:
    assert said(judged(configured({**FALSE, "validations": [validation]}))) == [f"POLICY-001 error {message}"]


def test_variables_are_evaluated_once_and_build_on_each_other() -> None:
    variables = [{"name": "gpus", "expression": "effective.gpus"}, {"name": "twice", "expression": "variables.gpus * 2"}]
    assert said(judged(configured(policy("variables.twice == 4 && variables.gpus == 2", variables=variables)))) == []
    assert said(judged(configured(policy("variables.twice == 5", variables=variables)))) == [
        "POLICY-001 error failed expression: variables.twice == 5"
    ]


@pytest.mark.parametrize(
    ("match", "is_asked"),
    [
        ({"kinds": [KIND]}, True),
        ({}, True),
        ({"kinds": ["Model.inference.llmkube.dev"]}, False),
        ({"namespaces": ["team-*"]}, True),
        ({"namespaces": ["other"]}, False),
        ({"names": ["chat"]}, True),
        ({"names": ["c"]}, False),
        ({"operations": ["UPDATE"]}, False),
        ({"labelSelector": {"matchLabels": {"team": "a"}}}, True),
        ({"labelSelector": {"matchLabels": {"team": "b"}}}, False),
        ({"namespaceSelector": {"matchLabels": {"stage": "lab"}}}, True),
        ({"namespaceSelector": {"matchLabels": {"stage": "production"}}}, False),
    ],
)
def test_a_match_says_what_a_policy_is_asked_about(match: dict[str, Any], is_asked: bool) -> None:
    assert bool(said(judged(configured({**FALSE, "match": match})))) is is_asked


def test_a_condition_that_is_false_ends_it_whatever_fails_besides() -> None:
    true, false, fails = ({"name": name, "expression": text} for name, text in (("t", "true"), ("f", "false"), ("e", "1 / 0 == 1")))
    assert said(judged(configured({**FALSE, "matchConditions": [true]})))
    assert said(judged(configured({**FALSE, "matchConditions": [fails, false]}))) == []
    assert said(judged(configured({**FALSE, "matchConditions": [true, fails]}))) == [
        "WB-014 error POLICY-001 tried fails: matchConditions[1].expression: division by zero"
    ]


FAILING = policy("object.metadata.annotations['a'] == 'b'")
FAILURE = "POLICY-001 tried fails: validations[0].expression: no such key: annotations"


@pytest.mark.parametrize(
    ("settings", "findings", "allowed"),
    [
        ({}, [f"WB-014 error {FAILURE}"], False),
        ({"rules": {"WB-014": "warn"}}, [f"WB-014 warning {FAILURE}"], True),
        ({"rules": {"POLICY-001": "off"}}, [], True),
        ({"exceptions": [{"rules": ["POLICY-001"], "match": {"names": ["chat"]}, "reason": "old"}]}, [f"WB-014 note {FAILURE}"], True),
    ],
)
def test_a_policy_that_fails_is_a_finding_of_its_own(settings: dict[str, Any], findings: list[str], allowed: bool) -> None:
    decision = judged(configured(FAILING, **settings))
    assert (said(decision), decision.allowed) == (findings, allowed)


def test_a_failure_that_is_ignored_is_only_noted() -> None:
    decision = judged(configured({**FAILING, "failurePolicy": "Ignore"}))
    assert (said(decision), decision.allowed) == ([f"WB-014 note {FAILURE}"], True)


def test_the_other_policies_are_asked_where_one_fails() -> None:
    other = {**FALSE, "id": "POLICY-002", "name": "other"}
    assert [text.split()[0] for text in said(judged(configured(FAILING, other)))] == ["WB-014", "POLICY-002"]


def test_a_policy_that_costs_too_much_fails() -> None:
    long = "[1,2,3,4,5,6,7,8,9,10]"
    nested = "".join(f"{long}.all(x{depth}, " for depth in range(6)) + "true" + ")" * 6
    assert said(judged(configured(policy(nested)))) == [
        "WB-014 error POLICY-001 tried fails: validations[0].expression: operation cancelled: actual cost limit exceeded"
    ]


@pytest.mark.parametrize(
    ("settings", "severity"),
    [
        ({}, "error"),
        ({"rules": {"POLICY-001": "warn"}}, "warning"),
        ({"enforcement": [{"rules": ["POLICY-*"], "namespaces": ["team-*"], "action": "audit"}]}, "note"),
        ({"rules": {"POLICY-001": "warn"}, "namespaces": {"team-a": {"rules": {"POLICY-001": "deny"}}}}, "error"),
        ({"exceptions": [{"rules": ["POLICY-001"], "match": {"namespaces": ["team-a"]}, "reason": "x", "expires": "2026-12-31"}]}, "note"),
        ({"exceptions": [{"rules": ["POLICY-001"], "match": {"namespaces": ["team-a"]}, "reason": "x", "expires": "2026-12-30"}]}, "error"),
    ],
)
def test_the_configuration_weighs_a_policy_as_it_does_a_rule(settings: dict[str, Any], severity: str) -> None:
    decision = judged(configured(FALSE, **settings), moment="2026-12-31T12:00:00+00:00")
    assert [text.split()[1] for text in said(decision)] == [severity]
    assert decision.allowed is (severity != "error")


@pytest.mark.parametrize("severity", ["error", "warning", "note"])
def test_the_severity_is_the_policys_own(severity: str) -> None:
    assert [text.split()[1] for text in said(judged(configured({**FALSE, "severity": severity})))] == [severity]


def test_an_update_that_changes_nothing_about_it_is_only_warned_of() -> None:
    config = configured(policy("object.spec.replicas < 2"))
    assert [text.split()[1] for text in said(judged(config, old=SERVICE))] == ["warning"]
    assert [text.split()[1] for text in said(judged(config, old=SERVICE.replace("replicas: 2", "replicas: 1")))] == ["error"]


def test_an_update_is_judged_by_a_policy_about_changes() -> None:
    config = configured(policy("oldObject == null || oldObject.spec.replicas <= object.spec.replicas"))
    assert said(judged(config, old=SERVICE)) == []
    assert [text.split()[1] for text in said(judged(config, old=SERVICE.replace("replicas: 2", "replicas: 3")))] == ["error"]


def test_the_object_of_before_has_the_type_of_the_object() -> None:
    config = configured(policy("oldObject == null || oldObject.spec.endpoint == object.spec.endpoint"))
    service = SERVICE.replace("replicas: 2", "replicas: 2, endpoint: {port: 8080, path: /v1, type: ClusterIP}")
    assert said(judged(config, service, old=service)) == []
    assert [text.split()[1] for text in said(judged(config, service, old=service.replace("8080", "8081")))] == ["error"]


@pytest.mark.parametrize(
    ("expression", "cluster", "reason"),
    [
        ("placement.nodes.size() == 1", CLUSTER.split("---")[0], "nothing is known of the cluster's nodes"),
        ("effective.gpus == 1", "", "Model llama isn't known"),
        ("namespaceObject.metadata.name == ''", CLUSTER.split("---")[0], "namespace team-a isn't known"),
        ("cluster.get('Namespace', 'b').hasValue()", CLUSTER.split("---")[0], "not all objects of kind Namespace are known"),
        ("cluster.list('GPUQuota').size() == 1", CLUSTER, "not all objects of kind GPUQuota.inference.llmkube.dev are known"),
        ("request.userInfo.username == 'x'", CLUSTER, "the user isn't known offline"),
        ("now.getHours() == 1", CLUSTER, "the time isn't known"),
    ],
)
def test_a_policy_that_lacks_a_fact_is_not_checked(expression: str, cluster: str, reason: str) -> None:
    decision = judged(configured(policy(expression)), cluster=cluster)
    assert (said(decision), lacked(decision)) == ([], [f"POLICY-001 tried: {reason}"])


def test_what_lacks_a_fact_is_not_needed_where_the_rest_decides() -> None:
    assert lacked(judged(configured(policy("true || cluster.list('GPUQuota').size() == 1")))) == []


def test_an_object_that_the_server_refuses_is_no_matter_for_policies() -> None:
    decision = judged(configured(FALSE), SERVICE.replace("replicas: 2", "replicas: two"))
    assert said(decision) == []
    assert "the policies of the configuration" in [entry.subject for entry in decision.unchecked]


def test_the_webhook_judges_as_the_command_line_does_and_knows_the_user() -> None:
    config = configured(policy("effective.gpus == 1 || !placement.nodes.exists(n, n.name == 'h100-1')"))
    assert said(judged(config, phase=Phase.VALIDATE)) == said(judged(config)) != []
    own = configured(policy("request.userInfo.username != 'eve' && 'system:masters' in request.userInfo.groups"))
    user = {"username": "ann", "groups": ["system:masters"]}
    assert said(judged(own, phase=Phase.VALIDATE, user_info=user)) == []
    assert said(judged(own, phase=Phase.VALIDATE, user_info={**user, "username": "eve"})) != []


def test_without_policies_nothing_is_said() -> None:
    assert said(judged(DEFAULT)) == []


OTHER_FAMILIES = {
    "AIMServiceTemplate.aim.eai.amd.com": (
        """
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: fast, namespace: team-a}
spec: {modelName: llama, hardware: {gpu: {requests: 1, model: MI300X}}}
""",
        """
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMModel
metadata: {name: llama, namespace: team-a}
spec: {image: "ghcr.io/acme/llama:1.0"}
status: {status: Ready}
""",
        "effective.pods.all(p, p.spec.containers.all(c, image(c.image).registry() == 'registry.example.com'))",
    ),
    "BenchmarkJob.ome.io": (
        """
apiVersion: ome.io/v1beta1
kind: BenchmarkJob
metadata: {name: load, namespace: team-a}
spec:
  endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
  task: text-to-text
  maxTimePerIteration: 15
  maxRequestsPerIteration: 100
  outputLocation: {storageUri: "pvc://results/chat"}
""",
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: results, namespace: team-a}\nspec: {}\n",
        "effective.pods.all(p, p.spec.volumes.all(v, !has(v.persistentVolumeClaim)))",
    ),
    "Service.inference.llmaz.io": (
        """
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: chat, namespace: team-a}
spec:
  modelClaims: {models: [{name: qwen, role: main}]}
  workloadTemplate:
    size: 1
    workerTemplate: {spec: {containers: [{name: model-runner, image: "vllm/vllm-openai:v0.25.1", args: [--port, "8080"]}]}}
""",
        """
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: qwen}
spec:
  familyName: qwen2
  source: {modelHub: {modelID: Qwen/Qwen2.5-72B-Instruct}}
  inferenceConfig: {flavors: [{name: h100, limits: {nvidia.com/gpu: 1}, params: {TP: "1"}}]}
---
apiVersion: v1
kind: Node
metadata: {name: h100}
status: {allocatable: {cpu: "192", memory: 2048Gi, pods: "110", nvidia.com/gpu: "8"}}
""",
        "effective.gpus == 0 || effective.model.name != 'qwen'",
    ),
    "InferenceModelRewrite.inference.networking.x-k8s.io": (
        """
apiVersion: inference.networking.x-k8s.io/v1alpha2
kind: InferenceModelRewrite
metadata: {name: split, namespace: team-a}
spec: {poolRef: {name: pool}, rules: [{targets: [{modelRewrite: a, weight: 9}, {modelRewrite: b, weight: 1}]}]}
""",
        "",
        "object.spec.rules.all(r, r.targets.size() == 1) && effective.pods.size() == 0",
    ),
}


@pytest.mark.parametrize("kind", OTHER_FAMILIES)
def test_every_family_has_policies(kind: str) -> None:
    obj, cluster, expression = OTHER_FAMILIES[kind]
    decision = judged(configured(policy(expression, kind)), obj, cluster)
    assert said(decision) == [f"POLICY-001 error failed expression: {expression}"]
