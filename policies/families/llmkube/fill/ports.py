"""The port of an InferenceService's Service.

The operator's Service sends to `endpoint.port`, or to 8080 without an endpoint. The container listens on `containerPort`, else on
`endpoint.port`, else on its engine's own port. Without an endpoint the two can differ: the pods are Ready, but no request reaches them.

Source: LLMKube v0.9.19, internal/controller/service_builder.go and deployment_builder.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.predictions.engines import default_port
from weighbridge.policies.families.llmkube.predictions.service.address import PATH as URL_PATH
from weighbridge.policies.families.llmkube.predictions.service.address import PORT as SERVICE_PORT
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Path

ENDPOINT: Final[Path] = ("spec", "endpoint")
PATH: Final[Path] = (*ENDPOINT, "port")


def listening_port(runtime: str, spec: JSONObject) -> int:
    """The port at which the engine listens; personaplex never gets one."""
    own = default_port(runtime)
    if runtime == "personaplex":
        return own
    return whole(spec, "containerPort") or whole(part(spec, "endpoint"), "port") or own


def port(situation: Situation) -> Filling | None:
    """The port to fill in if the service leaves it open and couldn't be reached; `None` if it could."""
    spec = situation.spec
    listening = listening_port(situation.runtime, spec)
    if whole(part(spec, "endpoint"), "port") or listening == SERVICE_PORT:
        return None
    by = "containerPort" if whole(spec, "containerPort") == listening else f"runtime {situation.runtime}"
    return Filling(listening, "runtime table", f"{by} listens there, and the Service would send to {SERVICE_PORT}")


def added_with_port(spec: JSONObject) -> Path:
    """What to remove along with the port that was filled in: the whole endpoint, unless its author wrote something in it."""
    endpoint = part(spec, "endpoint")
    said = set(endpoint) - {"port", "path", "type"}
    by_default = text(endpoint, "path", URL_PATH) == URL_PATH and text(endpoint, "type", "ClusterIP") == "ClusterIP"
    return ENDPOINT if by_default and not said else PATH
