"""The rules of a real CRD have a result for any JSON."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cel.rules.crds import rules_of
from weighbridge.policies.cel.rules.evaluation import CompiledRules, RulesResult

_NAMES = st.sampled_from(
    [
        "spec", "hardware", "gpu", "resourceName", "resourceClaims", "resourceClaimName", "resourceClaimTemplateName", "name", "count",
        "metadata", "a",
    ],
)  # fmt: skip
_SCALARS = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_JSON = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES | st.text(), inner, max_size=5))
_GPU = st.dictionaries(_NAMES, _JSON | st.lists(st.dictionaries(_NAMES, _JSON, max_size=4), max_size=4), max_size=4)
#: Objects that reach the rules, with arbitrary values in the fields that the rules read.
_NEAR = st.builds(lambda gpu: {"spec": {"hardware": {"gpu": gpu}}}, _GPU | _JSON)
_SETTINGS = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@cache
def _model(shared: Path) -> CompiledRules:
    return rules_of(shared, "llmkube/crds/inference.llmkube.dev_models.yaml")


@_SETTINGS
@given(obj=_NEAR | _JSON, old=_NEAR | _JSON, has_old=st.booleans(), is_typed=st.booleans())
def test_no_object_makes_the_rules_crash(shared: Path, obj: Any, old: Any, has_old: bool, is_typed: bool) -> None:
    result = _model(shared).validate(obj, old if has_old else None, has_old=has_old, is_typed=is_typed)
    assert isinstance(result, RulesResult)
    assert 0 <= result.remaining_budget <= 10_000_000
    assert all(error.detail for error in result.errors + result.warnings)


@_SETTINGS
@given(gpu=_GPU)
def test_an_unchanged_object_is_never_refused(shared: Path, gpu: Any) -> None:
    obj = {"spec": {"hardware": {"gpu": gpu}}}
    fresh = _model(shared).validate(obj, has_old=False, is_typed=False)
    update = _model(shared).validate(obj, obj, has_old=True, is_typed=False)
    assert len(update.errors) + len(update.warnings) == len(fresh.errors)
