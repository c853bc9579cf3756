"""Pod Security Standards: the labels of a namespace, the checks by version and release, and the defaults that the server fills in first.

`tests/programs/pod_security` compares the exact messages with a server's.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, facts, pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import RELEASES, judging
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.placement import place
from weighbridge.policies.pods.admission import admit
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.security.evaluation import breach
from weighbridge.policies.pods.security.standard import (
    BASELINE,
    FREE,
    LATEST,
    PREFIX,
    PRIVILEGED,
    RESTRICTED,
    PluginSettings,
    Standard,
    Standards,
    standards_for,
    standards_in,
    standards_of,
)
from weighbridge.policies.pods.security.workloads import violation
from weighbridge.policies.pods.workloads import pods_of

OLDEST, NEWEST = RELEASES[0], RELEASES[-1]
APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/c"
SECCOMP = "seccomp.security.alpha.kubernetes.io/pod"


def one(context: JSONObject | None = None, **fields: Any) -> JSONObject:
    """The spec of a pod with one container."""
    return {"containers": [{"name": "c", "securityContext": context or {}}], **fields}


def reasons(spec: JSONObject, level: str, version: str = LATEST, **annotations: str) -> list[str]:
    """The reasons without their details."""
    found, words, depth = breach({"annotations": annotations}, spec, Standard(level, version)), [""], 0
    for sign in found:
        depth += (sign == "(") - (sign == ")")
        if not depth and sign not in "()":
            words[-1] += sign
        if not depth and words[-1].endswith(", "):
            words[-1] = words[-1][:-2]
            words.append("")
    return [word.strip() for word in words if word.strip()]


SOUND = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "Localhost"},
}


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (one({"appArmorProfile": {"type": "Unconfined"}}), "forbidden AppArmor profile"),
        (one({"capabilities": {"add": ["NET_RAW"]}}), "non-default capabilities"),
        (one(hostPID=True), "host namespaces"),
        (one(volumes=[{"name": "v", "hostPath": {"path": "/"}}]), "hostPath volumes"),
        ({"containers": [{"name": "c", "ports": [{"containerPort": 1, "hostPort": 1}]}]}, "hostPort"),
        ({"containers": [{"name": "c", "livenessProbe": {"httpGet": {"host": "h"}}}]}, "probe or lifecycle host"),
        ({"containers": [{"name": "c", "lifecycle": {"preStop": {"tcpSocket": {"host": "h"}}}}]}, "probe or lifecycle host"),
        (one({"privileged": True}), "privileged"),
        (one({"procMount": "Unmasked"}), "procMount"),
        (one({"seLinuxOptions": {"user": "u"}}), "seLinuxOptions"),
        (one({"seccompProfile": {"type": "Unconfined"}}), "seccompProfile"),
        (one(securityContext={"sysctls": [{"name": "kernel.msgmax"}]}), "forbidden sysctls"),
        (one({"windowsOptions": {"hostProcess": True}}), "hostProcess"),
    ],
)
def test_each_check_of_baseline_has_a_pod_that_breaks_it_alone(spec: JSONObject, reason: str) -> None:
    assert reasons(spec, BASELINE) == [reason]
    assert reasons(spec, PRIVILEGED) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"allowPrivilegeEscalation": None}, "allowPrivilegeEscalation != false"),
        ({"capabilities": {"drop": ["ALL"], "add": ["CHOWN"]}}, "unrestricted capabilities"),
        ({"runAsNonRoot": False}, "runAsNonRoot != true"),
        ({"runAsUser": 0}, "runAsUser=0"),
        ({"seccompProfile": None}, "seccompProfile"),
        ({"procMount": "Unmasked"}, "procMount"),
    ],
)
def test_each_check_of_restricted_has_a_pod_that_breaks_it_alone(change: JSONObject, reason: str) -> None:
    assert reasons(one(SOUND), RESTRICTED) == []
    assert reasons(one({**SOUND, **change}), RESTRICTED) == [reason]


def test_a_restricted_volume_is_named_by_its_source_and_one_without_a_source_is_an_empty_folder() -> None:
    volumes = [{"name": "a", "nfs": {"path": "/"}}, {"name": "b"}, {"name": "c", "emptyDir": {}}]
    assert breach({}, one(SOUND, volumes=volumes), Standard(RESTRICTED)) == (
        'restricted volume types (volume "a" uses restricted volume type "nfs")'
    )


@pytest.mark.parametrize(
    ("spec", "level", "before", "since"),
    [
        (one({"capabilities": {"drop": ["ALL"]}, "runAsNonRoot": True}), RESTRICTED, "v1.7", "v1.8"),
        (one({**SOUND, "capabilities": {}}), RESTRICTED, "v1.21", "v1.22"),
        (one({**SOUND, "runAsUser": 0}), RESTRICTED, "v1.22", "v1.23"),
        (one({**SOUND, "seccompProfile": None}), RESTRICTED, "v1.18", "v1.19"),
        ({"containers": [{"name": "c", "startupProbe": {"tcpSocket": {"host": "h"}}}]}, BASELINE, "v1.33", "v1.34"),
    ],
)
def test_a_check_begins_with_its_version(spec: JSONObject, level: str, before: str, since: str) -> None:
    assert reasons(spec, level, before) == []
    assert len(reasons(spec, level, since)) == 1


@pytest.mark.parametrize(
    ("spec", "level", "before", "since"),
    [
        (one(securityContext={"sysctls": [{"name": "net.ipv4.ip_local_reserved_ports"}]}), BASELINE, "v1.26", "v1.27"),
        (one(securityContext={"sysctls": [{"name": "net.ipv4.tcp_fin_timeout"}]}), BASELINE, "v1.28", "v1.29"),
        (one(securityContext={"sysctls": [{"name": "net.ipv4.tcp_wmem"}]}), BASELINE, "v1.31", "v1.32"),
        (one(securityContext={"sysctls": [{"name": "net.ipv4.tcp_notsent_lowat"}]}), BASELINE, "v1.36", "v1.37"),
        (one({"seLinuxOptions": {"type": "container_engine_t"}}), BASELINE, "v1.30", "v1.31"),
        (one({"procMount": "Unmasked"}, hostUsers=False), BASELINE, "v1.34", "v1.35"),
        (one({**SOUND, "runAsUser": 0}, hostUsers=False), RESTRICTED, "v1.34", "v1.35"),
        (
            one({"seccompProfile": {"type": "Localhost"}}, os={"name": "windows"}, securityContext={"runAsNonRoot": True}),
            RESTRICTED,
            "v1.24",
            "v1.25",
        ),
    ],
)
def test_a_check_is_looser_since_its_version(spec: JSONObject, level: str, before: str, since: str) -> None:
    assert reasons(spec, level, before)
    assert reasons(spec, level, since) == []


def test_a_server_knows_no_version_after_its_own() -> None:
    spec = one(securityContext={"sysctls": [{"name": "net.ipv4.tcp_notsent_lowat"}]})
    for version in (LATEST, "v1.37", "v1.99"):
        with judging(OLDEST):
            assert reasons(spec, BASELINE, version) == ["forbidden sysctls"]
        with judging(NEWEST):
            assert reasons(spec, BASELINE, version) == []


def test_old_versions_look_at_annotations() -> None:
    assert reasons(one(), BASELINE, "v1.18", **{SECCOMP: "unconfined"}) == ["seccompProfile"]
    assert reasons(one(), BASELINE, "v1.19", **{SECCOMP: "unconfined"}) == []


@pytest.mark.parametrize(
    ("labels", "enforce", "warn", "audit"),
    [
        ({}, "privileged:latest", "privileged:latest", "privileged:latest"),
        ({"enforce": "baseline"}, "baseline:latest", "baseline:latest", "privileged:latest"),
        ({"enforce": "baseline", "enforce-version": "v1.30"}, "baseline:v1.30", "baseline:v1.30", "privileged:latest"),
        ({"enforce": "baseline", "warn-version": "v1.31"}, "baseline:latest", "baseline:v1.31", "privileged:latest"),
        ({"enforce": "restricted", "warn": "baseline"}, "restricted:latest", "baseline:latest", "privileged:latest"),
        ({"warn": "restricted", "audit": "baseline", "audit-version": "v1.0"}, "privileged:latest", "restricted:latest", "baseline:v1.0"),
        # A level that can't be read counts as the strictest if it is enforced, and as none otherwise.
        ({"enforce": "strict"}, "restricted:latest", "privileged:latest", "privileged:latest"),
        ({"warn": "x", "audit": "y"}, "privileged:latest", "privileged:latest", "privileged:latest"),
        ({"enforce": "baseline", "enforce-version": "1.30"}, "baseline:latest", "baseline:latest", "privileged:latest"),
        ({"enforce": "baseline", "enforce-version": "v1.030"}, "baseline:latest", "baseline:latest", "privileged:latest"),
        ({"enforce": "baseline", "enforce-version": f"v1.{2**63}"}, "baseline:latest", "baseline:latest", "privileged:latest"),
    ],
)
def test_labels_say_which_standards_hold(labels: dict[str, str], enforce: str, warn: str, audit: str) -> None:
    found = standards_of({f"{PREFIX}{key}": value for key, value in labels.items()})
    assert [str(found.enforce), str(found.warn), str(found.audit)] == [enforce, warn, audit]


def namespace(name: str, **labels: str) -> JSONObject:
    """A Namespace with labels of Pod Security."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, "labels": {f"{PREFIX}{key}": value for key, value in labels.items()}},
    }


