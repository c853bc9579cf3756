"""Checks the validations of a policy against the types of the kinds that it matches.

The controller names the types of objects by their kinds with a number that it draws anew each time; here the number is left out.
Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/typechecking.go, `Check`, `CheckExpression` and `buildEnvSet`, 1.34 to 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.admission_policies.declarations import PolicyHead, ValidatingPolicy
from weighbridge.policies.admission_policies.environment import ALWAYS, STRUCTS, VARIABLES_TYPE, PolicyTypes, seen_type
from weighbridge.policies.admission_policies.type_checks import wordings
from weighbridge.policies.admission_policies.type_checks.advice import Advice, advice_on
from weighbridge.policies.admission_policies.type_checks.kinds import kinds_to_check
from weighbridge.policies.admission_policies.type_checks.schemas import declared_kind
from weighbridge.policies.admission_policies.wordings import printed_kind
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.library.authz import AUTHORIZER
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import Type, struct
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.cel.versions import stored_rules_version
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release

#: Follows the name of a kind in the name of its type, and is removed from messages. No text has this character.
_MARK: Final = "\ufdd0"


@dataclass(frozen=True, slots=True)
class ExpressionWarning:
    """The warning about one expression, for all kinds together; `path` leads to the expression."""

    path: Path
    text: str
    advice: Advice


@dataclass(slots=True)
class TypeChecks:
    """The warnings about a policy, and the kinds against which its expressions aren't checked, each with the reason."""

    warnings: list[ExpressionWarning] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


class _Typed:
    """The environment of a policy's expressions for objects of one kind."""

    def __init__(
        self, gvk: GroupVersionKind, obj: DeclaredType, params: DeclaredType | None, head: PolicyHead, *, has_params: bool
    ) -> None:
        self.gvk = gvk
        self._variables: dict[str, Type] = {}
        self.types = PolicyTypes({**STRUCTS, VARIABLES_TYPE: self._variables})
        mine = self.types.add(obj, f"{gvk.kind}{_MARK}")
        declared = {**ALWAYS, "object": mine, "oldObject": mine, "variables": struct(VARIABLES_TYPE), "authorizer": AUTHORIZER}
        if has_params:
            kind = head.param_kind.kind if head.param_kind is not None else ""
            declared["params"] = types.DYN if params is None else self.types.add(params, f"{kind}{_MARK}{_MARK}")
        self._environment = environment(stored_rules_version()).with_variables(declared, self.types)
        for variable in head.variables:
            checked = compile_text(variable.expression, self._environment)
            self._variables[variable.name] = seen_type(None if isinstance(checked, Refused) else checked.type)

    def refused(self, text: str) -> Refused | None:
        """The errors of an expression, as a text."""
        checked = compile_text(text, self._environment)
        return checked if isinstance(checked, Refused) else None


def check_types(policy: ValidatingPolicy, definitions: Definitions, is_complete: Callable[[str], bool]) -> TypeChecks:
    """Check a policy that the server would store. `is_complete` says whether all kinds of a group are known here."""
    found = TypeChecks()
    kinds = list(_typed(policy.head, definitions, found, is_complete))
    for index, validation in enumerate(policy.validations):
        for name, text in (("expression", validation.expression), ("messageExpression", validation.message_expression)):
            if text:
                found.warnings += _warnings(("spec", "validations", index, name), text, kinds)
    return found


def _warnings(path: Path, text: str, kinds: Sequence[_Typed]) -> Iterator[ExpressionWarning]:
    refused = [(kind, wrong) for kind in kinds if (wrong := kind.refused(text)) is not None]
    if refused:
        texts = (f"{printed_kind(kind.gvk)}: {wrong.message}\n".replace(_MARK, "") for kind, wrong in refused)
        yield ExpressionWarning(path, "\n".join(texts), advice_on((kind.types, wrong) for kind, wrong in refused))


def _typed(head: PolicyHead, definitions: Definitions, found: TypeChecks, is_complete: Callable[[str], bool]) -> Iterable[_Typed]:
    """The kinds that a policy matches, with their types."""

    def missing(resource: GroupVersionResource) -> None:
        if not is_complete(resource.group):
            found.unchecked.append(wordings.no_definition(resource))

    kinds = kinds_to_check(head.match.rules, definitions, missing)
    if not kinds:
        return
    params, has_params = _parameters(head, definitions, found, is_complete)
    for gvk in kinds:
        try:
            obj = declared_kind(gvk, definitions)
        except NotKnownError as error:
            found.unchecked.append(wordings.no_types(error))
            continue
        if obj is not None:
            yield _Typed(gvk, obj, params, head, has_params=has_params)


def _parameters(
    head: PolicyHead, definitions: Definitions, found: TypeChecks, is_complete: Callable[[str], bool]
) -> tuple[DeclaredType | None, bool]:
    """The type of the parameters, and whether expressions may use them."""
    if head.param_kind is None:
        return None, False
    try:
        params = declared_kind(head.param_kind, definitions)
    except NotKnownError as error:
        found.unchecked.append(wordings.no_types_of_parameters(error))
        return None, True
    if params is None and not is_complete(head.param_kind.group):
        found.unchecked.append(wordings.no_definition_of_parameters(head.param_kind))
        return None, True
    return params, params is not None or release().checks_untyped_parameters
