"""Words that YAML doesn't read as texts: the API server's message about one is followed by the word as written."""

from __future__ import annotations

import json

import pytest

from tests.command_line import run

SERVICE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {{name: s, namespace: ai}}
spec: {{modelRef: m, extraArgs: [{argument}], nodeSelector: {{{selector}}}}}
"""
MODEL = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {metadata}\nspec: {{source: https://example.com/a.gguf}}\n"
TRUE, FALSE = "is the boolean true in YAML 1.1", "is the boolean false in YAML 1.1"
WORDS = {
    **dict.fromkeys(("yes", "on", "y", "Y", "ON"), TRUE),
    **dict.fromkeys(("no", "off", "n", "No"), FALSE),
    "true": "is a boolean",
    "~": "is null in YAML",
    "null": "is null",
    "0.7": "is a number",
    "2026": "is a number",
    "010": "is the number 8 in YAML 1.1",
    "1_000": "is the number 1000 in YAML 1.1",
    "1e3": "is the number 1000 in YAML 1.1",
    "0x10": "is the number 16 in YAML 1.1",
}


@pytest.mark.parametrize(("word", "meaning"), WORDS.items())
def test_the_hint_says_what_yaml_makes_of_an_argument(word: str, meaning: str) -> None:
    text = SERVICE.format(argument=word, selector="")
    hint = f'{word} {meaning}; write "{word}"'
    line, help_line, *_ = run("lint", "-", text=text).stdout.splitlines()
    assert line.startswith("-:4:33: error[K8S-003] spec.extraArgs[0]: Invalid value: ")
    assert help_line == f"    help: {hint}"
    assert f"hint: {hint}" in run("dry-run", "-", text=text).stdout
    (result,) = json.loads(run("lint", "-o", "json", "-", text=text).stdout)["results"]
    assert [finding["hint"] for finding in result["findings"]] == [hint]


@pytest.mark.parametrize("selector", ["gpu: on", "nvidia.com/gpu.present: on", "a: &a on, gpu: *a"])
def test_a_value_of_a_map_is_found_under_its_key(selector: str) -> None:
    text = SERVICE.format(argument="", selector=selector)
    said, word = run("lint", "-", text=text).stdout, "*a" if "*a" in selector else "on"
    assert said.count('    help: on is the boolean true in YAML 1.1; write "on"') == selector.count("a: &a") + 1
    assert f":{text.splitlines()[3].rindex(word) + 1}: error[K8S-003]" in said


@pytest.mark.parametrize("argument", ['"on"', "!!str on", "1:30", "'0.7'", "word"])
def test_a_text_is_no_such_word(argument: str) -> None:
    assert run("lint", "-", text=SERVICE.format(argument=argument, selector="")).returncode == 0


def test_what_is_tagged_or_json_is_meant() -> None:
    assert "write" not in run("lint", "-", text=SERVICE.format(argument="!!bool on", selector="")).stdout
    spec = {"modelRef": "m", "extraArgs": [True]}
    obj = {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "InferenceService", "metadata": {"name": "s"}, "spec": spec}
    said = run("lint", "-", text=json.dumps(obj)).stdout
    assert 'of type string: "boolean" (InferenceService s)\n' in said


def test_what_is_no_text_anyway_gets_no_such_hint() -> None:
    assert "write" not in run("lint", "-", text=MODEL.format(metadata="on")).stdout
    assert "write" not in run("lint", "-", text=MODEL.format(metadata="{name: m, labels: on}")).stdout


@pytest.mark.parametrize(
    ("metadata", "field", "column", "word"),
    [
        ("{name: m, namespace: n}", "metadata.namespace", 32, "n"),
        ("{name: 5}", "metadata.name", 18, "5"),
        ("{name: m, labels: {a: b, gpu: on}}", "metadata.labels.gpu", 41, "on"),
        ("{name: m, annotations: {example.com/year: 2026}}", "metadata.annotations.example.com/year", 53, "2026"),
        ("{name: m, finalizers: [a/b, off]}", "metadata.finalizers[1]", 39, "off"),
        ("{name: m, ownerReferences: [{apiVersion: v1, kind: Pod, name: y, uid: a}]}", "metadata.ownerReferences[0].name", 73, "y"),
    ],
)
def test_metadata_is_blamed_where_the_word_is(metadata: str, field: str, column: int, word: str) -> None:
    line, help_line, *_ = run("lint", "-", text=MODEL.format(metadata=metadata)).stdout.splitlines()
    assert line.startswith(f"-:3:{column}: error[K8S-006] {field}: Model in version ")
    assert help_line.endswith(f'; write "{word}"')
    assert f"error[K8S-006] {field}: " in run("dry-run", "-", text=MODEL.format(metadata=metadata)).stdout


QUOTED = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {{name: s, namespace: ai}}
spec: {{modelRef: m, {field}: {value}}}
"""


@pytest.mark.parametrize(
    ("field", "value", "help_line"),
    [
        ("replicas", '"2"', '    help: "2" is a text; write 2'),
        ("replicas", "'2'", '    help: "2" is a text; write 2'),
        ("jinja", '"true"', '    help: "true" is a text; write true'),
        ("replicas", '"two"', ""),
        ("replicas", '"2.5"', ""),
        ("replicas", '"true"', ""),
        ("jinja", '"2"', ""),
        ("jinja", '"yes"', ""),
    ],
)
def test_the_hint_says_that_the_quotes_are_too_many(field: str, value: str, help_line: str) -> None:
    said = run("lint", "-", text=QUOTED.format(field=field, value=value)).stdout
    assert f"error[K8S-003] spec.{field}: " in said
    assert [line for line in said.splitlines() if " is a text; " in line] == list(filter(None, [help_line]))


def test_metadata_in_quotes_gets_the_hint() -> None:
    owner = '{name: m, ownerReferences: [{apiVersion: v1, kind: Pod, name: y, uid: a, controller: "true"}]}'
    assert '    help: "true" is a text; write true\n' in run("lint", "-", text=MODEL.format(metadata=owner)).stdout
