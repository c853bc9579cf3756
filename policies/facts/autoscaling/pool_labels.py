"""Labels by which providers name the pools of their nodes, and the machines of a pool.

If no node has the value that a selector on such a label wants, the pool has no nodes; the hardware may exist. The provider puts the label
on every node that the pool gets. Sources: the providers' documentation of managed node groups and node pools.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.inventory import Inventory

#: The beginnings of labels of pools, with their provider. A node with such a label is managed.
_PROVIDERS: Final = {
    "eks.amazonaws.com/": "EKS",
    "alpha.eksctl.io/": "EKS",
    "cloud.google.com/gke-": "GKE",
    "kubernetes.azure.com/": "AKS",
    "agentpool": "AKS",
    "oci.oraclecloud.com/": "OKE",
    "oke.oraclecloud.com/": "OKE",
    "doks.digitalocean.com/": "DigitalOcean",
    "lke.linode.com/": "Linode",
    "k8s.scaleway.com/": "Scaleway",
    "ibm-cloud.kubernetes.io/": "IBM Cloud",
    "alibabacloud.com/": "Alibaba Cloud",
    "node.alibabacloud.com/": "Alibaba Cloud",
    "worker.gardener.cloud/": "Gardener",
}
#: The labels by whose values authors choose a pool: these, and general ones of clouds and autoscalers.
_CHOOSE_POOL: Final = (*_PROVIDERS, "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type", "karpenter.sh/")
#: The provider that makes pools by itself, so that no list has all pools that may be added.
MAKES_POOLS: Final = "GKE"


#: Thousands of nodes have the same few hundred labels.
@lru_cache(maxsize=4096)
def provider_of(label: str) -> str:
    """The provider whose pools' nodes have a label; empty for any other label."""
    return next((provider for start, provider in _PROVIDERS.items() if _begins(label, start)), "")


def chooses_pool(label: str) -> bool:
    """Whether a selector on a label chooses among the pools of a provider or an autoscaler."""
    return any(_begins(label, start) for start in _CHOOSE_POOL)


def providers_of(inventory: Inventory) -> dict[str, str]:
    """The providers whose labels the nodes have, each with one of these labels."""
    found: dict[str, str] = {}
    for node in inventory.examples():
        for label in node.labels:
            provider = provider_of(label)
            if provider:
                found.setdefault(provider, label)
    return found


def _begins(label: str, start: str) -> bool:
    return label.startswith(start) if start.endswith(("/", "-")) else label == start
