"""A Model as its rules look at it: with its GPU block, its source, and the operator that reads them.

It is built once for all rules on a request; what only some of them need is computed when it is first asked for.
"""

from __future__ import annotations

from functools import cached_property

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_for
from weighbridge.policies.families.llmkube.subject.gpu import GpuRequest, gpu_request, on_metal
from weighbridge.policies.families.llmkube.subject.source import Source, parse
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.request import Request


class Model:
    """One Model."""

    def __init__(self, request: Request, facts: Facts, config: Configuration) -> None:
        self.request, self.facts, self.config = request, facts, config
        self.object: JSONObject = request.object if isinstance(request.object, dict) else {}
        self.namespace = namespace_of(self.object) or request.namespace
        self.spec = spec_of(self.object)
        self.hardware = part(self.spec, "hardware")
        self.gpu_block = part(self.hardware, "gpu")

    @cached_property
    def operator(self) -> KnownOperator:
        """The operator that the cluster has, as far as it is known."""
        return operator_for(self.request, self.facts, self.config)

    @cached_property
    def gpu(self) -> GpuRequest:
        """The GPU block, as the newest operator reads it."""
        return gpu_request(self.object)

    @cached_property
    def source(self) -> Source:
        """The source, parsed."""
        return parse(text(self.spec, "source"), self.operator)

    @property
    def is_metal(self) -> bool:
        """Whether the Model runs on a Mac outside the cluster."""
        return on_metal(self.object)


def judged_model(request: Request, facts: Facts, config: Configuration) -> Model:
    """The Model of a request; the same one for all rules."""
    return request.once(Model, lambda: Model(request, facts, config))


def model_with_gpu(request: Request, facts: Facts, config: Configuration) -> Model | None:
    """The Model of a request, if its pods get a GPU."""
    model = judged_model(request, facts, config)
    return model if model.gpu.wanted else None
