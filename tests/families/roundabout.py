"""Objects of which one leads to another through a third, which no case has."""

from __future__ import annotations

#: Clusters in which one object leads to another through a third.
ROUNDABOUT = """
kind: Model
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: a, namespace: n}
spec: {source: "https://example.com/a.gguf", hardware: {accelerator: metal}}
---
kind: Model
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: b, namespace: n}
spec: {source: "https://example.com/b.gguf"}
---
kind: InferenceService
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: a, namespace: n}
spec: {modelRef: a, replicas: 0}
---
kind: InferenceService
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: b, namespace: n}
spec: {modelRef: b, replicas: 0}
---
kind: ModelPool
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: p, namespace: n}
spec: {default: b, members: [{inferenceServiceRef: {name: a}}, {inferenceServiceRef: {name: b}}]}
---
kind: ClusterBaseModel
apiVersion: ome.io/v1beta1
metadata: {name: base}
spec: {modelFormat: {name: safetensors}, storage: {storageUri: "hf://acme/base"}}
---
kind: ClusterBaseModel
apiVersion: ome.io/v1beta1
metadata: {name: tuned}
spec: {modelFormat: {name: safetensors}, modelParameterSize: 7B, storage: {storageUri: "hf://acme/tuned", path: /models/tuned}}
---
kind: FineTunedWeight
apiVersion: ome.io/v1beta1
metadata: {name: tuned}
spec: {baseModelRef: {name: base}}
---
kind: ServingRuntime
apiVersion: ome.io/v1beta1
metadata: {name: r, namespace: n}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, autoSelect: true}]
  engineConfig: {runner: {name: ome-container, image: "sglang:1"}}
---
kind: InferenceService
apiVersion: ome.io/v1beta1
metadata: {name: s, namespace: n}
spec: {model: {name: tuned, kind: FineTunedWeight}, engine: {}}
---
kind: AIMServiceTemplate
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: t, namespace: n, uid: t}
spec: {modelName: m, metric: latency, gpuSelector: {count: 1, model: MI300X}}
status: {status: Ready}
---
kind: AIMServiceTemplate
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: like-t, namespace: n, uid: like-t}
spec: {modelName: m, metric: throughput, gpuSelector: {count: 1, model: MI300X}}
status: {status: Ready}
---
kind: AIMService
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: s, namespace: n}
spec: {templateRef: t, overrides: {metric: throughput}}
---
kind: AIMModel
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: m, namespace: n}
spec: {image: "ghcr.io/acme/m:1"}
status: {status: Ready}
---
kind: AIMServiceTemplate
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: t-ovr-latency-817c, namespace: n}
spec: {modelName: of-another, metric: latency}
status: {status: Ready}
---
kind: AIMService
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: s, namespace: n}
spec: {model: {name: m}, template: {name: t}, overrides: {metric: latency}}
---
kind: InferencePool
apiVersion: inference.networking.k8s.io/v1
metadata: {name: p, namespace: n}
spec: {selector: {matchLabels: {a: b}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: picker, port: {number: 9002}}}
---
kind: GRPCRoute
apiVersion: gateway.networking.k8s.io/v1
metadata: {name: r, namespace: n}
spec: {rules: [{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: p}]}]}
---
kind: AIMRuntimeConfig
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: own, namespace: n}
spec: {}
---
kind: AIMClusterRuntimeConfig
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: shared}
spec: {}
---
kind: AIMRuntimeConfig
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: operators, namespace: kaiwo-system}
spec: {}
---
kind: AIMClusterServiceTemplate
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: by-operators}
spec: {modelName: cm, runtimeConfigName: operators}
---
kind: AIMClusterModel
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: cm}
spec: {image: "ghcr.io/acme/cm:1"}
---
kind: AIMServiceTemplate
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: of-the-cluster-s, namespace: n}
spec: {modelName: cm}
---
kind: AIMClusterModel
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: cm}
spec: {image: "ghcr.io/acme/cm:1", runtimeConfigName: shared}
---
kind: AIMModel
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-own, namespace: n}
spec: {image: "ghcr.io/acme/own:1", runtimeConfigName: own}
---
kind: AIMModel
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-shared, namespace: n}
spec: {image: "ghcr.io/acme/shared:1", runtimeConfigName: shared}
---
kind: AIMServiceTemplate
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-own, namespace: n}
spec: {modelName: m, runtimeConfigName: own}
---
kind: AIMServiceTemplate
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-shared, namespace: n}
spec: {modelName: m, runtimeConfigName: shared}
---
kind: AIMClusterServiceTemplate
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-shared}
spec: {modelName: cm, runtimeConfigName: shared, modelSources: [{modelId: a/b, sourceUri: "hf://a/b", size: 1Gi}]}
---
kind: AIMTemplateCache
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-own, namespace: n}
spec: {templateName: of-own, templateScope: Namespace, runtimeConfigName: own}
---
kind: AIMTemplateCache
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-shared, namespace: n}
spec: {templateName: of-shared, templateScope: Cluster, runtimeConfigName: shared}
---
kind: AIMArtifact
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-own, namespace: n}
spec: {sourceUri: "hf://a/b", modelId: a/b, size: 1Gi, runtimeConfigName: own}
---
kind: AIMArtifact
apiVersion: aim.eai.amd.com/v1alpha1
metadata: {name: of-shared, namespace: n}
spec: {sourceUri: "hf://a/c", modelId: a/c, size: 1Gi, runtimeConfigName: shared}
---
kind: AIMRuntimeConfig
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: own, namespace: n}
spec: {defaultStorageClassName: fast}
---
kind: AIMClusterRuntimeConfig
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: shared}
spec: {defaultStorageClassName: fast}
---
kind: AIMModelCache
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: of-own, namespace: n}
spec: {sourceUri: "hf://a/b", size: 1Gi, runtimeConfigName: own}
---
kind: AIMModelCache
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: of-shared, namespace: n}
spec: {sourceUri: "hf://a/c", size: 1Gi, runtimeConfigName: shared}
---
kind: AIMKVCache
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: kv, namespace: n}
spec: {kvCacheType: redis}
---
kind: AIMService
apiVersion: aim.silogen.ai/v1alpha1
metadata: {name: cached, namespace: n}
spec: {model: {ref: none}, kvCache: {name: kv}}
---
kind: BaseModel
apiVersion: ome.io/v1beta1
metadata: {name: own, namespace: n}
spec: {modelFormat: {name: safetensors}, modelParameterSize: 7B, storage: {storageUri: "hf://acme/own", path: /models/own}}
---
kind: InferenceService
apiVersion: ome.io/v1beta1
metadata: {name: measured, namespace: n}
spec: {model: {name: own, kind: BaseModel}, engine: {}}
status: {url: "http://measured.n", conditions: [{type: Ready, status: "True"}]}
---
kind: BenchmarkJob
apiVersion: ome.io/v1beta1
metadata: {name: b, namespace: n}
spec:
  endpoint: {inferenceService: {name: measured, namespace: n}}
  outputLocation: {storageUri: "pvc://results/b"}
  task: text-to-text
  maxTimePerIteration: 1
  maxRequestsPerIteration: 1
---
kind: PersistentVolumeClaim
apiVersion: v1
metadata: {name: results, namespace: n}
spec: {}
---
kind: ConfigMap
apiVersion: v1
metadata: {name: benchmarkjob-config, namespace: ome}
data:
  benchmarkjob: '{"podConfig": {"image": "own:1", "cpuRequest": "1", "memoryRequest": "1Gi", "cpuLimit": "1", "memoryLimit": "1Gi"}}'
---
kind: ConfigMap
apiVersion: v1
metadata: {name: inferenceservice-config, namespace: ome}
data: {deploy: '{"defaultDeploymentMode": "Serverless"}'}
---
kind: InferenceService
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: cached, namespace: n}
spec: {modelRef: b, modelCache: {claimName: results}}
---
kind: ModelRouter
apiVersion: inference.llmkube.dev/v1alpha1
metadata: {name: r, namespace: n}
spec: {backends: [{name: a, inferenceServiceRef: {name: a}}]}
---
kind: ConfigMap
apiVersion: v1
metadata: {name: llmaz-global-config, namespace: llmaz-system}
data: {config.data: "scheduler-name: own"}
---
kind: OpenModel
apiVersion: llmaz.io/v1alpha1
metadata: {name: m}
spec: {familyName: f, source: {modelHub: {modelID: a/b}}}
---
kind: Service
apiVersion: inference.llmaz.io/v1alpha1
metadata: {name: s, namespace: n}
spec:
  modelClaims: {models: [{name: m, role: main}]}
  workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner, image: i}]}}}
---
kind: Playground
apiVersion: inference.llmaz.io/v1alpha1
metadata: {name: p, namespace: n}
spec: {modelClaim: {modelName: m}}
"""
