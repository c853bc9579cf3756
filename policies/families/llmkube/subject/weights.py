"""How much memory a Model's weights take, by its status if it is stored, else by its file's name, its repository's name and its format."""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.llmkube.subject.gpu import NEWEST_OPERATOR
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.families.weights import Weights, estimated, in_repository, parameters_in, quantization_in, stored_size
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject


def weights(model: JSONObject, bits: float = 0.0) -> Weights | None:
    """The size of the weights; `None` if it isn't known. `bits` are the bits per weight if the engine quantizes a repository itself."""
    stored = text(part(model, "status"), "size")
    size = stored_size(stored)
    return Weights(size, f"status.size {stored}") if size else _of_names(model) or _of_repository(model, bits)


def _of_repository(model: JSONObject, bits: float) -> Weights | None:
    """An estimate by the repository's name, if the Model picks no file of it."""
    source = parse(text(spec_of(model), "source"), NEWEST_OPERATOR)
    if source.kind is not SourceKind.REPOSITORY or source.problem or file_set(model).primary:
        return None
    return in_repository(source.repository, bits)


def _of_names(model: JSONObject) -> Weights | None:
    source = text(spec_of(model), "source").partition("?")[0].rstrip("/")
    name = file_set(model).primary or source
    quantization = quantization_in(name) or quantization_in(text(spec_of(model), "quantization"))
    return estimated(parameters_in(name) or parameters_in(source), quantization)
