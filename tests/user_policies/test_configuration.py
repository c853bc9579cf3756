"""Mistakes of policies are found before anything runs, each with its place and the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
POLICY = """policies:
- id: POLICY-001
  name: tried
  match: {{kinds: [InferenceService.inference.llmkube.dev]}}
  validations:
  - expression: {}
"""


def mistakes(folder: Path, text: str) -> list[str]:
    """The output of `config check` for a configuration, without the name of the file."""
    path = folder / "config.yaml"
    path.write_text(HEAD + text)
    done = run("config", "check", str(path))
    lines = [line.removeprefix(f"{path}:") for line in done.stdout.splitlines()]
    assert done.returncode == (2 if len(lines) > 1 else 0)
    return lines[:-1]


@pytest.mark.parametrize(
    ("expression", "mistake"),
    [
        ("object.spec.replica < 3", "8:29: undefined field 'replica'; did you mean replicas?"),
        ('"object.spec.replica < 3"', "8:30: undefined field 'replica'; did you mean replicas?"),
        ("objekt.spec.replicas < 3", "8:17: undeclared reference to 'objekt'; did you mean object?"),
        ("effective.pods.all(p, p.spec.container == [])", "8:46: undefined field 'container'; did you mean containers?"),
        ("placement.node.size() > 0", "8:27: undefined field 'node'; did you mean nodes?"),
        ("size(variables.gpus) > 0", "8:32: undefined field 'gpus'"),
        ("object.spec.replicas", "8:17: yields int, and bool is needed"),
        ("object.spec.replicas < '3'", "8:38: found no matching overload for '_<_' applied to '(int, string)'"),
        (
            "cluster.get('InferenceService', 'a').hasValue()",
            "8:29: 'InferenceService' is a kind of several groups; write InferenceService.inference.llmkube.dev or InferenceService.ome.io",
        ),
        ("cluster.get('Namespaces', 'a').hasValue()", "8:29: 'Namespaces' isn't a kind that can be looked up; did you mean Namespace?"),
        ("cluster.get('Namespace').hasValue()", "8:28: write cluster.get(kind, name) or cluster.get(kind, namespace, name)"),
        ("cluster.list('Namespace', 'a', 'b') == []", "8:29: write cluster.list(kind) or cluster.list(kind, namespace)"),
        ("cluster.get(object.kind, 'a').hasValue()", "8:28: cluster.get needs the kind as a literal text first, such as 'Namespace'"),
        (
            "cluster.list('Node').size() > 0",
            "8:30: nodes can't be looked up; placement.nodes has those that could run the pods, with their labels",
        ),
        ("cluster.get('Namespace', 'a').?spec.hasValue()", "8:47: undefined field 'spec'"),
        ("imag('a').tag() == ''", "8:21: undeclared reference to 'imag'; did you mean image?"),
        ("'   '", "8:17: is empty; write an expression"),
        (">-\n      1 == 1 &&\n      object.spec.replica < 3", "10:19: undefined field 'replica'; did you mean replicas?"),
        ("|\n      1 == 1 &&\n        object.spec.replica < 3", "10:21: undefined field 'replica'; did you mean replicas?"),
    ],
)
def test_an_expression_that_can_not_be_meant_is_a_mistake(tmp_path: Path, expression: str, mistake: str) -> None:
    place, _, words = mistake.partition(": ")
    assert mistakes(tmp_path, POLICY.format(expression)) == [f"{place}: policies[0].validations[0].expression: {words}"]


def test_an_expression_is_checked_for_every_kind_that_it_is_about(tmp_path: Path) -> None:
    text = POLICY.format("object.spec.replicas < 3").replace("dev]}", "dev, GPUQuota]}")
    assert mistakes(tmp_path, text) == ["8:29: policies[0].validations[0].expression: undefined field 'replicas' (for GPUQuota)"]


def test_a_variable_with_a_fault_makes_no_other_fault(tmp_path: Path) -> None:
    text = (
        POLICY.format("variables.a == 1 && variables.b")
        + "  variables: [{name: a, expression: object.spec.replica}, {name: b, expression: variables.a > 1}]\n"
    )
    assert mistakes(tmp_path, text) == ["9:49: policies[0].variables[0].expression: undefined field 'replica'; did you mean replicas?"]


@pytest.mark.parametrize(
    ("before", "after", "mistake"),
    [
        ("POLICY-001", "policy-1", "4:7: policies[0].id: 'policy-1' isn't the id of a policy; write one such as POLICY-001"),
        (
            "tried",
            "Tried It",
            "5:9: policies[0].name: 'Tried It' isn't a name; write small letters, digits and dashes, such as pinned-images",
        ),
        (
            "InferenceService.inference.llmkube.dev",
            "InferenceServic",
            "6:19: policies[0].match.kinds[0]: 'InferenceServic' isn't a kind that Weighbridge judges; did you mean InferenceService?",
        ),
        ("  - expression: true", "  - {}", "8:5: policies[0].validations[0].expression: missing"),
        ("expression: true", "expresion: true", "8:5: policies[0].validations[0].expresion: unknown key; did you mean expression?"),
        (
            "expression: true",
            "{expression: 'true', fieldPath: .spec.imag}",
            "8:37: policies[0].validations[0].fieldPath: '.spec.imag' does not refer to a valid field; write one such as .spec.image",
        ),
        ("name: tried", "name: tried\n  severity: fatal", "6:13: policies[0].severity: write error, warning or note, not 'fatal'"),
    ],
)
def test_a_mistake_of_form_names_its_place(tmp_path: Path, before: str, after: str, mistake: str) -> None:
    assert mistake in mistakes(tmp_path, POLICY.format("true").replace(before, after))


def test_two_policies_have_two_ids_and_names(tmp_path: Path) -> None:
    text = POLICY.format("1 == 1")
    assert mistakes(tmp_path, text + text.removeprefix("policies:\n")) == [
        "9:7: policies[1].id: policies[0] has this id already; write another number",
        "10:9: policies[1].name: policies[0] has this name already; choose another one",
    ]


def test_settings_name_policies_by_their_ids(tmp_path: Path) -> None:
    text = (
        POLICY.format("1 == 1")
        + "rules: {POLICY-001: warn, POLICY-002: warn}\nexceptions: [{rules: [POLICY-*], match: {names: [a]}, reason: r}]\n"
    )
    assert mistakes(tmp_path, text) == ["9:27: rules.POLICY-002: unknown rule; the rules of POLICY go to POLICY-001"]


def test_a_section_may_make_a_policy_stricter_only(tmp_path: Path) -> None:
    text = (
        POLICY.format("1 == 1")
        + "rules: {POLICY-001: warn}\nnamespaces: {a: {rules: {POLICY-001: deny}}, b: {rules: {POLICY-001: audit}}}\n"
    )
    assert [line.partition(": ")[2] for line in mistakes(tmp_path, text)] == [
        "namespaces.b.rules.POLICY-001: POLICY-001 is warn cluster-wide; a namespace may make it stricter only, not audit"
    ]


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_no_object_is_judged_by_a_policy_with_a_mistake(tmp_path: Path, command: str) -> None:
    (tmp_path / "config.yaml").write_text(HEAD + POLICY.format("object.spec.replica < 3"))
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")
    done = run(command, str(tmp_path / "a.yaml"), "--config", str(tmp_path / "config.yaml"))
    assert done.returncode == 2
    assert "config.yaml:8:29: policies[0].validations[0].expression: undefined field 'replica'" in done.stderr
    assert done.stdout == ""


def test_rules_shows_policies_among_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(HEAD + POLICY.format("1 == 1") + "  description: |\n    It is tried.\n\n    For no reason.\n")
    assert "POLICY-001   error    tried" in run("rules", "--config", str(path)).stdout
    shown = run("rules", "tried", "--config", str(path)).stdout
    assert shown.startswith(
        "POLICY-001 tried (error; configuration: InferenceService.inference.llmkube.dev)\n\nIt is tried.\n\nFor no reason."
    )
    page = run("rules", "-o", "markdown", "--config", str(path)).stdout
    assert "| [POLICY-001](#policy-001-tried) | error | InferenceService.inference.llmkube.dev | It is tried. |" in page
    assert "LLMKUBE-001 " in run("rules", "LLMKUBE-001", "--config", str(path)).stdout
    assert run("rules", "POLICY-009", "--config", str(path)).returncode == 2


FILLING = """policies:
- id: POLICY-001
  name: tried
  match: {{kinds: [InferenceService.inference.llmkube.dev]}}
  fillIns:
  - fieldPath: {}
    expression: {}
