"""What the examples of several rules have beside them, and what every rule about a claim looks up."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT

#: What a rule reads that goes by what a Playground or a Service claims.
CLAIM_READS: Final = ("BackendRuntime", "ConfigMap/llmaz-global-config", "OpenModel.llmaz.io")
#: The same for rules about Services alone.
SERVICE_READS: Final = ("ConfigMap/llmaz-global-config", "OpenModel.llmaz.io")
#: The same where pods are placed on nodes besides.
PLACED_READS: Final = tuple(sorted({*CLAIM_READS, *READ_BY_PLACEMENT}))
#: What is read where a pod is placed on nodes.
NODE_READS: Final = tuple(sorted(READ_BY_PLACEMENT))
#: A node with GPUs, models, a runtime, and the settings of the controllers.
BESIDE: Final = """\
apiVersion: v1
kind: Node
metadata: {name: t4, labels: {gpu: t4}}
status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110", nvidia.com/gpu: "4"}}
---
apiVersion: v1
kind: Node
metadata: {name: a10, labels: {gpu: a10}}
status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110", nvidia.com/gpu: "2"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: llmaz-global-config, namespace: llmaz-system}
data: {config.data: "scheduler-name: default-scheduler\\ninit-container-image: inftyai/model-loader:v0.0.10\\n"}
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: opt}
spec:
  familyName: opt
  source: {modelHub: {modelID: facebook/opt-125m}}
  inferenceConfig:
    flavors:
    - {name: t4, limits: {nvidia.com/gpu: 1}, nodeSelector: {gpu: t4}}
    - {name: a10, limits: {nvidia.com/gpu: 1}, nodeSelector: {gpu: a10}}
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: wide}
spec:
  familyName: opt
  source: {modelHub: {modelID: facebook/opt-125m}}
  inferenceConfig:
    flavors:
    - {name: t4, limits: {nvidia.com/gpu: 1}, nodeSelector: {gpu: t4}}
    - {name: l40, limits: {nvidia.com/gpu: 1}, nodeSelector: {gpu: l40}}
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: small}
spec: {familyName: opt, source: {modelHub: {modelID: facebook/opt-125m}}}
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: folder}
spec: {familyName: opt, source: {uri: "host:///mnt/opt"}}
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: bucket}
spec: {familyName: opt, source: {uri: "s3://bucket/opt"}}
---
apiVersion: inference.llmaz.io/v1alpha1
kind: BackendRuntime
metadata: {name: vllm}
spec:
  image: vllm/vllm-openai
  version: v0.7.3
  command: [python3, -m, vllm.entrypoints.openai.api_server]
  recommendedConfigs:
  - name: default
    args: [--model, "{{ .ModelPath }}", --port, "8080"]
    resources: {requests: {cpu: 4, memory: 8Gi}, limits: {cpu: 4, memory: 8Gi}}
  - name: speculative-decoding
    args: [--model, "{{ .ModelPath }}", --speculative_model, "{{ .DraftModelPath }}"]
    resources: {requests: {cpu: 4, memory: 8Gi}}
  - name: elastic
    args: [--model, "{{ .ModelPath }}"]
    scaleTrigger: {}
---
apiVersion: inference.llmaz.io/v1alpha1
kind: BackendRuntime
metadata: {name: broken}
spec:
  image: acme/engine
  version: v1
  recommendedConfigs:
  - {name: default, args: [--model, "{{ .ModelPath }}"], scaleTrigger: {}}"""
