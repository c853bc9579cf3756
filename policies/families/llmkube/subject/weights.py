"""How much memory a Model's weights take: by its status where it is stored, else by the names of its file, its repository, its format."""

from __future__ import annotations

from policies.families.family import spec_of
from policies.families.llmkube.subject.fileset import file_set
from policies.families.weights import Weights, estimated, parameters_in, quantization_in, stored_size
from policies.fields import part, text
from policies.objects import JSONObject


def weights(model: JSONObject) -> Weights | None:
    """What the weights take; `None` where nothing tells."""
    stored = text(part(model, "status"), "size")
    size = stored_size(stored)
    return Weights(size, f"status.size {stored}") if size else _of_names(model)


def _of_names(model: JSONObject) -> Weights | None:
    source = text(spec_of(model), "source").partition("?")[0].rstrip("/")
    name = file_set(model).primary or source
    quantization = quantization_in(name) or quantization_in(text(spec_of(model), "quantization"))
    return estimated(parameters_in(name) or parameters_in(source), quantization)
