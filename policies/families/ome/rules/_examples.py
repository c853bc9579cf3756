"""What the cluster has besides in the examples of rules about models, runtimes and accelerator classes."""

from __future__ import annotations

from typing import Final

MODEL: Final = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelParameterSize: 8B
  storage: {storageUri: "hf://acme/llama", path: /models/llama}
"""
#: A runtime that can serve it.
RUNTIME: Final = """\
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: srt}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
  modelSizeRange: {min: 1B, max: 9B}
  engineConfig: {runner: {name: ome-container, image: "sglang:1"}}
"""
#: The model, and the runtime that serves it.
SERVED: Final = MODEL + RUNTIME
#: A namespaced model and runtime of other names, so that all of their kinds are known.
OTHERS: Final = """\
---
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata: {name: other, namespace: elsewhere}
spec:
  modelFormat: {name: onnx}
  storage: {storageUri: "hf://acme/other", path: /models/other}
---
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata: {name: other, namespace: elsewhere}
spec:
  supportedModelFormats: [{modelFormat: {name: onnx}}]
  engineConfig: {runner: {name: ome-container, image: "onnx:1"}}
"""
SERVABLE: Final = SERVED + OTHERS
#: What a rule reads that asks for the service's model, and one that asks for its runtime.
MODEL_READS: Final = ("BaseModel", "ClusterBaseModel", "FineTunedWeight")
RUNTIME_READS: Final = ("BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "FineTunedWeight", "ServingRuntime")
#: An accelerator class, a runtime that lists it, and the model that it serves.
H100: Final = """\
apiVersion: ome.io/v1beta1
kind: AcceleratorClass
metadata: {name: nvidia-h100}
spec:
  vendor: nvidia
  family: hopper
  discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
  capabilities: {memoryGB: 80Gi}
"""
CLASSED: Final = SERVED + "  acceleratorRequirements: {acceleratorClasses: [nvidia-h100]}\n" + OTHERS + "---\n" + H100
CLASS_READS: Final = ("AcceleratorClass", *RUNTIME_READS)
