"""Labels by which providers name the pools of their nodes, and what a pool's nodes are.

A selector on one of these whose value no node has speaks of a pool without nodes, not of hardware that doesn't exist: the provider puts the
label on every node that the pool gets. Sources: the providers' documentation of managed node groups and node pools.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.inventory import Inventory

#: What labels of a provider's pools begin with, and the provider. A node with one of them is managed.
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
#: The labels among them, and those of clouds and autoscalers in general, whose value an author chooses a pool by.
_CHOOSE_POOL: Final = (*_PROVIDERS, "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type", "karpenter.sh/")
#: The one that makes pools by itself, so that nothing lists all that may come.
MAKES_POOLS: Final = "GKE"


#: The labels of thousands of nodes are the same few hundred.
@lru_cache(maxsize=4096)
def provider_of(label: str) -> str:
    """The provider whose pools' nodes have a label; empty for any other label."""
    return next((provider for start, provider in _PROVIDERS.items() if _begins(label, start)), "")


def chooses_pool(label: str) -> bool:
    """Whether a selector on a label chooses among the pools of a provider or an autoscaler."""
    return any(_begins(label, start) for start in _CHOOSE_POOL)


def providers_of(inventory: Inventory) -> dict[str, str]:
    """The providers of which the nodes have labels, each with one of these labels."""
    found: dict[str, str] = {}
    for node in inventory.examples():
        for label in node.labels:
            provider = provider_of(label)
            if provider:
                found.setdefault(provider, label)
    return found


def _begins(label: str, start: str) -> bool:
    return label.startswith(start) if start.endswith(("/", "-")) else label == start
