"""The kinds of llmaz, and the names that its controllers use.

Source: llmaz 3c13ff3, api/core/v1alpha1, api/inference/v1alpha1 and pkg/controller.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import GroupVersionKind

CORE: Final = "llmaz.io"
INFERENCE: Final = "inference.llmaz.io"
OPEN_MODEL: Final = GroupVersionKind(CORE, "v1alpha1", "OpenModel")
PLAYGROUND: Final = GroupVersionKind(INFERENCE, "v1alpha1", "Playground")
SERVICE: Final = GroupVersionKind(INFERENCE, "v1alpha1", "Service")
BACKEND_RUNTIME: Final = GroupVersionKind(INFERENCE, "v1alpha1", "BackendRuntime")

#: The templates of pods in a Service's workloadTemplate.
TEMPLATES: Final = ("leaderTemplate", "workerTemplate")
#: The container that gets the flavor's limits and the model.
RUNNER: Final = "model-runner"
LOADER: Final = "model-loader"
VOLUME: Final = "model-volume"
FAMILY_LABEL: Final = "llmaz.io/model-family-name"
MODEL_LABEL: Final = "llmaz.io/model-name"
FLAVORS_ANNOTATION: Final = "llmaz.io/inference-service-flavors"
SKIP_ANNOTATION: Final = "llmaz.io/skip-model-loader"
#: The Service in front of the pods is named `<name>-lb`, so a name may have 60 characters.
BALANCER_SUFFIX: Final = "-lb"
LONGEST_NAME: Final = 63 - len(BALANCER_SUFFIX)
#: The runtime of a Playground that names none, and the names of the recommended configurations that are used by default.
DEFAULT_RUNTIME: Final = "vllm"
DEFAULT_CONFIG: Final = "default"
SPECULATIVE_CONFIG: Final = "speculative-decoding"
MAIN: Final = "main"
DRAFT: Final = "draft"
