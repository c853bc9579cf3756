"""A service as its rules look at it: with its Model, the operator, and what the operator will do with them.

It is built once for all rules on a request; what only some of them need is computed when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_for
from weighbridge.policies.families.llmkube.predictions.engines import Launch, launch
from weighbridge.policies.families.llmkube.predictions.engines.command_line import ENGINE_OF_RUNTIME, Started, started
from weighbridge.policies.families.llmkube.predictions.model.state import ModelState, model_state
from weighbridge.policies.families.llmkube.predictions.service import deployment, resources
from weighbridge.policies.families.llmkube.predictions.service.image import LLAMACPP_ROCM, LLAMACPP_VULKAN, image
from weighbridge.policies.families.llmkube.predictions.service.reconcile import Reconciled, draft_name, predict, with_cache_key
from weighbridge.policies.families.llmkube.predictions.service.workload import LLAMACPP, Workload, workload
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage, storage
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus
from weighbridge.policies.families.llmkube.subject.references import model_named, model_of
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, parse
from weighbridge.policies.families.llmkube.subject.stored import as_stored
from weighbridge.policies.families.llmkube.upstream import gpu_shares, parallelism
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.serving_engines.command_line import CommandLine
from weighbridge.policies.families.serving_engines.engines import is_foreign, published_engine
from weighbridge.policies.families.serving_engines.parallelism import ParallelSizes, parallel_sizes
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.deployment import deployment_refusal

_DRAFT: Final[Path] = ("spec", "speculativeDecoding", "draftModelRef")


class Service:
    """One InferenceService; `model` is `None` if its Model isn't known, which then counts as one without hardware."""

    def __init__(self, request: Request, facts: Facts, config: Configuration) -> None:
        self.request, self.facts, self.config = request, facts, config
        judged: JSONObject = request.object if isinstance(request.object, dict) else {}
        self.namespace = namespace_of(judged) or request.namespace
        self.object = as_stored(judged, self.namespace)
        self.spec: JSONObject = spec_of(self.object)
        self.runtime = text(self.spec, "runtime") or LLAMACPP

    @cached_property
    def operator(self) -> KnownOperator:
        """The operator that the cluster has, as far as it is known."""
        return operator_for(self.request, self.facts, self.config)

    @cached_property
    def model(self) -> JSONObject | None:
        """The Model, where it is known."""
        return self.request.once(model_of, lambda: model_of(self.object, self.namespace, self.facts, self.config))

    @cached_property
    def models(self) -> Sequence[tuple[Path, JSONObject, ModelState]]:
        """The Models that have to be Ready first, each with the field that names it and its state."""
        return tuple(self._models())

    def _models(self) -> Iterator[tuple[Path, JSONObject, ModelState]]:
        draft = draft_name(self.spec, self.operator)
        found = (
            (("spec", "modelRef"), self.model, self.reconciled.state),
            (_DRAFT, model_named(self.namespace, draft, self.facts, self.config) if draft else None, None),
        )
        for path, model, state in found:
            if model is not None:
                stored = as_stored(model, self.namespace)
                yield path, stored, state or model_state(stored, self.operator, self.facts)

    @cached_property
    def workload(self) -> Workload:
        """Service, Model and operator as the prediction looks at them."""
        return workload(self.object, self.model or {}, self.namespace, self.operator, self.facts)

    @cached_property
    def gpus(self) -> PodGpus:
        """The GPUs that each pod asks for."""
        return self.workload.gpus

    @cached_property
    def is_metal(self) -> bool:
        """Whether the Model is known to be served by a host's agent, without a pod."""
        return text(part(spec_of(self.model), "hardware"), "accelerator") == "metal"

    @cached_property
    def pod_model(self) -> JSONObject | None:
        """The Model, where it is known and served by pods."""
        return None if self.is_metal else self.model

    @cached_property
    def sees_gpus(self) -> bool:
        """Whether it is known how many GPUs a pod requests; for upstream's quota webhook a missing Model has none."""
        return not self.is_metal and (self.model is not None or self.operator.quota_webhook)

    @cached_property
    def sharing_problem(self) -> str:
        """The operator's objection to the service's `gpuSharing`; empty if it has none."""
        return gpu_shares.problem(self.model, self.object, self.operator, self.gpus) if self.sees_gpus else ""

    @cached_property
    def parallelism_problem(self) -> str:
        """The operator's objection to how the engine is split over GPUs; empty if it has none."""
        return parallelism.problem(self.model, self.object, self.operator, self.gpus) if self.sees_gpus else ""

    @cached_property
    def source(self) -> Source:
        """The Model's source, parsed; an empty one if the Model isn't known."""
        return parse(text(spec_of(self.model), "source"), self.operator)

    @cached_property
    def image(self) -> str:
        """The image that the container will run; empty if none is named."""
        return image(self.workload)

    @property
    def has_own_image(self) -> bool:
        """Whether the service, or the operator's administrator, names the image."""
        return bool(text(self.spec, "image") or (self.operator.runtime_images or {}).get(self.runtime))

    @cached_property
    def storage(self) -> Storage:
        """Where the pods find their weights."""
        return self.reconciled.storage or storage(self._ready_model, self.object, self.operator, self.facts)

    @property
    def _ready_model(self) -> JSONObject:
        """The Model as the service finds it once the Model is ready."""
        if self.model is None or self.source.kind is not SourceKind.LOCAL:
            return self.model or {}
        stored = as_stored(self.model, self.namespace)
        return with_cache_key(stored, model_state(stored, self.operator, self.facts))

    @cached_property
    def launch(self) -> Launch:
        """How the container is started."""
        return self.reconciled.launch or launch(self.model, self.object, self.operator, self.gpus, self.storage)

    @cached_property
    def started(self) -> Started | None:
        """The command line that the engine reads; `None` if it isn't known which engine is started, or if the image has another one."""
        launch = self.launch
        found = started(self.runtime, launch.command, launch.args, launch.origins, launch.noted)
        published = published_engine(self.image)
        if found is None or published not in {"", found.table.engine} or is_foreign(found.table.engine, launch.args, self.image):
            return None
        return found

    @property
    def line(self) -> CommandLine | None:
        """The command line as flags with their values."""
        return self.started.line if self.started is not None else None

    @cached_property
    def sizes(self) -> ParallelSizes | None:
        """The number of GPUs that the engine needs by its command line; `None` if it isn't known."""
        return parallel_sizes(self.line) if self.line is not None else None

    @property
    def has_own_arguments(self) -> bool:
        """Whether the author adds arguments to the operator's command line, or starts the engine with another command."""
        return bool(self.spec.get("extraArgs") or self.spec.get("command"))

    @property
    def runs_its_engine(self) -> bool:
        """Whether the image surely has the runtime's engine: it is the operator's own, or one that the engine's project publishes."""
        if not self.has_own_image or (self.runtime == LLAMACPP and self.image in (LLAMACPP_ROCM, LLAMACPP_VULKAN)):
            return True
        return published_engine(self.image) == ENGINE_OF_RUNTIME.get(self.runtime)

    @cached_property
    def reconciled(self) -> Reconciled:
        """The prediction for the service now."""
        return predict(self.request, self.facts, self.config)

    @property
    def prediction(self) -> Prediction | None:
        """The prediction with the service's present state: without objects while its Model isn't ready."""
        return self.reconciled.prediction

    @cached_property
    def deployment(self) -> JSONObject | None:
        """The Deployment that the operator creates once the Model is ready; `None` if it creates none, or if the service has no name."""
        made = next(self._made("Deployment"), None)
        if made is not None or self.pod_model is None or not name_of(self.object) or self.storage.failure:
            return made
        if resources.unreadable(part(self.spec, "resources")):
            return None
        return deployment.manifest(self.workload, self.storage, self.launch, 1)

    @cached_property
    def deployment_refusal(self) -> str:
        """The API server's refusal of that Deployment; empty if it accepts it."""
        if self.deployment is None or any(self._made("Deployment")):
            return ""
        return deployment_refusal(self.deployment)

    @property
    def has_address(self) -> bool:
        """Whether the operator creates the service's Service now."""
        return any(self._made("Service"))

    @property
    def new_claims(self) -> list[JSONObject]:
        """The claims that the operator creates for the pods."""
        return list(self._made("PersistentVolumeClaim")) or list(self.storage.claims)

    def _made(self, kind: str) -> Iterator[JSONObject]:
        objects = self.prediction.objects if self.prediction is not None else ()
        return (obj for obj in objects if obj.get("kind") == kind)

    def names(self, *fields: str) -> list[str]:
        """The fields among these that have a value in the spec."""
        return [field for field in fields if self.spec.get(field) not in (None, "", [], {}, False, 0)]


def service_of(request: Request, facts: Facts, config: Configuration) -> Service:
    """The service of a request; the same one for all rules."""
    return request.once(Service, lambda: Service(request, facts, config))


def service_off_metal(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The service of a request, unless its Model is known to run on Metal."""
    service = service_of(request, facts, config)
    return None if service.is_metal else service


def service_with_model(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The service of a request, where its Model is known and served by pods."""
    service = service_of(request, facts, config)
    return service if service.pod_model is not None else None