def test_the_servers_configuration_has_defaults_and_exemptions() -> None:
    settings = PluginSettings(Standards(Standard(BASELINE)), frozenset({"free"}), frozenset({"kata"}))
    store = facts(namespace("plain"), namespace("strict", enforce="restricted"), namespace("free", enforce="restricted")).objects
    levels = {name: standards_in(name, store, settings).enforce.level for name in ("plain", "strict", "free", "unknown")}
    assert levels == {"plain": BASELINE, "strict": RESTRICTED, "free": PRIVILEGED, "unknown": BASELINE}
    assert standards_in("unknown", store) == FREE
    in_kata, in_other = ({"spec": {"runtimeClassName": name}} for name in ("kata", "runc"))
    assert standards_for(in_kata, "strict", store, settings) == FREE
    assert standards_for(in_other, "strict", store, settings).enforce.level == RESTRICTED


def refusal(asked: JSONObject, *objects: JSONObject, standard: str = RESTRICTED) -> str:
    """Why the API server refuses a pod."""
    with pytest.raises(Refused) as refused:
        admit(asked, facts(*objects).objects, "default", enforced=Standard(standard))
    return str(refused.value)


def test_a_limit_range_comes_first_and_a_quota_last() -> None:
    asked = pod(containers=[container({"memory": "2Gi"})])
    limit = {"limits": [{"type": "Container", "min": {"memory": "3Gi"}}]}
    metadata = {"name": "x", "namespace": "default"}
    limits: JSONObject = {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": limit}
    quota: JSONObject = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": {"requests.memory": "1Gi"}}}
    assert "minimum memory usage per Container" in refusal(asked, limits, quota)
    assert "violates PodSecurity" in refusal(asked, quota)
    assert "exceeded quota" in refusal(asked, quota, standard=PRIVILEGED)


def test_ports_of_the_hosts_network_are_ports_of_the_host_in_a_pod_and_not_in_a_template() -> None:
    spec = {"hostNetwork": True, "containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}]}]}
    assert 'hostPort (container "c" uses hostPort 80)' in refusal({"metadata": {"name": "p"}, "spec": spec}, standard=BASELINE)
    workload = {"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"template": {"spec": spec}}}
    assert violation(workload, pods_of(workload), Standard(BASELINE)) == (
        'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
    )


def test_an_old_annotation_turns_the_profile_of_a_container_off() -> None:
    made = {"metadata": {"name": "p", "annotations": {APP_ARMOR: "unconfined"}}, "spec": one()}
    assert refusal(made, standard=BASELINE) == (
        'pods "p" is forbidden: violates PodSecurity "baseline:latest": forbidden AppArmor profiles (container "c" and annotation must not '
        f'set AppArmor profile type to "Unconfined", "{APP_ARMOR}="unconfined"")'
    )


def test_a_stateful_set_is_judged_by_its_template_and_not_by_the_claims_in_its_place() -> None:
    template = {"spec": one(SOUND, volumes=[{"name": "data", "nfs": {"path": "/"}}])}
    workload = {
        "kind": "StatefulSet",
        "metadata": {"name": "s"},
        "spec": {"template": template, "volumeClaimTemplates": [{"metadata": {"name": "data"}}]},
    }
    assert "restricted volume types" in violation(workload, pods_of(workload), Standard(RESTRICTED))


def test_a_group_is_judged_by_its_pods() -> None:
    worker = {"spec": one()}
    workload = {
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "g"},
        "spec": {"leaderWorkerTemplate": {"size": 2, "leaderTemplate": {"spec": one(SOUND)}, "workerTemplate": worker}},
    }
    assert "allowPrivilegeEscalation" in violation(workload, pods_of(workload), Standard(RESTRICTED))


def test_a_refused_pod_gets_no_node() -> None:
    assert place(pod(), facts(), enforced=Standard(RESTRICTED)).reason is Reason.REJECTED
