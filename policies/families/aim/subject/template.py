"""A service template as its rules look at it: with the GPU that it requests, as its operator compares it."""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.subject.gpus import normalised
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class Template:
    """A service template; `gpu` is the part of the spec that requests GPUs."""

    object: JSONObject
    dialect: Dialect
    gpu: JSONObject

    @property
    def spec(self) -> JSONObject:
        """The template's spec."""
        return spec_of(self.object)

    @property
    def model(self) -> str:
        """The GPU's model as the operator compares it; empty if none is named."""
        return normalised(text(self.gpu, "model"), self.dialect)

    def gpu_path(self, *steps: str) -> Path:
        """The path of the GPU, or of a field of it."""
        return ("spec", *self.dialect.hardware, *steps)


def template_of(request: Request, facts: Facts, config: Configuration) -> Template | None:
    """The template of a request; `None` if it has no object."""
    if not isinstance(request.object, dict):
        return None
    dialect = dialect_of(request.gvk.group)
    return Template(request.object, dialect, part(spec_of(request.object), *dialect.hardware))
