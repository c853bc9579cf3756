"""Rules and predictions of routers, pools, adapters and quotas accept any spec."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS = bundled_definitions()
KINDS = ("GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter", "FederatedCluster")
# fmt: off
FIELDS = (
    "allowlists", "auditLog", "auth", "autoscaling", "backends", "budgets", "classification", "costBudgetRef", "credentialsSecretRef",
    "dataClassification", "dataPlane", "dataResidencyTier", "default", "defaultRoute", "external", "failClosed", "gatewayRef",
    "gpuCount", "inferenceServiceRef", "issuer", "jwt", "key", "latencySLOMs", "match", "matchExpressions", "matchLabels",
    "maxTokens", "maxUSD", "members", "minPriority", "mode", "models", "name", "namespace", "namespaceRef", "nodeSelector",
    "operator", "path", "policy", "provider", "proxy", "quarantineDuration", "route", "ruleName", "rules", "scope", "selector",
    "sensitiveClassifications", "strategy", "swapBudget", "team", "tier", "timeout", "url", "values", "vramBytes",
)
# fmt: on
KEYS = st.sampled_from(FIELDS)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**70),
    st.floats(allow_nan=False),
    st.sampled_from(["", "a", "Gateway", "rule", "cloud", "5 minutes", "31m", "litellm", "http://[::1", "pii", "In", "local"]),
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25)
SPECS = st.one_of(LEAVES, st.dictionaries(KEYS, VALUES, max_size=8))


def judged(kind: str, spec: Any, beside: Any) -> tuple[Request, Facts]:
    group = "federation.llmkube.dev" if kind == "FederatedCluster" else "inference.llmkube.dev"
    gvk = GroupVersionKind(group, "v1alpha1", kind)
    obj = {"apiVersion": gvk.api_version, "kind": kind, "metadata": {"name": "x", "namespace": "n"}, "spec": spec}
    others = [
        {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": other, "metadata": {"name": "a", "namespace": "n"}, "spec": beside}
        for other in ("Model", "InferenceService", *KINDS[:4])
    ]
    store = ObjectStore(others)
    store.complete()
    return Request("any", Operation.CREATE, gvk, obj, namespace="n", name="x"), Facts(DEFINITIONS, store)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(spec=SPECS, beside=SPECS)
def test_rules_take_any_spec(kind: str, spec: Any, beside: Any) -> None:
    request, facts = judged(kind, spec, beside)
    for rule in FAMILY.rules_for(kind):
        list(rule.check(request, facts, DEFAULT))


@pytest.mark.parametrize("kind", KINDS[:4])
@settings(max_examples=60)
@given(spec=SPECS, beside=SPECS)
def test_predictions_take_any_spec(kind: str, spec: Any, beside: Any) -> None:
    request, facts = judged(kind, spec, beside)
    assert isinstance(FAMILY.predict[kind](request, facts, DEFAULT), Prediction)


@settings(max_examples=60)
@given(spec=SPECS, beside=SPECS)
def test_quota_rules_take_any_service(spec: Any, beside: Any) -> None:
    request, facts = judged("InferenceService", spec, beside)
    for rule in FAMILY.rules_for("InferenceService"):
        if rule.id >= "LLMKUBE-120":
            list(rule.check(request, facts, DEFAULT))
