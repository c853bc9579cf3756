"""The names of clouds and their autoscalers for the GPUs of a node.

Instance types and models: OME (`pkg/utils/instance_type_util.go`), all of them NVIDIA's. Karpenter's labels: aws/karpenter-provider-aws
(`pkg/apis/v1/labels.go`) and Azure/karpenter-provider-azure (its documents' table of node labels). Amazon's GPU families are those that
aws-cdk-lib lists for EKS (`aws-eks/lib/private/nodegroup.js`): p and g with a number. That g4ad is the one with AMD's GPUs is Amazon's own
description of its instance types, https://aws.amazon.com/ec2/instance-types/.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.expressions import expression

#: The beginnings of Karpenter's labels about the GPUs of a node, by cloud; `name`, `manufacturer` or `count` follows.
KARPENTER_GPU: Final = ("karpenter.k8s.aws/instance-gpu-", "karpenter.azure.com/sku-gpu-")
INSTANCE_TYPE_LABELS: Final = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")

_BY_MODEL: Final = {
    "A10": "BM.GPU.A10.4",
    "A100-40G": "BM.GPU4.8 BM.GPU.B4.8",
    "A100-80G": "BM.GPU.A100-v2.8",
    "H100": "BM.GPU.H100.8 BM.GPU.H100-NC.8 p5.48xlarge Standard_ND96isr_H100_v5 a3-highgpu-8g gd-8xh100ib-i128 gpu-h100-sxm",
    "H200": "BM.GPU.H200.8 BM.GPU.H200-NC.8 gd-8xh200ib-i128 gpu-h200-sxm",
    "B200": "BM.GPU.B200.8 gpu-b200-sxm",
    "L40": "gd-8xl40-i128",
    "L40S": "gpu-l40s",
}
#: The model by instance type.
INSTANCE_TYPES: Final = {name: model for model, names in _BY_MODEL.items() for name in names.split()}
_AMAZON_GPU: Final = expression(r"[pg][0-9]+[a-z-]*(?:\..+)?")


def vendor_of_instance(name: str) -> str:
    """The vendor of the GPUs of an instance type, a family of types (`p5`) or a category (`p`); empty if it isn't known to have any."""
    if name in INSTANCE_TYPES or name in ("g", "p"):
        return "NVIDIA"
    if not _AMAZON_GPU.fullmatch(name):
        return ""
    return "AMD" if name.startswith("g4ad") else "NVIDIA"
