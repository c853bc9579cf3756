"""The choice among the templates of a model: which one wins, why each of the others is left out, and how that is shown."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig
from weighbridge.policies.families.aim.predictions.selection import TemplateSelection, candidate, select
from weighbridge.policies.families.aim.predictions.tables import tables

_READY = "Ready"


def template(name: str, gpu: str = "MI300X", status: str = _READY, **more: Any) -> dict[str, Any]:
    """A template of the cluster, or of the namespace of that name; its GPU is in its spec, and everything else in its profile."""
    namespace, count, labels = (more.pop(key, None) for key in ("namespace", "count", "labels"))
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {}) | ({"labels": labels} if labels else {})
    profile = {"type": "optimized", "metric": "latency", "precision": "fp8", **more}
    asked: dict[str, Any] = {"model": gpu} | ({"count": count, "requests": count} if count else {})
    spec = {"gpuSelector": asked, "hardware": {"gpu": asked}}
    return {"metadata": metadata, "spec": spec, "status": {"status": status, "profile": {"metadata": profile}}}


def chosen(group: str, *held: dict[str, Any], gpus: Any = None, **more: Any) -> TemplateSelection:
    dialect = dialect_of(group)
    found = [candidate(one, dialect, one["status"]["status"]) for one in held]
    return select(found, dialect, gpus, overrides=more.get("overrides", {}), allow_unoptimized=more.get("allow", False))


def left_out(selection: TemplateSelection) -> dict[str, str]:
    return {one.name: reason for one, reason in selection.left_out}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"gpu": "MI325X"}, {"gpu": "MI300X"}),
        ({"gpu": "MI210"}, {"gpu": "W7900"}),
        ({"metric": "latency"}, {"metric": "throughput"}),
        ({"metric": "throughput"}, {"metric": "other"}),
        ({"precision": "fp8"}, {"precision": "fp16"}),
        ({"precision": "FP32"}, {"precision": "int3"}),
        ({"gpu": "MI300X", "metric": "throughput"}, {"gpu": "MI250X", "metric": "latency"}),
        ({"metric": "latency", "precision": "fp32"}, {"metric": "throughput", "precision": "fp8"}),
    ],
)
@pytest.mark.parametrize("group", [NEW, OLD])
def test_the_better_one_is_chosen_in_either_order(group: str, better: dict[str, str], worse: dict[str, str]) -> None:
    for held in ((template("a", **better), template("b", **worse)), (template("b", **worse), template("a", **better))):
        found = chosen(group, *held)
        assert found.chosen is not None
        assert (found.chosen.name, found.reason, left_out(found)) == ("a", "BestMatch", {"b": "LowerPreferenceRank"})


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("", "TemplatePending"),
        ("Pending", "TemplatePending"),
        ("Progressing", "TemplateProgressing"),
        ("NotAvailable", "TemplateNotAvailable"),
        ("Degraded", "TemplateDegraded"),
        ("Failed", "TemplateFailed"),
        ("Odd", "TemplateNotReady"),
    ],
)
def test_what_isn_t_ready_is_left_out_by_its_status(status: str, reason: str) -> None:
    found = chosen(NEW, template("a", status=status))
    assert (found.chosen, found.reason, found.message) == (None, "TemplateNotReady", "no template of the model is ready")
    assert left_out(found) == {"a": reason}


def test_without_a_template_there_is_no_choice() -> None:
    found = chosen(NEW)
    assert (found.chosen, found.reason, found.message) == (None, "TemplateNotFound", "the model has no template")
    derived = template("a", labels={f"{OLD}/derived-template": "true"})
    assert chosen(OLD, derived).reason == "TemplateNotFound"
    of_new = template("a", labels={f"{NEW}/derived-template": "true"})
    assert chosen(NEW, of_new).reason == "BestMatch"


def test_unoptimized_templates_must_be_allowed() -> None:
    found = chosen(NEW, template("a", type="unoptimized"), template("b", type="preview"))
    assert (found.reason, left_out(found)) == ("TemplateNotFound", dict.fromkeys("ab", "UnoptimizedTemplateFiltered"))
    assert found.message == "all templates are unoptimized, and spec.template.allowUnoptimized isn't set"
    allowed = chosen(NEW, template("a", type="unoptimized"), template("b", type="preview"), allow=True)
    assert allowed.chosen is not None
    assert allowed.chosen.name == "b"


@pytest.mark.parametrize(
    ("overrides", "fits"),
    [
        ({}, True),
        ({"metric": "LATENCY"}, True),
        ({"metric": "throughput"}, False),
        ({"precision": "fp8"}, True),
        ({"precision": "fp4"}, False),
        ({"hardware": {"gpu": {"model": "Instinct_MI300X"}}}, True),
        ({"hardware": {"gpu": {"model": "MI250X"}}}, False),
        ({"hardware": {"gpu": {"requests": 2}}}, True),
        ({"hardware": {"gpu": {"requests": 1}}}, False),
    ],
)
def test_aim_engine_leaves_out_what_the_overrides_don_t_fit(overrides: dict[str, Any], fits: bool) -> None:
    found = chosen(NEW, template("a", count=2), overrides=overrides)
    assert (found.chosen is not None) is fits
    if not fits:
        assert (found.message, left_out(found)) == ("no template fits spec.overrides", {"a": "ServiceOverridesNotMatched"})
    assert chosen(OLD, template("a", count=2), overrides=overrides).chosen is not None


def test_to_aim_engine_a_template_of_no_gpu_fits_any_and_so_does_one_of_no_number() -> None:
    asked = {"hardware": {"gpu": {"model": "MI210", "requests": 4}}}
    assert chosen(NEW, template("a", gpu=""), overrides=asked).chosen is not None


@pytest.mark.parametrize(("gpus", "fits"), [({"MI300X": 0}, True), ({"MI210": 0}, False), ({}, False), (None, True)])
@pytest.mark.parametrize("group", [NEW, OLD])
def test_a_gpu_must_be_in_the_cluster(group: str, gpus: Any, fits: bool) -> None:
    found = chosen(group, template("a"), gpus=gpus)
    assert (found.chosen is not None) is fits
    if not fits:
        assert (found.reason, found.message) == ("TemplateNotFound", "the cluster has none of the templates' GPUs")
        assert left_out(found) == {"a": "RequiredGPUNotInCluster"}
    assert chosen(group, template("a", gpu=""), gpus=gpus).chosen is not None


def test_one_of_the_namespace_goes_before_a_better_one_of_the_cluster() -> None:
    found = chosen(NEW, template("a", gpu="MI325X"), template("b", gpu="MI210", namespace="shop"))
    assert found.chosen is not None
    assert (found.chosen.name, left_out(found)) == ("b", {"a": "NamespacedTemplatePreferred"})


@pytest.mark.parametrize(("group", "ties"), [(NEW, False), (OLD, True)])
def test_to_kaiwo_templates_tie_whatever_their_types(group: str, ties: bool) -> None:
    found = chosen(group, template("a"), template("b", type="preview"), allow=True)
    assert (found.chosen is None) is ties
    if ties:
        assert (found.reason, found.message) == ("TemplateSelectionAmbiguous", "several templates are equally good")
        assert [one.name for one in found.tied] == ["a", "b"]


def test_equal_templates_tie() -> None:
    found = chosen(NEW, template("a"), template("b"), template("c", metric="throughput"))
    assert (found.chosen, found.reason, [one.name for one in found.tied]) == (None, "TemplateSelectionAmbiguous", ["a", "b"])


def test_each_outcome_is_shown_in_words() -> None:
    held = [
        template(f"t{number}", status=status) for number, status in enumerate(("", "Progressing", "NotAvailable", "Degraded", "Failed"))
    ]
    held += [template("odd", status="Odd"), template("none", gpu="MI210"), template("raw", type="preview")]
    held += [template("of-cluster"), template("lower", metric="", namespace="shop"), template("best", count=2, namespace="shop")]
    found = chosen(NEW, *held, template("any", gpu=" ", precision="", namespace="shop"), gpus={"MI300X": 0})
    (table,) = tables(RuntimeConfig("default", dialect_of(NEW)), found)
    assert table.title == "templates of the model:"
    assert table.columns == ("template", "scope", "status", "GPU", "metric", "precision", "outcome")
    assert table.rows == [
        ("best", "namespace", "Ready", "2 x MI300X", "latency", "fp8", "chosen"),
        ("of-cluster", "cluster", "Ready", "MI300X", "latency", "fp8", "left out: one of the namespace is preferred"),
        ("lower", "namespace", "Ready", "MI300X", "any", "fp8", "left out: another one is preferred"),
        ("any", "namespace", "Ready", "any", "latency", "any", "left out: the cluster doesn't have its GPU"),
        ("none", "cluster", "Ready", "MI210", "latency", "fp8", "left out: the cluster doesn't have its GPU"),
        ("raw", "cluster", "Ready", "MI300X", "latency", "fp8", "left out: it is unoptimized"),
        ("odd", "cluster", "Odd", "MI300X", "latency", "fp8", "left out: it isn't ready"),
        ("t4", "cluster", "Failed", "MI300X", "latency", "fp8", "left out: its discovery failed"),
        ("t3", "cluster", "Degraded", "MI300X", "latency", "fp8", "left out: it is degraded"),
        ("t2", "cluster", "NotAvailable", "MI300X", "latency", "fp8", "left out: the cluster doesn't have its GPU"),
        ("t1", "cluster", "Progressing", "MI300X", "latency", "fp8", "left out: its discovery is still running"),
        ("t0", "cluster", "none", "MI300X", "latency", "fp8", "left out: it has no status yet"),
    ]


def test_overrides_and_ties_are_shown_in_words() -> None:
    empty = RuntimeConfig("default", dialect_of(NEW))
    (fitted,) = tables(empty, chosen(NEW, template("a"), overrides={"metric": "x"}))
    assert [row[-1] for row in fitted.rows] == ["left out: it doesn't fit spec.overrides"]
    (tied,) = tables(empty, chosen(NEW, template("a"), template("b")))
    assert [row[-1] for row in tied.rows] == ["as good as another, so none is chosen"] * 2
    assert tables(empty, None) == []
