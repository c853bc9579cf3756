"""The Go types of validating policies and their bindings, and those that mutating ones share.

Source: k8s.io/api/admissionregistration/v1/types.go and apimachinery's LabelSelector, 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.apiserver.acceptance.definition_types import OBJECT_META
from weighbridge.policies.apiserver.acceptance.go_types import Field, Integer, ListOf, MapOf, Struct, Text, Time

TEXT: Final = Field(Text())
TEXTS: Final = Field(ListOf(Text()))
_REQUIREMENT: Final = Struct(
    "LabelSelectorRequirement", {"key": TEXT, "operator": Field(Text("v1.LabelSelectorOperator")), "values": TEXTS}
)
SELECTOR: Final = Field(
    Struct("LabelSelector", {"matchLabels": Field(MapOf(Text())), "matchExpressions": Field(ListOf(_REQUIREMENT))}), pointer=True
)
_WITH_OPERATIONS: Final = ("RuleWithOperations",)
_RULE_TEXTS: Final = Field(ListOf(Text()), embedded=(*_WITH_OPERATIONS, "Rule"))
_RULE: Final = Struct(
    "NamedRuleWithOperations",
    {
        "resourceNames": TEXTS,
        "operations": Field(ListOf(Text("v1.OperationType")), embedded=_WITH_OPERATIONS),
        "apiGroups": _RULE_TEXTS,
        "apiVersions": _RULE_TEXTS,
        "resources": _RULE_TEXTS,
        "scope": Field(Text("v1.ScopeType"), pointer=True, embedded=_RULE_TEXTS.embedded),
    },
)
MATCH_RESOURCES: Final = Field(
    Struct(
        "MatchResources",
        {
            "namespaceSelector": SELECTOR,
            "objectSelector": SELECTOR,
            "resourceRules": Field(ListOf(_RULE)),
            "excludeResourceRules": Field(ListOf(_RULE)),
            "matchPolicy": Field(Text("v1.MatchPolicyType"), pointer=True),
        },
    ),
    pointer=True,
)
PARAM_KIND: Final = Field(Struct("ParamKind", {"apiVersion": TEXT, "kind": TEXT}), pointer=True)
PARAM_REF: Final = Field(
    Struct(
        "ParamRef",
        {
            "name": TEXT,
            "namespace": TEXT,
            "selector": SELECTOR,
            "parameterNotFoundAction": Field(Text("v1.ParameterNotFoundActionType"), pointer=True),
        },
    ),
    pointer=True,
)
CONDITIONS: Final = Field(ListOf(Struct("MatchCondition", {"name": TEXT, "expression": TEXT})))
VARIABLES: Final = Field(ListOf(Struct("Variable", {"name": TEXT, "expression": TEXT})))
FAILURE_POLICY: Final = Field(Text("v1.FailurePolicyType"), pointer=True)
_VALIDATION: Final = Struct(
    "Validation",
    {"expression": TEXT, "message": TEXT, "messageExpression": TEXT, "reason": Field(Text("v1.StatusReason"), pointer=True)},
)
_ANNOTATION: Final = Struct("AuditAnnotation", {"key": TEXT, "valueExpression": TEXT})
_POLICY_SPEC: Final = Struct(
    "ValidatingAdmissionPolicySpec",
    {
        "paramKind": PARAM_KIND,
        "matchConstraints": MATCH_RESOURCES,
        "validations": Field(ListOf(_VALIDATION)),
        "failurePolicy": FAILURE_POLICY,
        "auditAnnotations": Field(ListOf(_ANNOTATION)),
        "matchConditions": CONDITIONS,
        "variables": VARIABLES,
    },
)
_WARNING: Final = Struct("ExpressionWarning", {"fieldRef": TEXT, "warning": TEXT})
_CONDITION: Final = Struct(
    "Condition",
    {
        "type": TEXT,
        "status": Field(Text("v1.ConditionStatus")),
        "observedGeneration": Field(Integer()),
        "lastTransitionTime": Field(Time()),
        "reason": TEXT,
        "message": TEXT,
    },
)
_STATUS: Final = Struct(
    "ValidatingAdmissionPolicyStatus",
    {
        "observedGeneration": Field(Integer()),
        "typeChecking": Field(Struct("TypeChecking", {"expressionWarnings": Field(ListOf(_WARNING))}), pointer=True),
        "conditions": Field(ListOf(_CONDITION)),
    },
)
_BINDING_SPEC: Final = Struct(
    "ValidatingAdmissionPolicyBindingSpec",
    {
        "policyName": TEXT,
        "paramRef": PARAM_REF,
        "matchResources": MATCH_RESOURCES,
        "validationActions": Field(ListOf(Text("v1.ValidationAction"))),
    },
)


def whole(name: str, fields: Mapping[str, Field]) -> Struct:
    """The type of a whole object of a kind."""
    return Struct(name, {"apiVersion": TEXT, "kind": TEXT, "metadata": Field(OBJECT_META), **fields})


VALIDATING_POLICY_TYPE: Final = whole("ValidatingAdmissionPolicy", {"spec": Field(_POLICY_SPEC), "status": Field(_STATUS)})
VALIDATING_BINDING_TYPE: Final = whole("ValidatingAdmissionPolicyBinding", {"spec": Field(_BINDING_SPEC)})