"""


@pytest.mark.parametrize(
    ("path", "mistake"),
    [
        (".spec.replica", "22: undefined field 'replica'; did you mean replicas?"),
        ("spec.image", "16: 'spec.image' isn't a path; write one such as .spec.image or .metadata.labels['team']"),
        (".spec..image", "21: '..image' isn't a path; write one such as .spec.image or .metadata.labels['team']"),
        ('""', "16: is empty; write a path such as .spec.image"),
        (".spec.tolerations[0].key", "33: an item of a list can't be named; name the list"),
        (".spec.tolerations.key", "34: spec.tolerations is a list, and an item of a list can't be named; name the list"),
        (".spec.replicas.most", "31: spec.replicas is int, which has no fields"),
        (".status.phase", "17: status isn't for authors to write; name a field of the spec, a label or an annotation"),
        (".spec", "16: is an object as a whole; name a field in it"),
        (
            ".metadata.name",
            "16: name one label or annotation, such as .metadata.labels['team']; nothing else of metadata is filled in",
        ),
        (".metadata.annotations['weighbridge.dev/filled-in']", "39: this annotation is Weighbridge's own; name another one"),
    ],
)
def test_a_field_that_can_not_be_filled_in_is_a_mistake(tmp_path: Path, path: str, mistake: str) -> None:
    assert mistakes(tmp_path, FILLING.format(path, "'null'"))[0] == f"8:{mistake}".replace(": ", ": policies[0].fillIns[0].fieldPath: ", 1)


@pytest.mark.parametrize(
    ("path", "expression", "mistake"),
    [
        (".spec.replicas", "\"'two'\"", "18: yields string, and int is needed"),
        (".spec.replicas", '"[1]"', "18: yields list(int), and int is needed"),
        (".spec.modelRef", "\"timestamp('2026-01-01T00:00:00Z')\"", "27: yields timestamp, and string is needed"),
        (".spec.nodeSelector", "\"{'a': 1}\"", "24: yields int, and string is needed"),
        (".spec.nodeSelector", '"[]"', "18: yields list(dyn), and map(string, string) is needed"),
        (".spec.tolerations", "\"[{'ky': 'a'}]\"", "20: undefined field 'ky'; did you mean key?"),
        (".spec.resources", "\"{'cpus': '4'}\"", "19: undefined field 'cpus'; did you mean cpu?"),
        (".spec.priority", "\"true ? 'high' : 'lo'\"", "34: 'lo' is none of critical, high, normal, low, batch; did you mean low?"),
        (".spec.priority", "\"optional.of('hihg')\"", "30: 'hihg' is none of critical, high, normal, low, batch; did you mean high?"),
        (".spec.replicas", "'null'", "18: null fills in nothing; write optional.none() where there is no value"),
        (".spec.replicas", "now.getHours()", "17: a fill-in can't name now: every update would change the value"),
        (".spec.replicas", "object.spec.replica", "29: undefined field 'replica'; did you mean replicas?"),
    ],
)
def test_a_value_of_a_wrong_type_is_a_mistake(tmp_path: Path, path: str, expression: str, mistake: str) -> None:
    (found,) = mistakes(tmp_path, FILLING.format(path, expression))
    assert found == f"9:{mistake}".replace(": ", ": policies[0].fillIns[0].expression: ", 1)


@pytest.mark.parametrize(
    ("path", "expression"),
    [
        (".spec.endpoint", "\"{'port': 8080, 'type': 'ClusterIP'}\""),
        (".spec.image", "object.metadata.?labels[?'image']"),
        (".spec.nodeSelector", "object.metadata.labels"),
        (".metadata.labels['example.com/team']", "request.namespace"),
        ('.metadata.annotations["a.b/c"]', "string(effective.gpus)"),
    ],
)
def test_a_value_that_fits_is_no_mistake(tmp_path: Path, path: str, expression: str) -> None:
    assert mistakes(tmp_path, FILLING.format(path, expression)) == []


def test_now_is_found_through_variables(tmp_path: Path) -> None:
    variables = "  variables:\n  - {name: hour, expression: now.getHours()}\n  - {name: later, expression: variables.hour + 1}\n"
    text = FILLING.format(".spec.replicas", "variables.later") + variables
    assert [line.rpartition(": ")[0] for line in mistakes(tmp_path, text)] == [
        "9:17: policies[0].fillIns[0].expression: a fill-in can't name now"
    ]


def test_a_policy_says_something(tmp_path: Path) -> None:
    text = "policies:\n- {id: POLICY-001, name: tried}\n"
    assert mistakes(tmp_path, text) == ["4:3: policies[0]: neither validations nor fillIns; write one of them at least"]


def test_a_part_and_its_whole_are_not_both_filled_in(tmp_path: Path) -> None:
    text = FILLING.format(".spec.resources.cpu", "\"'4'\"") + "  - {fieldPath: .spec.resources, expression: \"{'cpu': '4'}\"}\n"
    assert mistakes(tmp_path, text) == [
        "8:16: policies[0].fillIns[0].fieldPath: fillIns[1] fills in a whole that this is a part of; name one of them"
    ]
