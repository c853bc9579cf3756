"""The judge reports the outcomes of the scheduler that were measured before, and the reasons for each node."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs.scheduler.generated import claims, plain
from tests.programs.scheduler.generated.case import requirement
from tests.programs.scheduler.generated.hardware import node, size
from tests.programs.scheduler.generated.slices import amd_gpu, device_class, node_slice
from tests.programs.scheduler.judge import EVERY_NODE, Judge
from tests.programs.scheduler.messages import read
from tests.programs.scheduler.variants import only_on
from weighbridge.policies.ground.server_release import release

pytestmark = [pytest.mark.control_plane, pytest.mark.usefixtures("kubernetes_of_the_plane")]

NOT_HELPFUL = "preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling."


def _of_claims() -> str:
    return "" if release().keeps_silent_about_claims else "no new claims to deallocate, "


NODES = [
    node("small", size("2", "4Gi")),
    node("big", size("16", "64Gi", **{"amd.com/gpu": "8"})),
    node("tainted", size("16", "64Gi"), taints=[{"key": "team", "effect": "NoSchedule"}]),
    node("cordoned", size("16", "64Gi"), cordoned=True),
]


def pod(name: str, *, requests: dict[str, str] | None = None, **spec: object) -> dict[str, Any]:
    container: dict[str, object] = {"name": "main", "image": "example.invalid/none"}
    if requests:
        container["resources"] = {"requests": requests, "limits": requests}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **spec}}


def named(*names: str) -> dict[str, Any]:
    terms = [{"matchFields": [requirement("metadata.name", "In", name) for name in names]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def test_every_feasible_node_is_named_and_every_other_has_its_reason(judge: Judge) -> None:
    truths = judge.truths(NODES, [pod("any"), pod("wide", requests={"cpu": "4"}), pod("eight", requests={"amd.com/gpu": "8"})])
    elsewhere = {"tainted": ["node(s) had untolerated taint(s)"], "cordoned": ["node(s) were unschedulable"]}
    assert (truths["any"].feasible, truths["any"].rejected, truths["any"].reason) == (["small", "big"], elsewhere, "")
    assert (truths["wide"].feasible, truths["wide"].rejected) == (["big"], elsewhere | {"small": ["Insufficient cpu"]})
    assert (truths["eight"].feasible, truths["eight"].rejected) == (["big"], elsewhere | {"small": ["Insufficient amd.com/gpu"]})


def test_the_message_is_that_of_a_scheduler_without_an_extender(judge: Judge) -> None:
    truth = judge.truths(NODES, [pod("nine", requests={"amd.com/gpu": "9"})])["nine"]
    counts = "1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient amd.com/gpu"
    assert truth.message == f"0/4 nodes are available: {counts}. {_of_claims()}{NOT_HELPFUL}"
    assert (truth.reason, truth.feasible) == ("Unschedulable", [])


def test_pods_that_no_filter_sees_have_their_outcomes(judge: Judge) -> None:
    pods = [
        pod("gated", schedulingGates=[{"name": "example.com/gate"}]),
        pod("foreign", schedulerName="somebody-else"),
        pod("claimless", resourceClaims=[{"name": "gpu", "resourceClaimName": "no-such-claim"}]),
        pod("classless", runtimeClassName="no-such-class"),
        pod("placed", nodeName="tainted", requests={"cpu": "1000"}),
        pod("lost", nodeName="no-such-node"),
        pod("conflict", affinity=named("small", "big")),
    ]
    truths = judge.truths(NODES, pods)
    reasons = {name: truth.reason for name, truth in truths.items()}
    assert reasons == {
        "gated": "SchedulingGated",
        "foreign": "Silent",
        "claimless": "Silent",
        "classless": "Rejected",
        "placed": "",
        "lost": "Silent",
        "conflict": "Unschedulable",
    }
    assert truths["placed"].feasible == ["tainted"]
    assert truths["classless"].message == 'pods "classless" is forbidden: pod rejected: RuntimeClass "no-such-class" not found'
    assert truths["conflict"].message == "0/4 nodes are available: pod affinity terms conflict. not found"
    assert truths["conflict"].rejected == {each["metadata"]["name"]: ["pod affinity terms conflict"] for each in NODES}


def test_claims_are_made_from_templates_and_errors_are_collected_from_all_nodes(judge: Judge) -> None:
    classes = [device_class("gpu.amd.com", 'device.driver == "gpu.amd.com"')]
    slices = [node_slice("big", "gpu.amd.com", [amd_gpu(index) for index in range(2)])]
    spec = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.amd.com", "count": 2}}]}}
    bad = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.amd.com", "count": 33}}]}}
    objects = [*NODES, *classes, *slices, template("two", spec), template("too-many", bad)]
    truths = judge.truths(objects, [with_template("fits", "two"), with_template("aborts", "too-many")])
    assert truths["fits"].feasible == ["big"]
    assert truths["fits"].rejected["small"] == ["cannot allocate all claims"]
    assert truths["aborts"].reason == "SchedulerError"
    error = "claim default/aborts-gpu: number of requested devices 33 exceeds the claim limit of 32"
    if release().names_devices:
        error = "claim default/aborts-gpu, request gpu: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for"
    assert truths["aborts"].messages == {f'running "DynamicResources" filter plugin: {error}'}


def template(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": {"spec": spec}}


def with_template(name: str, template_name: str) -> dict[str, Any]:
    made = pod(name, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": template_name}])
    made["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    return made


def test_an_allocated_claim_is_the_same_for_whoever_asks_next(judge: Judge) -> None:
    made = claims.scenario("dra-allocated", 0, seed=1)
    asked = [pod(f"again-{index}", resourceClaims=[{"name": "gpu", "resourceClaimName": "elsewhere"}]) for index in range(3)]
    for each in asked:
        # The claim is allocated on a node without the label, so the scheduler would deallocate it.
        each["spec"]["nodeSelector"] = {"kubernetes.io/hostname": "mi300x-0"}
        each["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    truths = judge.truths(made.objects, asked)
    assert {truth.rejected["mi300x-0"][0] for truth in truths.values()} == {"resourceclaim not available on the node"}
    assert len({truth.message for truth in truths.values()}) == 1
    assert "deallocation of ResourceClaim completed" in truths["again-0"].message


def test_reasons_found_by_halving_are_those_of_single_nodes(judge: Judge) -> None:
    made = plain.scenario("amd-small", 12, seed=3)
    with judge.cluster(made.objects) as cluster:
        truths = cluster.ask(made.pods)
        variants = {
            f"{each['metadata']['name']}-only-{name}": (each["metadata"]["name"], name, only_on(each, [name]))
            for each in made.pods
            for name in truths[each["metadata"]["name"]].rejected
        }
        pods = [{**variant, "metadata": {**variant["metadata"], "name": key}} for key, (_, _, variant) in variants.items()]
        outcomes = cluster.rounds.ask(pods, EVERY_NODE)
    assert len(variants) > 12
    for key, (asked, name, _) in variants.items():
        verdict = read(outcomes[key].message)
        narrowed = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
        own = [reason for reason, count in verdict.counts.items() if reason != narrowed or count == verdict.nodes]
        assert truths[asked].rejected[name] in (sorted(own), [verdict.prefilter], [narrowed] if verdict.prefilter else None)
