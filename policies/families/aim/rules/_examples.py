"""What the examples of several rules have beside them, and what every rule about a service looks up."""

from __future__ import annotations

from typing import Final

_KINDS: Final = (
    "AIMClusterModel",
    "AIMClusterRuntimeConfig",
    "AIMClusterServiceTemplate",
    "AIMModel",
    "AIMRuntimeConfig",
    "AIMServiceTemplate",
)
#: The kinds that decide what becomes of a service, of both groups.
SERVICE_READS: Final = (*(f"{kind}{group}" for kind in _KINDS for group in ("", ".aim.silogen.ai")), "Node")
#: What says which nodes may come.
MAY_COME: Final = (
    "ConfigMap/cluster-autoscaler-status",
    "Deployment.apps",
    "MachineDeployment.cluster.x-k8s.io",
    "MachinePool.cluster.x-k8s.io",
    "MachineSet.cluster.x-k8s.io",
    "NodePool.karpenter.sh",
)
#: A node with GPUs, a model that is ready with a template that is, the same for the cluster, and configs that say nothing.
READY: Final = """\
apiVersion: v1
kind: Node
metadata: {name: mi300x, labels: {amd.com/gpu.device-id: 74a1}}
status: {allocatable: {cpu: "64", memory: 1Ti, pods: "110", amd.com/gpu: "8"}}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMModel
metadata: {name: llama, namespace: default}
spec: {image: "ghcr.io/acme/llama:1.0"}
status: {status: Ready}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: fast, namespace: default}
spec:
  modelName: llama
  metric: latency
  type: optimized
  hardware: {gpu: {requests: 1, model: MI300X, resourceName: amd.com/gpu}}
  modelSources: [{modelId: acme/llama, sourceUri: "hf://acme/llama", size: 16Gi}]
status: {status: Ready, profile: {metadata: {type: optimized, metric: latency, gpu: MI300X, gpuCount: 1}}}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterModel
metadata: {name: shared}
spec: {image: "ghcr.io/acme/shared:1.0"}
status: {status: Ready}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterServiceTemplate
metadata: {name: shared-fast}
spec: {modelName: shared}
status: {status: Ready, profile: {metadata: {type: optimized}}}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMRuntimeConfig
metadata: {name: default, namespace: default}
spec: {}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterRuntimeConfig
metadata: {name: default}
spec: {}"""
