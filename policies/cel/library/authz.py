"""Questions to the authorizer. Since 1.27, selectors since 1.31.

Rules of CRDs have no variable of these types; a rule that uses the functions gets the server's error. In expressions of policies
`authorizer` passes the questions to an `Authorizer` for the cluster.

    authorizer.path('/healthz').check('get').allowed()
    authorizer.group('apps').resource('deployments').namespace('a').check('create').reason()

Source: k8s.io/apiserver `pkg/cel/library/authz.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Protocol

from weighbridge.policies.cel.library.errors import EMPTY_PATH, EMPTY_RESOURCE, INVALID_NAMESPACE, INVALID_SERVICE_ACCOUNT
from weighbridge.policies.cel.library.overload import Cost, Estimate, EstimatedArguments, Library, Overload
from weighbridge.policies.cel.library.ranges import STRING_FACTOR, CallEstimate, Range
from weighbridge.policies.cel.values.types import BOOL, STRING, Type, struct
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the authorizer: a verb on a path, or on a resource; `service_account` is its subject if that isn't the requester."""

    verb: str
    path: str = ""
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""
    service_account: tuple[str, str] | None = None


class _Opaque:
    """The base of these values: no two are equal, and their contents can't be read."""

    __slots__ = ()

    def equals(self, _other: object) -> bool | None:
        """Upstream finds no overload for comparing them."""
        return None


@dataclass(frozen=True, slots=True)
class Decision(_Opaque):
    """The authorizer's answer."""

    is_allowed: bool
    reason: str = ""
    error: str = ""

    cel_type: ClassVar[str] = "kubernetes.authorization.Decision"


class Authorizer(Protocol):
    """Answers questions."""

    def authorize(self, question: Question) -> Decision:
        """Whether the question's verb is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class AuthorizerValue(_Opaque):
    """The variable `authorizer`."""

    authorizer: Authorizer
    service_account: tuple[str, str] | None = None

    cel_type: ClassVar[str] = "kubernetes.authorization.Authorizer"


@dataclass(frozen=True, slots=True)
class Check(_Opaque):
    """A question without its verb."""

    authorizer: Authorizer
    question: Question

    cel_type: ClassVar[str]


class PathCheck(Check):
    """A question about a path, without its verb."""

    __slots__ = ()
    cel_type = "kubernetes.authorization.PathCheck"


class GroupCheck(Check):
    """A question about an API group, without resource and verb."""

    __slots__ = ()
    cel_type = "kubernetes.authorization.GroupCheck"


class ResourceCheck(Check):
    """A question about a resource, without its verb."""

    __slots__ = ()
    cel_type = "kubernetes.authorization.ResourceCheck"


def path_check(value: AuthorizerValue, path: str) -> PathCheck:
    """``authorizer.path(path)``."""
    if not trimmed(path):
        raise CelError(EMPTY_PATH)
    return PathCheck(value.authorizer, Question("", path=path, service_account=value.service_account))


def group_check(value: AuthorizerValue, group: str) -> GroupCheck:
    """``authorizer.group(group)``; the core group is the empty one."""
    return GroupCheck(value.authorizer, Question("", group=group, service_account=value.service_account))


def as_service_account(value: AuthorizerValue, namespace: str, name: str) -> AuthorizerValue:
    """``authorizer.serviceAccount(namespace, name)``: the same questions about a service account."""
    if dns1123_subdomain(name):
        raise CelError(INVALID_SERVICE_ACCOUNT)
    if dns1123_label(namespace):
        raise CelError(INVALID_NAMESPACE)
    return AuthorizerValue(value.authorizer, (namespace, name))


def resource_check(value: GroupCheck, resource: str) -> ResourceCheck:
    """``group.resource(resource)``."""
    if not trimmed(resource):
        raise CelError(EMPTY_RESOURCE)
    return ResourceCheck(value.authorizer, replace(value.question, resource=resource))


def _narrowed(part: str) -> Callable[[ResourceCheck, str], ResourceCheck]:
    def narrow(value: ResourceCheck, text: str) -> ResourceCheck:
        change: dict[str, Any] = {part: text}
        return ResourceCheck(value.authorizer, replace(value.question, **change))

    return narrow


def ask(value: Check, verb: str) -> Decision:
    """``check(verb)``."""
    return value.authorizer.authorize(replace(value.question, verb=verb))


def _always(amount: int) -> Cost:
    return lambda *_: amount


def _selector_range(length: Range) -> Range:
    """The cost of parsing a selector: a list, a walk over the text, and a list and a struct for each requirement of two characters."""
    return Range.of(10) + length.times(STRING_FACTOR) + length.times(0.5).times(50.0)


def _selector_cost(_result: Value, _check: Value, selector: str) -> int:
    return _selector_range(Range.of(len(selector))).high


def _selector_estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(_selector_range(args.size(1)))


def _fixed_estimate(amount: int) -> Estimate:
    return lambda _: CallEstimate(Range.of(amount))


AUTHORIZER: Final = struct("kubernetes.authorization.Authorizer")
_PATH: Final = struct("kubernetes.authorization.PathCheck")
_GROUP: Final = struct("kubernetes.authorization.GroupCheck")
RESOURCE_CHECK: Final = struct("kubernetes.authorization.ResourceCheck")
_DECISION: Final = struct("kubernetes.authorization.Decision")
#: A question to the authorizer costs so much that an evaluation can ask only two.
_CHECK_COST: Final = 350_000

LIBRARY: Final = Library(since=(1, 27))
SELECTORS: Final = Library(since=(1, 31))


def _add(name: str, id_: str, parameters: tuple[Type, ...], result: Type, call: Callable[..., Value], amount: int = 1) -> None:
    LIBRARY.member(name, id_, parameters, result, call, cost=_always(amount), estimate=_fixed_estimate(amount))


_add("path", "authorizer_path", (AUTHORIZER, STRING), _PATH, path_check)
_add("group", "authorizer_group", (AUTHORIZER, STRING), _GROUP, group_check)
_add("serviceAccount", "authorizer_serviceaccount", (AUTHORIZER, STRING, STRING), AUTHORIZER, as_service_account)
_add("resource", "groupcheck_resource", (_GROUP, STRING), RESOURCE_CHECK, resource_check)
for _part in ("subresource", "namespace", "name"):
    _add(_part, f"resourcecheck_{_part}", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _narrowed(_part))
_add("check", "pathcheck_check", (_PATH, STRING), _DECISION, ask, _CHECK_COST)
_add("check", "resourcecheck_check", (RESOURCE_CHECK, STRING), _DECISION, ask, _CHECK_COST)
_add("errored", "decision_errored", (_DECISION,), BOOL, lambda decision: bool(decision.error))
_add("error", "decision_error", (_DECISION,), STRING, lambda decision: decision.error)
_add("allowed", "decision_allowed", (_DECISION,), BOOL, lambda decision: decision.is_allowed)
_add("reason", "decision_reason", (_DECISION,), STRING, lambda decision: decision.reason)
for _word, _part in (("field", "field_selector"), ("label", "label_selector")):
    SELECTORS.add(
        f"{_word}Selector",
        Overload(
            f"authorizer_{_word}selector", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _narrowed(_part), member=True, cost=_selector_cost,
            estimate=_selector_estimate, since=SELECTORS.since,
        ),
    )  # fmt: skip
