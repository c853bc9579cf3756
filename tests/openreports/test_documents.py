"""The reports that `audit -o openreports` writes, and how large one may be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_audit import model, snapshot
from tests.command_line import run
from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Decision, Finding, Severity, Unchecked
from weighbridge.policies.schema.names import dns1123_subdomain
from weighbridge.webhook.cluster.report_forms import FORMS, OPEN_REPORTS, POLICY_REPORTS, ReportForm
from weighbridge.webhook.inputs.stored import JudgedObject
from weighbridge.webhook.openreports.document import LEFT_OUT, MOST_RESULTS, report_name, reports_on

_CRDS = Path(__file__).parent / "crds"
_WRONG = {"accelerator": "rocm", "gpu": {"enabled": True, "count": 1, "vendor": "nvidia"}}
_AT = 1_800_000_000


def contradicting(name: str, **metadata: Any) -> dict[str, Any]:
    """A Model that contradicts itself."""
    found = model(name, "https://example.com/m.gguf", **metadata)
    return {**found, "spec": {**found["spec"], "hardware": _WRONG}}


def of(obj: dict[str, Any], *findings: Finding, unchecked: tuple[Unchecked, ...] = (), form: ReportForm = OPEN_REPORTS) -> Any:
    """The report on an object with this decision on its creation; `None` if there is none."""
    judged = JudgedObject(
        obj, "", Decision(allowed=True, code=200), Decision(allowed=True, code=200, findings=findings, unchecked=unchecked)
    )
    return next(reports_on([judged], form, DEFAULT, _AT), None)


def finding(rule: str = "LLMKUBE-001", severity: Severity = Severity.ERROR, message: str = "m", **parts: Any) -> Finding:
    return Finding(rule, severity, ("spec", "source"), message, **parts)


def test_there_is_one_report_for_each_object_with_findings(tmp_path: Path) -> None:
    good = model("good", "https://example.com/m.gguf")
    done = run("audit", "--cluster", snapshot(tmp_path, contradicting("one"), good, contradicting("two")), "-o", "openreports")
    assert (done.returncode, done.stderr) == (1, "")
    first, second = read_all(done.stdout)
    assert (first["scope"]["name"], second["scope"]["name"]) == ("one", "two")
    assert first["metadata"]["ownerReferences"] == [
        {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "name": "one", "uid": "one"}
    ]
    (result, *_) = first["results"]
    assert result.pop("timestamp")["nanos"] == 0
    assert result["message"].startswith('spec.hardware.accelerator: "rocm" contradicts gpu.vendor "nvidia"')
    assert {key: result[key] for key in ("source", "policy", "rule", "category", "severity", "result", "scored")} == {
        "source": "Weighbridge",
        "policy": "LLMKUBE-001",
        "rule": "accelerator-contradicts-vendor",
        "category": "llmkube",
        "severity": "high",
        "result": "fail",
        "scored": True,
    }
    assert result["properties"]["field"] == "spec.hardware.accelerator"
    assert result["properties"]["refuses"] == "CREATE", "an update that leaves it as it was only warns"


def test_an_audit_that_finds_nothing_writes_nothing(tmp_path: Path) -> None:
    done = run("audit", "--cluster", snapshot(tmp_path, model("m", "https://example.com/m.gguf")), "-o", "openreports")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.group)
@pytest.mark.parametrize("namespace", ["a", ""])
def test_upstreams_definition_takes_each_report(tmp_path: Path, form: ReportForm, namespace: str) -> None:
    obj = model("m", "x", namespace)
    findings = [
        finding("LLMKUBE-001", found="f", expected="e", nearest="n", hint="h"),
        finding("LLMKUBE-002", Severity.WARNING),
        finding("LLMKUBE-003", Severity.NOTE),
        finding("LLMKUBE-004", Severity.NOTE, exempted="until June"),
        *(finding(message=f"m{number}") for number in range(MOST_RESULTS)),
    ]
    report = of(obj, *findings, unchecked=(Unchecked("LLMKUBE-005 name", "no nodes"),), form=form)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report))
    done = run("lint", "--isolated", "--crds", str(_CRDS), "--fail-on", "note,unknown", str(path))
    assert (done.returncode, done.stdout.splitlines()[1:]) == (0, ["checked 1 object in 1 file: 0 failed, 0 warned"])
    # The check works: a field and a result that the definition doesn't have are refused.
    for wrong in ({"sourced": "x"}, {"summary": {"fail": "1"}}, {"results": [{"policy": "p", "result": "bad"}]}):
        path.write_text(json.dumps({**report, **wrong}))
        assert run("lint", "--isolated", "--crds", str(_CRDS), str(path)).returncode == 1


def test_each_weight_has_its_result() -> None:
    findings = [
        finding("LLMKUBE-002", Severity.WARNING),
        finding("LLMKUBE-003", Severity.NOTE),
        finding("LLMKUBE-004", Severity.NOTE, exempted="until June"),
        finding("WB-000", Severity.WARNING),
        finding("LLMKUBE-001"),
    ]
    report = of(model("m", "x"), *findings, unchecked=(Unchecked("LLMKUBE-005 name", "no nodes"), Unchecked("placement", "no nodes")))
    assert [(result["policy"], result["result"], result.get("severity")) for result in report["results"]] == [
        ("LLMKUBE-001", "fail", "high"),
        ("LLMKUBE-005", "error", None),
        ("WB-000", "error", "medium"),
        ("LLMKUBE-002", "warn", "medium"),
        ("LLMKUBE-003", "warn", "info"),
        ("LLMKUBE-004", "skip", "info"),
    ]
    assert report["summary"] == {"pass": 0, "fail": 1, "error": 2, "warn": 2, "skip": 1}
    assert report["results"][-1]["properties"]["exempted"] == "until June"
    assert report["results"][1]["message"] == "not checked: no nodes"


def test_what_is_found_twice_is_one_result_at_its_worst() -> None:
    unchanged = Decision(allowed=True, code=200, findings=[finding(severity=Severity.WARNING), finding("LLMKUBE-002")])
    anew = Decision(allowed=False, code=403, findings=[finding(), finding("LLMKUBE-002")])
    (report,) = reports_on([JudgedObject(model("m", "x"), "", unchanged, anew)], OPEN_REPORTS, DEFAULT, _AT)
    assert [(result["policy"], result["result"], result["properties"]["refuses"]) for result in report["results"]] == [
        ("LLMKUBE-001", "fail", "CREATE"),
        ("LLMKUBE-002", "fail", "UPDATE, CREATE"),
    ]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.group)
def test_a_report_is_bounded_and_counts_what_it_leaves_out(form: ReportForm) -> None:
    long = "\U0001f512" * 5000
    notes = [finding("LLMKUBE-003", Severity.NOTE, f"{number} {long}") for number in range(300)]
    parts: dict[str, Any] = dict.fromkeys(("found", "expected", "nearest", "hint"), long)
    errors = [finding(message=f"{number} {long}", **parts) for number in range(60)]
    report = of(model("m", "x"), *notes, *errors, form=form)
    assert len(report["results"]) == MOST_RESULTS
    assert [result["result"] for result in report["results"]] == ["fail"] * 60 + ["warn"] * 40, "the best ones are left out"
    assert report["summary"] == {"pass": 0, "fail": 60, "error": 0, "warn": 300, "skip": 0}
    assert report["metadata"]["annotations"] == {LEFT_OUT: "260"}
    assert report.get("configuration") == ({"limits": {"maxResults": MOST_RESULTS}} if form is OPEN_REPORTS else None)
    assert all(len(result["message"]) <= 1000 for result in report["results"])
    worst = of(model("m", "x"), *(finding(message=f"{number} {long}", **parts) for number in range(300)), form=form)
    assert len(json.dumps(worst, ensure_ascii=False).encode()) < 1 << 20


def test_a_report_is_named_by_its_object_alone() -> None:
    objects = [
        {"apiVersion": api, "kind": kind, "metadata": {"name": name}}
        for api in ("ome.io/v1beta1", "inference.llmkube.dev/v1alpha1")
        for kind in ("InferenceService", "Model")
        for name in ("chat", "chat.v1", "chat-v1", "c" * 253, "c" * 252 + "d", "Ü:/", "")
    ]
    names = [report_name(obj) for obj in objects]
    assert len(set(names)) == len(names)
    assert [name for name in names if dns1123_subdomain(name)] == []
    assert report_name({**objects[0], "apiVersion": "ome.io/v1"}) == names[0], "the version is no part of what an object is"
    assert names[0].startswith("weighbridge-inferenceservice-chat-")


def test_what_anybody_may_write_on_an_object_does_not_steer_the_terminal() -> None:
    report = of(model("m", "x"), finding(message="a\x1b[2Jb\u202ec\nd\ud800", found="\x1b[2J"))
    (result,) = report["results"]
    assert result["message"] == "spec.source: a\\x1b[2Jb\\u202ec d\\ud800"
    assert result["properties"]["found"] == "\\x1b[2J"


def test_a_policy_of_the_configuration_is_named_too(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\npolicies:\n"
        "- {id: POLICY-001, name: from-our-registry, match: {kinds: [Model.inference.llmkube.dev]},"
        ' validations: [{expression: "object.spec.source.startsWith(\'https://models.example.com\')", message: "not ours"}]}\n'
    )
    cluster = snapshot(tmp_path, model("m", "https://example.com/m.gguf"))
    (report,) = read_all(run("audit", "--cluster", cluster, "--config", str(config), "-o", "openreports").stdout)
    (result,) = report["results"]
    assert {key: result[key] for key in ("policy", "rule", "category", "result")} == {
        "policy": "POLICY-001",
        "rule": "from-our-registry",
        "category": "policies",
        "result": "fail",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--report", "--cluster", "{cluster}"), "--report writes into the live cluster, so leave out --cluster"),
        (
            ("-o", "openreports", "--cluster", "{cluster}", "--kubernetes-version", "1.36,1.37"),
            "leave out --kubernetes-version and --release",
        ),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    cluster = snapshot(tmp_path, model("m", "https://example.com/m.gguf"))
    done = run("audit", *(argument.format(cluster=cluster) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())


def test_only_the_newer_form_has_a_source_of_its_own() -> None:
    assert of(model("m", "x"), finding())["source"] == "Weighbridge"
    assert "source" not in of(model("m", "x"), finding(), form=POLICY_REPORTS)
