"""The container of each engine: command, arguments in the operator's order, environment, port and probes.

There is a module for each value of `runtime`; the operator treats an unknown runtime as llama.cpp. Source: LLMKube v0.9.19,
internal/controller/runtime*.go and deployment_builder.go; v0.9.5, and its changelog for the versions between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines import generic, llamacpp, llamacpp_router, personaplex, sglang, tgi, vllm
from weighbridge.policies.families.llmkube.predictions.engines.command_line import settled
from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_memory import offload_events
from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN, ContainerPlan, Origin, Setup, WeightPaths
from weighbridge.policies.families.llmkube.predictions.engines.probes import probes
from weighbridge.policies.families.llmkube.predictions.engines.serving_mode import serving_mode
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus
from weighbridge.policies.families.prediction import Event, PredictedValue
from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass

__all__ = ["Launch", "default_metric", "default_port", "launch", "serving_mode"]

_ENGINES: Final[Mapping[str, Engine]] = {
    "llamacpp": llamacpp.ENGINE,
    "llamacpp-router": llamacpp_router.ENGINE,
    "vllm": vllm.ENGINE,
    "sglang": sglang.ENGINE,
    "tgi": tgi.ENGINE,
    "personaplex": personaplex.ENGINE,
    "generic": generic.ENGINE,
}
_NEWEST: Final = KnownOperator()
_NO_PORT: Final = -1


@dataclass(frozen=True, slots=True)
class Launch:
    """How a container is started.

    `args` are the operator's, in its order; `noted` are the values that the operator decides, and `origins` has for each argument the index
    of its value there. `values` are the same values as the engine reads them in the end, where one of the service's `extraArgs` may have
    replaced one. `conditions` are the status conditions that the operator sets on the engine's settings (type, status, reason, message),
    `warnings` the events that it emits; neither keeps the container from being started.
    """

    container: str
    command: tuple[str, ...]
    args: tuple[str, ...]
    env: tuple[JSONObject, ...]
    port: int
    startup: JSONObject
    liveness: JSONObject
    readiness: JSONObject
    values: tuple[PredictedValue, ...]
    noted: tuple[PredictedValue, ...] = ()
    origins: tuple[Origin, ...] = ()
    conditions: tuple[JSONObject, ...] = ()
    warnings: tuple[Event, ...] = ()


def launch(model: JSONObject | None, service: JSONObject, operator: KnownOperator, gpus: PodGpus, storage: WeightPaths) -> Launch:
    """How the service's container is started; `storage` has the paths of the weights in the pod."""
    engine = _engine(text(spec_of(service), "runtime"), operator)
    setup = _setup(model, service, operator, gpus, storage, engine)
    plan = ContainerPlan(setup)
    command = _command(plan, engine)
    engine.arguments(plan)
    engine.environment(plan)
    for entry in items(setup.spec, "env"):
        plan.variable(entry, setup.of_service("env"))
    asked = probes(plan, engine.health)
    doubt = engine.doubt(setup)
    conditions = ({"type": engine.condition, "status": "False", "reason": doubt.reason, "message": doubt.message},) if doubt else ()
    return Launch(
        container=engine.container,
        command=command,
        args=tuple(plan.args),
        env=tuple(plan.env),
        port=setup.port,
        startup=asked.startup,
        liveness=asked.liveness,
        readiness=asked.readiness,
        values=settled(plan, text(setup.spec, "runtime"), command),
        noted=tuple(plan.values),
        origins=tuple(plan.origins),
        conditions=conditions,
        warnings=(*offload_events(setup), *engine.events(setup)),
    )


def default_port(runtime: str) -> int:
    """The port of an engine's container if the service names none."""
    return _engine(runtime, _NEWEST).port


def default_metric(runtime: str, operator: KnownOperator = _NEWEST) -> str:
    """The metric of the pods by which a service is scaled if it lists none; engines without a metric get llama.cpp's."""
    if runtime == "sglang" and not operator.since(0, 9, 6):
        return "sglang:num_requests_running"
    return _engine(runtime, operator).metric or llamacpp.METRIC


def _engine(runtime: str, operator: KnownOperator) -> Engine:
    if runtime == "llamacpp-router" and not operator.since(0, 9, 8):
        return llamacpp.ENGINE
    return _ENGINES.get(runtime, llamacpp.ENGINE)


def _setup(
    model: JSONObject | None, service: JSONObject, operator: KnownOperator, gpus: PodGpus, storage: WeightPaths, engine: Engine
) -> Setup:
    spec = spec_of(service)
    port, port_from = whole(spec, "containerPort", _NO_PORT), "containerPort"
    if port == _NO_PORT:
        port, port_from = whole(part(spec, "endpoint"), "port"), "endpoint.port"
        if port <= 0:
            port, port_from = engine.port, ""
    return Setup(
        service=name_of(service),
        model=name_of(model) if model else text(spec, "modelRef"),
        spec=spec,
        model_spec=spec_of(model),
        operator=operator,
        gpus=gpus,
        weights=storage,
        port=port,
        port_from=port_from,
        extra_args=texts(spec, "extraArgs"),
    )


def _command(plan: ContainerPlan, engine: Engine) -> tuple[str, ...]:
    setup = plan.setup
    given = texts(setup.spec, "command")
    command = given or engine.command(setup.operator)
    if command:
        source, reason = (setup.of_service("command"), AS_WRITTEN) if given else (setup.operator.name, "how the engine is started")
        plan.note("command", list(command), source, reason)
    if setup.port_from:
        plan.note("ports[0].containerPort", setup.port, setup.of_service(setup.port_from), AS_WRITTEN)
    else:
        plan.note("ports[0].containerPort", setup.port, setup.operator.name, "the engine's usual port")
    return command
