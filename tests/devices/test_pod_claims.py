"""The claims of a pod, and the errors before any node is checked."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from tests.devices.cluster import AMD, GROUP, claim, device_class, first_of, gpus, node, pod, slice_of, store_of, wish
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.devices import ClaimRequests, DeviceRefusal, Devices, SchedulingAbortedError, Silent
from weighbridge.policies.devices.admin_access import REFUSED
from weighbridge.policies.facts import ObjectStore


def requests_of(objects: list[dict[str, Any]], asking: dict[str, Any]) -> object:
    return Devices.of(store_of([AMD, *objects])).requests_of(asking, "default")


def from_template(status: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    asking = pod()
    asking["spec"]["resourceClaims"] = [{"name": "gpus", "resourceClaimTemplateName": "tpl"}]
    return asking | ({"status": {"resourceClaimStatuses": status}} if status is not None else {})


def template(*wishes: dict[str, Any]) -> dict[str, Any]:
    made = claim(*wishes, name="tpl")
    return made | {"kind": "ResourceClaimTemplate", "spec": {"spec": made["spec"]}}


def test_a_pod_without_claims_asks_for_nothing() -> None:
    found = requests_of([], pod())
    assert getattr(found, "is_empty", None) is True


def test_a_missing_claim_is_waited_for_in_silence() -> None:
    assert requests_of([], pod("nope")) == Silent('resourceclaim.resource.k8s.io "nope" not found', is_certain=True)


def test_a_claim_that_is_being_deleted_is_waited_for() -> None:
    going = claim(wish(1))
    going["metadata"]["deletionTimestamp"] = "2026-11-21T10:00:00Z"
    assert requests_of([going], pod("c")) == Silent('resourceclaim "c" is being deleted', is_certain=True)


def test_a_missing_template_is_waited_for() -> None:
    assert requests_of([], from_template()) == Silent('resourceclaimtemplate.resource.k8s.io "tpl" not found', is_certain=True)


def test_what_may_exist_is_not_said_to_be_missing() -> None:
    devices = Devices.of(ObjectStore([claim(wish(1, "amd"))]))
    assert devices.requests_of(pod("nope"), "default") == Silent('resourceclaim.resource.k8s.io "nope" not found', is_certain=False)
    assert devices.requests_of(pod("c"), "default") == DeviceRefusal("request r0: device class amd does not exist", is_certain=False)
    assert not devices.knows_all


def test_a_template_makes_a_claim_of_the_pods_own() -> None:
    devices = Devices.of(store_of([AMD, slice_of(gpus(2)), template(wish(2))]))
    requests = devices.requests_of(from_template(), "default")
    assert not isinstance(requests, (DeviceRefusal, Silent))
    assert [str(made) for made in requests.claims] == ["default/p-gpus"]
    assert devices.allocate(requests, node()) is None


def test_a_claim_that_has_been_made_is_taken_by_its_name() -> None:
    statuses = [{"name": "gpus", "resourceClaimName": "p-gpus-x7k2p"}]
    assert requests_of([template(wish(2))], from_template(statuses)) == Silent(
        'resourceclaim.resource.k8s.io "p-gpus-x7k2p" not found', is_certain=True
    )
    found = requests_of([template(wish(2)), claim(wish(1), name="p-gpus-x7k2p")], from_template(statuses))
    assert [str(made) for made in getattr(found, "claims", ())] == ["default/p-gpus-x7k2p"]


def test_a_status_without_a_name_says_that_no_claim_is_needed() -> None:
    assert getattr(requests_of([], from_template([{"name": "gpus"}])), "is_empty", None) is True


@pytest.mark.parametrize(
    ("request_", "name"),
    [(wish(1, "nope"), "r0"), (first_of(wish(1), wish(1, "nope")), "r0/b")],
)
def test_a_missing_class_is_told_for_all_nodes(request_: dict[str, Any], name: str) -> None:
    assert requests_of([claim(request_)], pod("c")) == DeviceRefusal(f"request {name}: device class nope does not exist")


def test_an_allocated_claim_needs_no_class() -> None:
    given = claim(wish(1, "nope"), allocation={"devices": {"results": []}})
    assert not isinstance(requests_of([given], pod("c")), DeviceRefusal)


def test_a_request_of_an_unknown_kind_is_told_for_all_nodes() -> None:
    assert requests_of([claim({"name": "r0"})], pod("c")) == DeviceRefusal("resource claim default/c, request r0: unknown request type")


def test_a_request_without_a_class_stops_the_scheduling() -> None:
    with pytest.raises(SchedulingAbortedError, match='running PreFilter plugin "DynamicResources": request r0: unsupported request type'):
        requests_of([claim({"name": "r0", "exactly": {"count": 1}})], pod("c"))


def test_a_claim_of_another_namespace_is_not_the_pods() -> None:
    elsewhere = claim(wish(1))
    elsewhere["metadata"]["namespace"] = "other"
    assert isinstance(requests_of([elsewhere], pod("c")), Silent)


def test_a_claim_with_256_consumers_can_not_be_bound() -> None:
    full = claim(wish(1), allocation={"devices": {"results": []}}, reservedFor=[{"name": f"p{n}", "uid": str(n)} for n in range(256)])
    devices = Devices.of(store_of([AMD, full]))
    requests = devices.requests_of(pod("c"), "default")
    assert not isinstance(requests, (DeviceRefusal, Silent))
    assert devices.allocate(requests, node()) is None
    assert "status.reservedFor: Too many: 257" in devices.binding_error(requests, node())


@pytest.mark.parametrize(
    "broken",
    [
        {
            "kind": "ResourceClaim",
            "metadata": {"name": "c", "namespace": "default"},
            "spec": {"devices": {"requests": [7, {"exactly": []}, {}]}},
        },
        {
            "kind": "ResourceSlice",
            "metadata": {"name": "s"},
            "spec": {"pool": [], "devices": [{"name": 1, "attributes": [], "taints": "x"}, "d"]},
        },
        {"kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": {"nodeSelector": {"nodeSelectorTerms": [None]}, "devices": {}}},
        {"kind": "DeviceClass", "metadata": {"name": "amd"}, "spec": {"selectors": [{"cel": 3}, {}]}},
        {
            "kind": "ResourceClaim",
            "metadata": {"name": "x"},
            "status": {"allocation": {"nodeSelector": 1, "devices": {"results": [None, {}]}}},
        },
    ],
)
def test_malformed_objects_never_break_the_reading(broken: dict[str, Any]) -> None:
    devices = Devices.of(store_of([AMD, claim(wish(1)), slice_of(gpus(1)), {"apiVersion": f"{GROUP}/v1", **broken}]))
    with suppress(SchedulingAbortedError):
        requests = devices.requests_of(pod("c"), "default")
        if not isinstance(requests, (DeviceRefusal, Silent)):
            devices.allocate(requests, node())


def test_a_class_stands_for_its_resource_and_for_its_own_name() -> None:
    old = device_class("a-old", resource="amd.com/gpu")
    new = device_class("new", resource="amd.com/gpu")
    new["metadata"]["creationTimestamp"] = "2026-11-21T10:00:00Z"
    old["metadata"]["creationTimestamp"] = "2026-11-20T10:00:00Z"
    devices = Devices.of(store_of([old, new]))
    assert devices.extended("amd.com/gpu") == "new"
    assert devices.extended("deviceclass.resource.kubernetes.io/a-old") == "a-old"
    assert devices.extended("nvidia.com/gpu") is None


def test_of_classes_of_one_age_the_first_by_name_has_the_resource() -> None:
    devices = Devices.of(store_of([device_class(name, resource="amd.com/gpu") for name in ("b", "a", "c")]))
    assert devices.extended("amd.com/gpu") == "a"


def namespace(**labels: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": labels}}


LABELLED = namespace(**{"resource.kubernetes.io/admin-access": "true"})
ADMIN = wish(1, adminAccess=True)


@pytest.mark.parametrize("asking", [pod("c"), from_template()])
def test_admin_access_takes_a_namespace_with_the_label(asking: dict[str, Any]) -> None:
    objects = [claim(ADMIN), template(ADMIN)]
    assert requests_of([*objects, namespace()], asking) == Silent(REFUSED, is_certain=True)
    allowed, unknown = requests_of([*objects, LABELLED], asking), requests_of(objects, asking)
    assert isinstance(allowed, ClaimRequests)
    assert isinstance(unknown, ClaimRequests)
    assert allowed.unchecked == ()
    assert unknown.unchecked == ("admin access to devices: the labels of namespace default aren't known",)


def test_a_claim_that_the_cluster_has_was_allowed_to() -> None:
    taken = claim(ADMIN)
    taken["metadata"]["uid"] = "u"
    assert isinstance(requests_of([taken, namespace()], pod("c")), ClaimRequests)


@pytest.mark.control_plane
def test_the_api_server_refuses_admin_access_without_the_label(control_plane: ControlPlane) -> None:
    made = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "admins"}}
    control_plane.kubectl("apply", "-f", "-", input=json.dumps(made), check=True)
    asked = template(ADMIN)
    asked["metadata"]["namespace"] = "admins"
    refused = control_plane.kubectl("create", "-f", "-", input=json.dumps(asked))
    assert (refused.returncode, REFUSED in refused.stderr) == (1, True), refused.stderr
    control_plane.kubectl("label", "namespace", "admins", "resource.kubernetes.io/admin-access=true", check=True)
    control_plane.kubectl("create", "-f", "-", input=json.dumps(asked), check=True)
