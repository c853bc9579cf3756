"""The plan of an engine's container, which has its arguments and environment, and the setup that it is derived from.

Each engine writes its flags into the plan in the operator's order, with the source of each value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.options import Option
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, field

AS_WRITTEN: Final = "as written"
_CONTAINER: Final = "spec.template.spec.containers[0]"


class WeightPaths(Protocol):
    """The paths of the weights in the pod; each path is empty if the engine gets none."""

    @property
    def model_path(self) -> str:
        """The model's own path."""

    @property
    def mmproj_path(self) -> str:
        """The path of its multimodal projector."""

    @property
    def draft_path(self) -> str:
        """The path of the draft model."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A service and its Model as an engine sees them. `port` is the container's port, `port_from` the field that decided it, or empty."""

    service: str
    model: str
    spec: JSONObject
    model_spec: JSONObject
    operator: KnownOperator
    gpus: PodGpus
    weights: WeightPaths
    port: int
    port_from: str
    extra_args: tuple[str, ...]

    def of_service(self, field_path: str) -> str:
        """A field of the service in words."""
        return f"InferenceService {self.service} spec.{field_path}"

    def of_model(self, field_path: str) -> str:
        """A field of the Model in words."""
        return f"Model {self.model} spec.{field_path}"

    @property
    def of_count(self) -> str:
        """The field that decided the number of GPUs, in words; the field of the claims if there is no number."""
        kind, _, rest = self.gpus.count_from.partition(" ")
        if not rest:
            return self.of_model("hardware.gpu.resourceClaims")
        return f"{kind} {self.model if kind == 'Model' else self.service} {rest}"

    def overrides(self, flag: str) -> bool:
        """Whether the service's own arguments have the flag, as ``--flag value`` or ``--flag=value``."""
        return any(arg == flag or arg.startswith(f"{flag}=") for arg in self.extra_args)


class Origin(NamedTuple):
    """The origin of an argument: the index of the value that explains it, and of the item of `extraArgs`; -1 for none."""

    value: int
    item: int = -1


@dataclass(slots=True)
class ContainerPlan:
    """The arguments and the environment so far; `origins` has an entry for each argument."""

    setup: Setup
    args: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    env: list[JSONObject] = field(default_factory=list)
    values: list[PredictedValue] = field(default_factory=list)
    _deployment: str = field(init=False)
    _operator: str = field(init=False)

    def __post_init__(self) -> None:
        self._deployment = f"Deployment/{self.setup.service}"
        self._operator = self.setup.operator.name

    def word(self, value: str, source: str, reason: str = AS_WRITTEN) -> None:
        """Add a word that belongs to no flag."""
        self._add(value)
        self.note(f"args[{len(self.args) - 1}]", value, source, reason)

    def flag(self, flag: str, *values: str, source: str, reason: str = AS_WRITTEN) -> None:
        """Add a flag and the words after it."""
        self._add(flag, *values)
        self.note(f"args[{flag}]", (list(values) if len(values) > 1 else values[0]) if values else True, source, reason)

    def fixed(self, flag: str, *values: str, reason: str) -> None:
        """Add a flag that this operator always gives the engine."""
        self.flag(flag, *values, source=self._operator, reason=reason)

    def options(self, block: JSONObject, within: str, options: Iterable[Option]) -> None:
        """Add the flags of a block of the service's spec; `within` is the block's path with a dot at its end, or empty."""
        for option in options:
            value = block.get(option.field)
            found = None if value is None else option.form(value)
            if found is not None:
                self.flag(option.flag, *found, source=self.setup.of_service(within + option.field))

    def extra_args(self) -> None:
        """Add the service's own arguments."""
        extra = self.setup.extra_args
        if extra:
            self.origins.extend(Origin(len(self.values), place) for place in range(len(extra)))
            self.args.extend(extra)
            self.note("args[extraArgs]", list(extra), self.setup.of_service("extraArgs"), AS_WRITTEN)

    def _add(self, *words: str) -> None:
        """Add arguments; the next note explains them."""
        self.origins.extend(Origin(len(self.values)) for _ in words)
        self.args.extend(words)

    def variable(self, entry: JSONObject, source: str, reason: str = AS_WRITTEN) -> None:
        """Add an environment variable."""
        self.env.append(entry)
        value = entry.get("value", entry.get("valueFrom", ""))
        self.note(f"env[{entry.get('name', '')}]", value, source, reason)

    def note(self, place: str, value: JSONValue, source: str, reason: str) -> None:
        """Record the source of a value of the container; for a flag `place` is its place among the arguments."""
        self.values.append(PredictedValue(self._deployment, f"{_CONTAINER}.{place}", value, source, reason))
