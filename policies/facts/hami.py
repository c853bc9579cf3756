"""HAMi: the signs that a cluster has it, and the resources that its scheduler's extender decides about.

HAMi shares GPUs among pods. Its webhook gives pods that ask for its resources to its own scheduler, which is kube-scheduler with an
extender. The scheduler ignores these resources, and the extender checks for room. Nodes list only the GPUs, each several times.
Sources: Project-HAMi/HAMi v2.10 (`charts/hami/templates/_helpers.tpl`, `hami-vgpu.scheduler.managedResources`, and `values.yaml`;
`templates/scheduler/deployment.yaml` and `webhook.yaml`; `pkg/device/devices.go`; `pkg/scheduler/webhook.go`). In its early releases the
annotations began with `4pd.io/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.kinds import DEPLOYMENTS
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of

#: The webhook that gives pods to HAMi's scheduler: kind, and the name of its entry.
WEBHOOKS: Final = ("admissionregistration.k8s.io", "MutatingWebhookConfiguration")
_WEBHOOK: Final = "vgpu.hami.io"
_COMPONENT, _SCHEDULER = "app.kubernetes.io/component", "hami-scheduler"
#: The kinds whose objects show that the cluster has HAMi, apart from nodes.
READ: Final = (DEPLOYMENTS.known_as, WEBHOOKS)
#: The resources that the extender manages and that no node lists: shares of the memory and of the cores.
_MANAGED: Final = expression(
    r"(?:nvidia\.com/(?:gpumem|gpumem-percentage|gpucores|priority)|amd\.com/(?:gpumem|gpucores)"
    r"|cambricon\.com/mlu\.smlu\.(?:vmemory|vcore)|hygon\.com/dcu(?:mem|cores)|metax-tech\.com/v(?:core|memory)"
    r"|kunlunxin\.com/vxpu-memory|enflame\.com/gcu-(?:memory|core)|huawei\.com/Ascend\w+(?:-\d)?-(?:memory|core)"
    r"|iluvatar\.ai/[A-Z0-9-]+\.v(?:Core|Mem))"
)
HOW_TO_SHOW: Final = (
    "if the cluster has HAMi, give its nodes with their annotations (hami.io/node-nvidia-register), or the Deployment of hami-scheduler"
)


def managed(resources: Iterable[str]) -> list[str]:
    """Those of some resources that HAMi's extender decides about, if there is one."""
    return [name for name in resources if "/" in name and _MANAGED.fullmatch(name)]


def has_hami(inventory: Inventory | None, store: ObjectStore) -> bool:
    """Whether something shows that the cluster has HAMi: a node with its devices, its scheduler, or its webhook."""
    if inventory is not None and inventory.once(has_hami, lambda: any(node.has_hami for node in inventory.examples())):
        return True
    return store.once(READ, has_hami, lambda: _is_installed(store))


def _is_installed(store: ObjectStore) -> bool:
    if any(kept_deployment(found) is not None for found in store.list(*DEPLOYMENTS.known_as)):
        return True
    return any(text(entry, "name") == _WEBHOOK for found in store.list(*WEBHOOKS) for entry in items(found, "webhooks"))


def kept_deployment(deployment: JSONObject) -> JSONObject | None:
    """The part of HAMi's scheduler Deployment that is kept: its name and the label by which it is recognised. `None` for any other."""
    if text_map(metadata_of(deployment), "labels").get(_COMPONENT) != _SCHEDULER and not name_of(deployment).endswith(_SCHEDULER):
        return None
    metadata = {key: value for key, value in metadata_of(deployment).items() if key in ("name", "namespace")}
    kept = {"apiVersion": deployment.get("apiVersion"), "kind": deployment.get("kind")}
    return {**kept, "metadata": {**metadata, "labels": {_COMPONENT: _SCHEDULER}}}
