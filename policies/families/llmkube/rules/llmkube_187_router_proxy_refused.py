"""The API server will refuse the proxy that LLMKube creates for a router.

LLMKube copies name, resources, node selector and pull secrets of the router into a Deployment and a Service, without a check. Both are
called `NAME-router-proxy`. This name is also the value of a label, so it may have at most 63 characters. The router becomes Failed with
`ReconcileFailed`.

Source: LLMKube v0.9.19, internal/controller/modelrouter_controller.go and router_deployment_builder.go; Kubernetes v1.36,
pkg/apis/{apps,core}/validation.
"""

from typing import Final

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.llmkube.operator import operator_of
from weighbridge.policies.families.llmkube.predictions.router import proxy
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, JSONValue, Path, Said, Violation, proxies, written
from weighbridge.policies.ground.field_errors import FieldError

_CONTAINER: Final = ("spec", "template", "spec", "containers", 0)
_POD: Final = ("spec", "template", "spec")


@proxies.error(
    topic="Routers: data planes",
    about=FAILURE,
    mirrors="phase Failed, ReconcileFailed",
    reads=("Deployment.apps",),
    good="accepts-a-router-whose-proxy-asks-for-its-limit",
    bad="refuses-a-router-whose-proxy-asks-for-more-than-its-limit",
)
def check(router: Given) -> Said:
    made = proxy.objects(router.object, router.namespace, None, operator_of(router.facts, router.config))
    kind, errors = proxy.refusal_of(made)
    said = {(_field(router.spec, error), error.body): error for error in errors}
    for (path, _), error in said.items():
        hint = "correct it in spec.proxy" if path[0] == "spec" else "choose a shorter name"
        yield Violation(path, f"the API server refuses the {kind} of the proxy: {error}", hint=hint)


def _field(spec: JSONValue, error: FieldError) -> Path:
    """The field of the router from which a refused field of its proxy comes: the router's name, unless the field is one of the pods."""
    place = steps(error.field)
    if place[: len(_POD)] != _POD:
        return ("metadata", "name")
    rest = place[len(_CONTAINER) :] if place[: len(_CONTAINER)] == _CONTAINER else place[len(_POD) :]
    return ("spec", *written(spec, ("proxy", *rest)))
