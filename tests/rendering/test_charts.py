"""Helm charts: they are rendered if `helm` is installed, and findings point to the templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import model, needs_helm, program, said, write

_CHART = "apiVersion: v2\nname: c\nversion: 0.1.0\n"
_VALUES = "name: m\nvendor: nvidia\naccelerator: rocm\n"
_TEMPLATE = """\
{{- if .Values.name }}
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Values.name }}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: {{ .Values.name }}
spec:
  source: https://example.com/a.gguf
  hardware:
    accelerator: {{ .Values.accelerator }}
    gpu:
      count: 1
      vendor: {{ .Values.vendor }}
      {{- if .Values.memory }}
      memory: {{ .Values.memory }}
      {{- end }}
{{- end }}
"""
#: The text that Helm 3.18 renders from it.
_RENDERED = """\
---
# Source: c/templates/model.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: m}
---
# Source: c/templates/model.yaml
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: m
spec:
  source: https://example.com/a.gguf
  hardware:
    accelerator: rocm
    gpu:
      count: 1
      vendor: nvidia
"""
_ACCELERATOR = "accelerator: {{ .Values.accelerator }}"


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    write(tmp_path, {"c/Chart.yaml": _CHART, "c/values.yaml": _VALUES, "c/templates/model.yaml": _TEMPLATE})
    return tmp_path


def _findings(root: Path, *arguments: str) -> list[str]:
    return said(run("lint", *arguments, cwd=root).stdout, ": error[")


@needs_helm
def test_a_chart_is_judged_as_helm_renders_it(chart: Path) -> None:
    (finding,) = _findings(chart)
    assert finding.startswith("c/templates/model.yaml:13:5: error[LLMKUBE-001] spec.hardware.accelerator:")
    assert finding.endswith("(in c)")


def test_what_was_rendered_is_led_back_to_the_template(chart: Path, no_programs: Path) -> None:
    program(no_programs, "helm", f"exec /bin/cat {no_programs}/rendered")
    (no_programs / "rendered").write_text(_RENDERED)
    (finding,) = _findings(chart)
    assert finding.startswith("c/templates/model.yaml:13:5: error[LLMKUBE-001] spec.hardware.accelerator:")
    # Rendered text that is in the template unchanged has an exact place, with its column.
    template = chart / "c/templates/model.yaml"
    template.write_text(_TEMPLATE.replace(_ACCELERATOR, "accelerator: rocm"))
    (finding,) = _findings(chart)
    assert finding.startswith("c/templates/model.yaml:13:18: error[LLMKUBE-001]")
    # The lines that an action writes are no lines of the template: the place is the nearest parent's.
    template.write_text(_TEMPLATE.replace(_ACCELERATOR, '{{- include "c.accelerator" . | nindent 4 }}'))
    (finding,) = _findings(chart)
    assert finding.startswith("c/templates/model.yaml:12:3: error[LLMKUBE-001]")


@needs_helm
def test_each_file_of_values_in_ci_is_rendered_and_one_fault_is_said_once(chart: Path) -> None:
    write(
        chart,
        {"c/ci/a-values.yaml": "name: a\n", "c/ci/fine-values.yaml": "accelerator: cuda\n", "c/ci/README.md": "", "c/ci/x.yaml": "a: 1\n"},
    )
    (finding,) = _findings(chart)
    assert finding.endswith("(in c, c with ci/a-values.yaml)")
    assert "checked 3 of 6 objects in 6 files" in run("lint", cwd=chart).stdout


@needs_helm
def test_a_chart_that_needs_values_is_no_error(chart: Path) -> None:
    template = chart / "c/templates/model.yaml"
    template.write_text(_TEMPLATE.replace(".Values.vendor", 'required "vendor is needed" .Values.vendors'))
    done = run("lint", cwd=chart)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "Warning: c: this Helm chart isn't rendered (" in done.stderr
    assert "vendor is needed" in done.stderr
    assert "if it needs values, give them in c/ci/NAME-values.yaml" in done.stderr
    write(chart, {"c/ci/a-values.yaml": "vendors: nvidia\naccelerator: cuda\n"})
    done = run("lint", "-v", cwd=chart)
    assert (done.returncode, done.stderr) == (0, "")
    assert "passed over: c: not rendered: " in done.stdout


@needs_helm
def test_a_mistake_in_a_template_is_an_error_at_its_place(chart: Path) -> None:
    template = chart / "c/templates/model.yaml"
    template.write_text(_TEMPLATE.replace("{{ .Values.vendor }}", "{{ .Values.vendor }"))
    done = run("lint", cwd=chart)
    assert done.returncode == 2
    assert done.stdout.startswith("c/templates/model.yaml:16:1: error: helm can't render this: ")
    template.write_text(_TEMPLATE.replace("    gpu:\n", "  gpu:\n   x: - y\n"))
    done = run("lint", cwd=chart)
    assert done.returncode == 2
    assert "can't" in done.stdout


@needs_helm
def test_dependencies_are_not_downloaded(chart: Path) -> None:
    write(chart, {"c/Chart.yaml": _CHART + "dependencies:\n- {name: d, version: 1.0.0, repository: https://example.com/charts}\n"})
    done = run("lint", cwd=chart)
    assert done.returncode == 0
    assert "missing in charts/ directory: d" in done.stderr
    assert not (chart / "c/charts").exists()


@needs_helm
def test_findings_in_a_part_of_the_chart_have_the_parts_file(chart: Path) -> None:
    write(chart, {"c/Chart.yaml": _CHART + "dependencies:\n- {name: d, version: 1.0.0}\n", "c/values.yaml": "{}\n"})
    write(chart, {"c/charts/d/Chart.yaml": _CHART.replace("name: c", "name: d").replace("0.1.0", "1.0.0")})
    write(chart, {"c/charts/d/templates/m.yaml": model("m").replace("accelerator: cuda", "accelerator: rocm")})
    (finding,) = _findings(chart)
    assert finding.startswith("c/charts/d/templates/m.yaml:7:18: error[LLMKUBE-001]")


@needs_helm
def test_a_library_is_not_rendered_and_other_files_of_a_chart_are_judged(chart: Path) -> None:
    write(chart, {"c/values.yaml": "{}\n", "c/examples/m.yaml": model("m").replace("accelerator: cuda", "accelerator: rocm")})
    assert [line.split(": ")[0] for line in _findings(chart)] == ["c/examples/m.yaml:7:18"]
    write(chart, {"c/Chart.yaml": _CHART + "type: library\n"})
    assert run("lint", cwd=chart).stderr == ""


def test_a_file_of_that_name_that_is_no_chart_changes_nothing(tmp_path: Path, no_programs: Path) -> None:
    write(tmp_path, {"Chart.yaml": "title: a chart of the sea\n", "templates/m.yaml": model("m").replace("cuda", "rocm")})
    done = run("lint", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("script", "said", "most_seconds"),
    [
        ("exec /bin/sleep 60", "not done after 0.5 seconds", 0.5),
        # These need no time limit.
        ("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", "more than 0 MiB of output", 60),
        ("/bin/sleep 60 & exit 3", "exit code 3", 60),
        ("echo odd >&2; kill -9 $$", "odd", 60),
    ],
)
def test_a_program_that_fails_is_one_line(
    chart: Path, no_programs: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str, most_seconds: float
) -> None:
    monkeypatch.setattr("weighbridge.webhook.rendering.programs.MOST_SECONDS", most_seconds)
    monkeypatch.setattr("weighbridge.webhook.rendering.programs.MOST_BYTES", 1 << 19)
    program(no_programs, "helm", script)
    done = run("lint", cwd=chart)
    assert done.returncode == 0
    assert f"Warning: c: this Helm chart isn't rendered ({said}); if it needs values, give them in c/ci/NAME-values.yaml\n" == done.stderr


def test_a_program_that_cant_be_started_is_one_line(chart: Path, no_programs: Path) -> None:
    program(no_programs, "helm", "")
    (no_programs / "helm").write_bytes(b"\x7fELF nonsense")
    assert "helm can't be started" in run("lint", cwd=chart).stderr


def test_what_helm_brings_through_a_pipe_is_led_back_to_the_chart_in_the_folder(chart: Path) -> None:
    def finding() -> str:
        done = run("lint", "-", text=_RENDERED, cwd=chart)
        return said(done.stdout, ": error[")[0]

    assert finding().startswith("c/templates/model.yaml:13:5: error[LLMKUBE-001]")
    assert finding().endswith("nvidia.com/gpu")
    # If two charts have that name, it isn't known which is meant.
    write(chart, {"other/c/Chart.yaml": _CHART})
    assert finding().startswith("-:15:18: error[LLMKUBE-001]")
    write(chart, {"other/c/Chart.yaml": _CHART.replace("name: c", "name: d"), "c/Chart.yaml": "name: c\n"})
    assert finding().startswith("-:15:18: error[LLMKUBE-001]")


def test_a_dry_run_is_of_what_is_rendered(chart: Path, no_programs: Path) -> None:
    program(no_programs, "helm", f"exec /bin/cat {no_programs}/rendered")
    (no_programs / "rendered").write_text(_RENDERED)
    done = run("dry-run", ".", cwd=chart)
    assert done.returncode == 1
    assert "Model default/m (c/templates/model.yaml:6, in c): refused" in done.stdout
    assert run("dry-run", "--exclude", "c", ".", cwd=chart).returncode == 0
