"""The findings on containers that ask for several shares of a GPU, at every door."""

from __future__ import annotations

import pytest

from tests.placement.clusters import container, facts, node
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.cautions import SLICES, Caution
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.request_pods import fits_now, placed
from weighbridge.policies.verdict.general_rules import GENERAL_RULES

GPU = "nvidia.com/gpu"
TIME_SLICED = {f"{GPU}.count": "2", f"{GPU}.replicas": "4", f"{GPU}.sharing-strategy": "time-slicing", f"{GPU}.memory": "24576"}
MPS = TIME_SLICED | {f"{GPU}.sharing-strategy": "mps"}


def deployment(*wanted: dict[str, str], **spec: object) -> JSONObject:
    """A Deployment whose pods have these containers."""
    held = [container(amounts, f"c{number}") for number, amounts in enumerate(wanted)]
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": held, **spec}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "w", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    }


def cautions(made: JSONObject, *nodes: JSONObject) -> list[Caution]:
    found = placed([made], facts(*nodes), DEFAULT, "default")
    assert found is not None
    assert found[0].fits
    return list(found[0].cautions)


@pytest.mark.parametrize(
    ("wanted", "labels", "amount", "said", "hint"),
    [
        (
            *("4", TIME_SLICED, "8"),
            "time slices of 2 GPUs with 24.0 GiB: they add neither memory nor devices, and an engine finds 2",
            "request 2, and split the engine over 2, or GPUs that aren't shared",
        ),
        (
            *("2", TIME_SLICED | {f"{GPU}.count": "1"}, "4"),
            "time slices of 1 GPU with 24.0 GiB: they add neither memory nor devices, and an engine finds 1",
            "request 1, or GPUs that aren't shared",
        ),
        (
            *("4", MPS, "8"),
            "MPS shares of 2 GPUs with 24.0 GiB: the device plugin refuses more than one for a container",
            "request 1, or GPUs that aren't shared",
        ),
        (
            *("2", {f"{GPU}.product": "A30-MIG-1g.6gb"}, "4"),
            "MIG slices (NVIDIA A30, MIG 1g.6gb): CUDA gives a process only one of them with 6.0 GiB, and there is no P2P between them",
            "request 1, or GPUs that aren't shared",
        ),
    ],
)
def test_several_shares_are_warned_of(wanted: str, labels: dict[str, str], amount: str, said: str, hint: str) -> None:
    found = cautions(deployment({GPU: wanted}), node("n", {GPU: amount}, labels=labels))
    assert found == [Caution(SLICES, f"container c0 requests {wanted} {GPU}, which on n are {said}", hint)]


@pytest.mark.parametrize(
    ("wanted", "labels", "amount"),
    [
        ([{GPU: "2"}], TIME_SLICED, "8"),
        # Each container has a different device.
        ([{GPU: "1"}, {GPU: "1"}], TIME_SLICED | {f"{GPU}.count": "1"}, "4"),
        ([{GPU: "4"}], {f"{GPU}.count": "4"}, "4"),
        ([{"example.com/other": "4"}], TIME_SLICED, "8"),
    ],
)
def test_as_many_devices_as_units_are_right(wanted: list[dict[str, str]], labels: dict[str, str], amount: str) -> None:
    assert cautions(deployment(*wanted), node("n", {GPU: amount, "example.com/other": "4"}, labels=labels)) == []


def test_devices_that_only_some_nodes_share_are_a_note() -> None:
    nodes = node("sliced", {GPU: "8"}, labels=TIME_SLICED), node("whole", {GPU: "8"})
    (found,) = cautions(deployment({GPU: "4"}), *nodes)
    assert found.is_note
    assert found.hint == "request 2, and split the engine over 2, or select nodes whose GPUs aren't shared"
    assert cautions(deployment({GPU: "4"}, nodeSelector={"kubernetes.io/hostname": "whole"}), *nodes) == []


def test_mps_shares_say_so_although_there_are_as_many_gpus() -> None:
    (found,) = cautions(deployment({GPU: "2"}), node("n", {GPU: "8"}, labels=MPS))
    assert "refuses more than one for a container" in found.message


def test_mps_on_the_one_gpu_of_a_node_of_gke_gives_a_larger_share() -> None:
    labels = {
        "cloud.google.com/gke-gpu-sharing-strategy": "mps",
        "cloud.google.com/gke-max-shared-clients-per-gpu": "4",
        f"{GPU}.memory": "24576",
    }
    (found,) = cautions(deployment({GPU: "2"}), node("n", {GPU: "4"}, labels=labels))
    assert found.message.endswith("are MPS shares of 1 GPU with 24.0 GiB: an engine finds 1")


def test_hami_gives_each_share_of_another_gpu() -> None:
    shared = node("n", {GPU: "10"})
    shared["metadata"]["annotations"] = {"hami.io/node-nvidia-register": "A,10,24576,100,X,0,true:"}
    (found,) = cautions(deployment({GPU: "2"}), shared)
    assert "shares of 1 GPU with 24.0 GiB: each has to be on another GPU, so HAMi's scheduler finds no room for them" in found.message


def test_a_webhook_takes_no_short_way_round_it() -> None:
    made = deployment({GPU: "4"})
    sliced, whole = facts(node("n", {GPU: "8"}, labels=TIME_SLICED)), facts(node("n", {GPU: "8"}))
    request = Request("u", Operation.CREATE, GroupVersionKind("apps", "v1", "Deployment"), made)
    assert not fits_now(request, [made], sliced)
    request.forget()
    assert fits_now(request, [made], whole)


def test_the_rule_has_a_page() -> None:
    assert SLICES in {rule.id for rule in GENERAL_RULES}
