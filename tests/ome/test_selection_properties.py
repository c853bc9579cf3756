"""Compares the selection among arbitrary runtimes with a plain transcription of upstream's tables, and checks its properties."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.ome.transcription import PANIC, fits, selected
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.families.ome.subject.runtime import read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import FITS, RuntimeSelection, select
from weighbridge.policies.ground.objects import JSONObject

VERSIONS = st.sampled_from(["1", "1.0", "1.0.0", "v1.0.0", "1.1.0", "2.0.0", "4.45.0", "4.45.0.dev0", "4.45.0-rc1", "1.x", "01", "1.0-rc1"])
OPERATORS = st.sampled_from(["Equal", "GreaterThan", "GreaterThanOrEqual", "AtLeast"])
FORMATS = st.fixed_dictionaries({"name": st.sampled_from(["safetensors", "onnx"])}, optional={"version": VERSIONS})
SUPPORTED = st.fixed_dictionaries(
    {"name": st.sampled_from(["safetensors", "onnx"]), "operator": OPERATORS, "weight": st.sampled_from([1, 1, 0, 2, -3])},
    optional={"version": VERSIONS},
)
SIZES = st.sampled_from(["1B", "7B", "7.5B", "8B", "70B", "500M", "1T", "7b", "nonsense"])
TEXTS = {"modelArchitecture": st.sampled_from(["A", "B"]), "quantization": st.sampled_from(["fp8", "int4"])}
MODELS = st.fixed_dictionaries({"modelFormat": FORMATS}, optional={"modelFramework": FORMATS, "modelParameterSize": SIZES, **TEXTS})
ITEMS = st.fixed_dictionaries(
    {"modelFormat": SUPPORTED},
    optional={"modelFramework": SUPPORTED, "autoSelect": st.booleans(), "priority": st.integers(1, 3), **TEXTS},
)
RANGES = st.fixed_dictionaries({"min": SIZES, "max": SIZES})
CLASSES = st.lists(st.sampled_from(["a", "b"]), unique=True)
SPECS = st.fixed_dictionaries(
    {"supportedModelFormats": st.lists(ITEMS, max_size=3)},
    optional={
        "disabled": st.booleans(),
        "modelSizeRange": RANGES,
        "acceleratorRequirements": st.fixed_dictionaries({"acceleratorClasses": CLASSES}),
    },
)
KINDS = st.sampled_from(["ServingRuntime", "ClusterServingRuntime"])
#: Runtimes of one namespace and of the cluster; each name is unique in its scope.
RUNTIMES = st.dictionaries(st.tuples(KINDS, st.sampled_from("uvwxyz")), SPECS, max_size=6)


def runtimes_of(specs: dict[tuple[str, str], JSONObject]) -> list[JSONObject]:
    """The runtimes as objects."""
    return [
        {"kind": kind, "metadata": {"name": name} | ({"namespace": "n"} if kind == "ServingRuntime" else {}), "spec": spec}
        for (kind, name), spec in specs.items()
    ]


def chosen(model: JSONObject, runtimes: list[JSONObject], demanded: tuple[str, ...] = ()) -> RuntimeSelection:
    """What the program selects."""
    return select(read_model({"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": model}), map(read_runtime, runtimes), demanded)


def named(selection: RuntimeSelection) -> str | None:
    """The name of the selected runtime, in the transcription's form."""
    if selection.blocking:
        return PANIC
    return selection.chosen.name if selection.chosen is not None else None


def matching(model: JSONObject, item: JSONObject) -> JSONObject:
    """The item, made to fit the model in each field that both have."""
    made: dict[str, Any] = {key: value for key, value in item.items() if key in ("autoSelect", "priority")}
    for field in ("modelArchitecture", "quantization"):
        if field in model:
            made[field] = model[field]
    for field in ("modelFormat", "modelFramework"):
        if field in model:
            made[field] = {"operator": "Equal", "weight": item["modelFormat"]["weight"], **model[field]}
    return made


@given(MODELS, RUNTIMES, CLASSES)
def test_any_selection_is_upstreams(model: JSONObject, specs: dict[tuple[str, str], JSONObject], demanded: list[str]) -> None:
    runtimes = runtimes_of(specs)
    assert named(chosen(model, runtimes, tuple(demanded))) == selected(model, runtimes, demanded)


@given(MODELS, RUNTIMES, st.booleans())
def test_any_selection_among_runtimes_that_fit_is_upstreams(model: JSONObject, specs: dict[Any, JSONObject], is_open: bool) -> None:
    runtimes = runtimes_of(specs)
    for runtime in runtimes:
        runtime["spec"]["supportedModelFormats"] = [matching(model, item) for item in runtime["spec"]["supportedModelFormats"]]
    if is_open and runtimes:
        runtimes[0]["spec"]["modelSizeRange"] = {"min": "1B"}
    assert named(chosen(model, runtimes)) == selected(model, runtimes)


@given(MODELS, RUNTIMES, SPECS, KINDS)
def test_a_runtime_that_does_not_fit_changes_nothing(
    model: JSONObject, specs: dict[tuple[str, str], JSONObject], other: JSONObject, kind: str
) -> None:
    assume(other.get("disabled") or not any(fits(model, item) for item in other["supportedModelFormats"]))
    runtimes = runtimes_of(specs)
    (added,) = runtimes_of({(kind, "a"): other})
    before, after = chosen(model, runtimes), chosen(model, [added, *runtimes])
    assert named(before) == named(after)
    reasons = {(one.runtime.kind, one.runtime.name): after.reason(one) for one in after.candidates}
    assert reasons.pop((kind, "a")), "it is listed with the reason against it"
    assert reasons == {(one.runtime.kind, one.runtime.name): before.reason(one) for one in before.candidates}


@given(MODELS, st.permutations(range(6)), st.lists(st.tuples(KINDS, SPECS), min_size=6, max_size=6))
def test_neither_order_nor_age_plays_a_part(model: JSONObject, order: list[int], specs: list[tuple[str, JSONObject]]) -> None:
    runtimes = runtimes_of({(kind, "uvwxyz"[index]): spec for index, (kind, spec) in enumerate(specs)})
    for runtime in runtimes:
        runtime["spec"]["supportedModelFormats"] = [matching(model, item) for item in runtime["spec"]["supportedModelFormats"]]
    for age, index in enumerate(order):
        runtimes[index]["metadata"]["creationTimestamp"] = f"2026-01-0{age + 1}T00:00:00Z"
    assert named(chosen(model, runtimes)) == named(chosen(model, [runtimes[index] for index in order]))


@given(MODELS, RUNTIMES)
def test_one_is_selected_and_all_others_have_a_reason_against_them(model: JSONObject, specs: dict[tuple[str, str], JSONObject]) -> None:
    selection = chosen(model, runtimes_of(specs))
    assert len(selection.candidates) == len(specs)
    without = [one.runtime for one in selection.candidates if not selection.reason(one)]
    assert without == ([selection.chosen] if selection.chosen is not None else [])
    assert all(one.outcome == FITS for one in selection.candidates if one.runtime in without)
