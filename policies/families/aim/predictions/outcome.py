"""A service with everything that its operator finds until it stops, and the status that it then writes.

Source: kaiwo dbca1b55, internal/controller/aim/shared/service_status.go; aim-engine v0.2.1, internal/controller/utils/reconciler.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.volumes import ServedWeights
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig
from weighbridge.policies.families.aim.predictions.model import ResolvedModel
from weighbridge.policies.families.aim.predictions.paths.route import Route, http_route, route, route_errors, route_name
from weighbridge.policies.families.aim.predictions.selection import TemplateSelection
from weighbridge.policies.families.aim.predictions.template import NOT_YET, ResolvedTemplate
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field

SUBJECT: Final = "what AIM does with it"
#: kaiwo's states of a service that has failed.
_FAILING: Final = ("Failed", "Degraded")
#: The conditions with which kaiwo also reports that nothing is resolved.
_UNRESOLVED: Final = ("ModelReady", "TemplateReady")


@dataclass(slots=True)
class Service:
    """A service with everything that the operator finds for it until it stops.

    `stored` is the service as it is or will be stored. `failure` says why it gets no InferenceService or no pods; if the operator goes on
    by itself, `waits` says so instead. `state` is the value that the operator writes into `status.status`; `refused` are the API server's
    errors about the Deployment of KServe. With `stopped` the operator creates none of its objects. `made` are its objects, in their order;
    one that no pod needs is a function, which `objects` calls. `serves` says whether an InferenceService is among them. `described` is the
    model that is created from a description, with its templates. `coming` has, by their names, the templates that a new model will get.
    `unmade` is an object that the API server refuses before the InferenceService is applied: its kind, its name and the errors.
    """

    stored: JSONObject
    dialect: Dialect
    namespace: str
    config: RuntimeConfig
    model: ResolvedModel | None = None
    template: ResolvedTemplate | None = None
    work: Work | None = None
    weights: ServedWeights | None = None
    route: Route | None = None
    state: str = "Starting"
    failure: str = ""
    weight: Severity = Severity.WARNING
    waits: str = ""
    stopped: bool = False
    derived: JSONObject | None = None
    refused: Sequence[FieldError] = ()
    reference: JSONObject | None = None
    conditions: list[JSONObject] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    made: list[JSONObject | Callable[[], JSONObject]] = field(default_factory=list)
    serves: bool = False
    coming: Mapping[str, str] = field(default_factory=dict)
    unmade: tuple[str, str, Sequence[FieldError]] | None = None
    described: Sequence[JSONObject] = ()

    @property
    def spec(self) -> JSONObject:
        """The service's spec."""
        return spec_of(self.stored)

    @property
    def objects(self) -> list[JSONObject]:
        """All objects that the operator creates."""
        built = [one() if callable(one) else one for one in self.made]
        self.made = [*built]
        return built

    @property
    def placed(self) -> list[JSONObject]:
        """The objects on which the placement depends, the Deployment and the claims, with the others that are built already."""
        return [one for one in self.made if not callable(one)]

    @property
    def template_name(self) -> str:
        """The template that the spec names, as it is written; empty if it names none."""
        name = lookup(self.spec, self.dialect.template)
        return name if isinstance(name, str) and name.strip() else ""

    @property
    def resolved(self) -> JSONObject:
        """The references of the status, as far as they are known."""
        out: JSONObject = {}
        model, template = self.model, self.template
        if self.dialect.is_aim_engine and model is not None and model.model is not None and model.status in ("", "Ready"):
            out["resolvedModel"] = {"name": model.name, "scope": model.scope}
        if template is not None and template.made is not None:
            out["resolvedTemplate"] = {"name": name_of(template.made), "scope": "Namespace", "namespace": self.namespace}
        found = template.template if template is not None else None
        # kaiwo names a template that it finds, whatever its state.
        if template is not None and found is not None and (not template.failure or not self.dialect.is_aim_engine):
            out["resolvedTemplate"] = {"name": name_of(found), "scope": "Namespace" if namespace_of(found) else "Cluster"}
            if namespace_of(found):
                out["resolvedTemplate"]["namespace"] = namespace_of(found)
        return out

    @property
    def asked_route(self) -> Route:
        """The route that the service asks for, even if the operator stops before it."""
        return self.route if self.route is not None else route(self.stored, self.config.spec, self.dialect, self.resolved)

    @property
    def selection(self) -> TemplateSelection | None:
        """The choice among the templates, if there was one."""
        return self.template.selection if self.template is not None else None

    def ends(self, state: str, kind: str, reason: str, message: str, *, waits: bool = False) -> None:
        """Record that the operator stops here, or `waits` for something that it writes itself; without a state it writes no status."""
        self.state = state
        self.failure, self.waits = ("", message) if waits else (message, "")
        if not state:
            return
        if self.dialect.is_aim_engine:
            self.conditions.append(condition(kind, "False", reason, message))
        else:
            self.conditions += _kaiwo_conditions(state, kind, NOT_YET if reason == "TemplateNotReady" else reason, message)

    def refuses(self, kind: str, group: str, name: str, errors: Sequence[FieldError], *, state: str = "Starting") -> None:
        """Record that the API server refuses an object that the operator applies before the InferenceService, so that neither is
        created.
        """
        self.unmade = kind, name, errors
        self.weight = Severity.ERROR
        message = f"failed to apply {kind} {name}: {invalid_message(kind, group, name, errors)}"
        if self.dialect.is_aim_engine:
            self.ends(state, "DependenciesReachable", "InfrastructureError", f"Failed to apply resources: {message}")
        else:
            self.ends("Failed", "RuntimeReady", "RuntimeFailed", f"Apply failed: {message}")

    def unknown(self, reason: str, subject: str = SUBJECT) -> None:
        """Record that a fact on which the outcome depends isn't known."""
        self.unchecked.append(Unchecked(subject, reason))

    def add_route(self, runtime: str, labels: Mapping[str, str] | None = None) -> None:
        """Add the HTTPRoute to the InferenceService of a name, if its path is known; `labels` are kaiwo's."""
        found = self.route
        if found is None or found.failure or self.unmade is not None:
            return
        if found.path and (errors := list(route_errors(self.stored, self.config.spec, self.dialect))):
            # The route is applied whether or not the template is ready.
            self.unmade = "HTTPRoute", route_name(self.stored, self.dialect), errors
        elif found.path:
            self.made.append(lambda: http_route(self.stored, self.config.spec, self.dialect, runtime, found, labels or {}))
        elif found.unknown:
            self.unknown(found.unknown, "the path of the route")


def _kaiwo_conditions(state: str, kind: str, reason: str, message: str) -> list[JSONObject]:
    """The conditions that kaiwo sets when it stops: several of them have the same reason."""
    if kind == "RoutingReady":
        return [condition(kind, "False", reason, message), condition("Failure", "True", reason, message)]
    if kind == "CacheReady":
        return [condition(kind, "False", reason, message), condition("CacheFailed", "True", "CacheFailed", message)]
    if kind == "KVCacheReady":
        return [condition(kind, "False", reason, message)]
    # kaiwo goes on with a model that it has found, whatever its state is, and if something is pending.
    goes_on = state not in _FAILING or (kind == "ModelReady" and reason.startswith("Model"))
    told = [("Failure", "True")] if state in _FAILING else []
    told += [("Resolved", "False")] if kind in _UNRESOLVED and reason != NOT_YET else []
    told += [("RuntimeReady", "False"), ("Progressing", "True" if goes_on else "False")]
    told += [("Ready", "False")] if reason != NOT_YET else []
    return [condition(one, value, reason, message) for one, value in told]
