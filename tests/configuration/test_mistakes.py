"""All mistakes of a configuration are reported at once, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.configuration.objects import HEAD, configured
from weighbridge.policies.families.configuration import json_schema
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake
from weighbridge.webhook.configuration.reader import read_configuration


def mistakes(folder: Path, text: str) -> list[str]:
    """The mistakes of a document with this text after the header, each from its line on."""
    with pytest.raises(ConfigurationError) as caught:
        configured(folder, text)
    return [str(mistake).partition("config.yaml:")[2] for mistake in caught.value.mistakes]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("enforcement: [{rules: [LLMKUBE-001]}]", "3:15: enforcement[0].action: missing"),
        ("enforcement: [{rules: [], action: warn}]", "3:23: enforcement[0].rules: name one rule at least; * is all of them"),
        (
            "enforcement: [{rules: [PLACE-01], action: warn}]",
            "3:24: enforcement[0].rules[0]: unknown rule; did you mean PLACE-001?",
        ),
        (
            "enforcement: [{rules: [X-*], action: warn}]",
            "3:24: enforcement[0].rules[0]: no rule matches; weighbridge rules lists them",
        ),
        (
            "enforcement: [{rules: ['*'], kinds: [Modle], action: warn}]",
            "3:38: enforcement[0].kinds[0]: no kind of ours; did you mean Model?",
        ),
        (
            "enforcement: [{rules: ['*'], namespaces: [A_b], action: warn}]",
            "3:43: enforcement[0].namespaces[0]: no namespace can have this name",
        ),
        (
            "enforcement: [{rules: ['*'], namespace: [a], action: warn}]",
            "3:30: enforcement[0].namespace: unknown key; did you mean namespaces?",
        ),
        ("references: on", "3:13: references: write deny, warn, audit or off, not true"),
        ("crdRules: sometimes", "3:11: crdRules: write always, missing or never, not 'sometimes'"),
        ("crdRules: [always]", "3:11: crdRules: write always, missing or never, not a list"),
        ("crdRules: {'*': maybe}", "3:17: crdRules.*: write always, missing or never, not 'maybe'"),
        (
            "crdRules: {inference.llmkube.de: never}",
            (
                "3:34: crdRules.inference.llmkube.de: 'inference.llmkube.de' isn't an API group of a known system; "
                "did you mean inference.llmkube.dev?"
            ),
        ),
        ("rules:", "3:1: rules: null is not a map; write a map"),
        ("rules: [a]", "3:8: rules: a list is not a map; write a map"),
        ("exceptions: [{rules: ['*'], match: {names: [a]}}]", "3:14: exceptions[0].reason: missing"),
        ("exceptions: [{rules: ['*'], reason: r}]", "3:14: exceptions[0].match: missing"),
        (
            "exceptions: [{rules: ['*'], match: {}, reason: r}]",
            "3:36: exceptions[0].match: means every object; to switch a rule off for all use rules or enforcement",
        ),
        (
            "exceptions: [{rules: ['*'], match: {names: [a]}, reason: ' '}]",
            "3:58: exceptions[0].reason: say why in a few words; reports show them",
        ),
        (
            "exceptions: [{rules: ['*'], match: {names: [a]}, reason: r, expires: tomorrow}]",
            "3:70: exceptions[0].expires: 'tomorrow' is neither a date nor a time; write one such as 2026-12-31 or 2026-12-31T18:00:00Z",
        ),
        (
            "exceptions: [{rules: ['*'], match: {labelSelector: {matchExpressions: [{key: a, operator: In}]}}, reason: r}]",
            "3:72: exceptions[0].match.labelSelector.matchExpressions[0].values: In needs values",
        ),
        (
            "exceptions: [{rules: ['*'], match: {labelSelector: {matchExpressions: [{key: a, operator: Gt}]}}, reason: r}]",
            "3:91: exceptions[0].match.labelSelector.matchExpressions[0].operator",
        ),
        (
            "images: {mirrors: {https://ghcr.io: a}}",
            "3:37: images.mirrors.https://ghcr.io: the key isn't a registry; write host or host/path, such as ghcr.io",
        ),
        (
            "images: {mirrors: {ghcr.io: 'a b'}}",
            "3:29: images.mirrors.ghcr.io: 'a b' isn't a registry; write host or host/path, such as mirror.example.com/ghcr",
        ),
        (
            "images: {pins: {a/b: ''}}",
            "3:22: images.pins.a/b: '' is neither a tag nor a digest; write one such as b6000, sha256:... or b6000@sha256:...",
        ),
        (
            "images: {pins: {A B: v1}}",
            "3:22: images.pins.A B: the key isn't a repository; write one such as ghcr.io/org/name, or ghcr.io/org/name:tag",
        ),
        ("tolerations: {gpu: []}", "3:20: tolerations.gpu: the key isn't a resource name; write domain/name, such as amd.com/gpu"),
        ("tolerations: {amd.com/gpu: [{}]}", "3:29: tolerations.amd.com/gpu[0].key: without a key the operator must be Exists"),
        ("annotations: {maxBytes: 4KB}", "3:25: annotations.maxBytes: '4KB' is not a whole number; write a number such as 4096"),
        ("annotations: {maxBytes: 1.5}", "3:25: annotations.maxBytes: 1.5 is not a whole number; write a number such as 4096"),
        ("annotations: {maxBytes: [1]}", "3:25: annotations.maxBytes: a list is not a whole number; write a number such as 4096"),
        ("annotations: {maxBytes: 99999999999999999999999}", "3:25: annotations.maxBytes: 1e+23 is too large a number"),
        ("annotations: {objects: yes please}", "3:24: annotations.objects: 'yes please' is neither true nor false"),
        ("annotations: {objects: 5}", "3:24: annotations.objects: 5 is neither true nor false"),
        ("annotations: 5", "3:14: annotations: 5 is not a map; write a map"),
        ("mode: 5", "3:7: mode: write deny or audit, not 5"),
        ("exceptions: {a: b}", "3:13: exceptions: a map is not a list; write a list"),
        ("images: {mirrors: {ghcr.io: 5}}", '3:29: images.mirrors.ghcr.io: must be text: write "5"'),
        ("images: {mirrors: {ghcr.io: 1.5}}", "3:29: images.mirrors.ghcr.io: must be text, not 1.5: put it in quotes"),
        ("images: {mirrors: {ghcr.io: true}}", "3:29: images.mirrors.ghcr.io: must be text, not true: put it in quotes"),
        ("images: {mirrors: {ghcr.io: [a]}}", "3:29: images.mirrors.ghcr.io: must be text, not a list"),
        ("llmkube: {version: 3}", '3:20: llmkube.version: must be text: write "3"'),
        ("enforcement: [{rules: '*', action: warn}]", "3:23: enforcement[0].rules: '*' is not a list; write [\"*\"]"),
        ("expectedNodes: {a: {allocatable: {cpu: [1]}}}", "3:40: expectedNodes.a.allocatable.cpu: a list is neither a text nor a number"),
        (
            "annotations: {maxBytes: 999999}",
            "3:25: annotations.maxBytes: 999999 is out of range; all annotations of an object may have 262144 bytes",
        ),
        ("namespaces: {Team: {}}", "3:20: namespaces.Team: no namespace can have this name; a section is for one namespace"),
        ("namespaces: {team-*: {}}", "3:22: namespaces.team-*: no namespace can have this name; a section is for one namespace"),
        ("namespaces: {a: {rulez: {}}}", "3:18: namespaces.a.rulez: unknown key; did you mean rules?"),
        ("llmkube: {version: latest}", "3:20: llmkube.version: 'latest' isn't a version; write one such as v0.9.19"),
        ("llmkube: {version: v0.9}", "3:20: llmkube.version: 'v0.9' isn't a version; write one such as v0.9.19"),
        ("llmkube: {images: {llamacp/amd: a}}", "3:33: llmkube.images.llamacp/amd: 'llamacp' isn't an engine; did you mean llamacpp?"),
        ("llmkube: {images: {vllm/nvidea: a}}", "3:33: llmkube.images.vllm/nvidea: 'nvidea' isn't a vendor; did you mean nvidia?"),
        ("llmkube: {images: {llamacpp/amd/cuda: a}}", "3:39: llmkube.images.llamacpp/amd/cuda: 'cuda' isn't a GPU runtime; write one of"),
        ("llmkube: {images: {vllm: a b}}", "3:26: llmkube.images.vllm: 'a b' isn't an image"),
        ("llmkube: {renderGroup: -1}", "3:24: llmkube.renderGroup: -1 isn't a group; write a number from 0 to 2147483647"),
        (
            "llmkube: {runtimeClassNames: {nvidia: A b}}",
            "3:39: llmkube.runtimeClassNames.nvidia: 'A b' can't be the name of a RuntimeClass",
        ),
        (
            "llmkube: {operator: {modelCacheSize: 4GB}}",
            "3:38: llmkube.operator.modelCacheSize: '4GB' isn't a size; write one such as 100Gi",
        ),
        (
            "llmkube: {operator: {modelCacheAccessMode: RWX}}",
            "3:44: llmkube.operator.modelCacheAccessMode: 'RWX' isn't an access mode; write one of",
        ),
        ("llmkube: {operator: {defaultFsGroup: -5}}", "3:38: llmkube.operator.defaultFsGroup: -5 isn't a group"),
        ("llmkube: {operator: {vramPerDeviceGib: -5}}", "3:40: llmkube.operator.vramPerDeviceGib: -5 isn't an amount; 0 is unknown"),
        (
            "llmkube: {operator: {runtimeImages: {generic: a}}}",
            "3:47: llmkube.operator.runtimeImages.generic: 'generic' isn't an engine whose image the operator can set; write one of",
        ),
        (
            "llmkube: {operator: {sharedPoolSelector: {a b: c}}}",
            "3:48: llmkube.operator.sharedPoolSelector.a b: no node can have the label a b=c",
        ),
    ],
)
def test_a_mistake_names_its_place_and_what_would_do(tmp_path: Path, text: str, mistake: str) -> None:
    (found,) = mistakes(tmp_path, text)
    assert found.startswith(mistake)


def test_settings_that_the_operator_knows_are_no_mistake(tmp_path: Path) -> None:
    found = configured(tmp_path, "llmkube: {version: 0.9.5, operator: {modelCacheSize: ''}, images: {llamacpp/amd/rocm: a}}").settings_of(
        LLMKube
    )
    assert (found.version, found.operator.model_cache_size, found.images) == ("0.9.5", "", {"llamacpp/amd/rocm": "a"})


def test_mistakes_of_form_and_of_meaning_are_told_together_in_the_order_of_the_text(tmp_path: Path) -> None:
    text = """\
enforcement:
  - {rules: [NOPE], action: warn}
  - {rules: ["*"], action: maybe}
  - {rules: ["*"], action: warn, kinds: [Modle]}
rules: {LLMKUBE-001: 5, NOPE-1: deny}
namespaces:
  a: {extra: 1}
  b: {references: off}
llmkube: {resourceNames: {amd: "x y"}}
expectedResources: 5
expectedResources: {a: 0}
"""
    assert [mistake.partition(": ")[0] for mistake in mistakes(tmp_path, text)] == [
        "4:14",
        "5:28",
        "6:42",
        "7:22",
        "7:25",
        "9:7",
        "10:19",
        "11:32",
        "13:1",
        "13:24",
    ]


def lines_of_mistakes(folder: Path, text: str) -> set[int]:
    """The lines with mistakes."""
    found: Sequence[Mistake] = ()
    try:
        configured(folder, text)
    except ConfigurationError as error:
        found = error.mistakes
    # Messages are in our own words, not in those of the library that reads the file.
    assert not [mistake for mistake in found if "input" in mistake.message]
    return {mistake.line for mistake in found}


def _of(key: str) -> JSONValue:
    """The schema of the section under a key; empty if the value is no section."""
    whole = json_schema()
    return whole["$defs"].get(whole["properties"][key].get("$ref", "").rpartition("/")[2], {})


def _strings(schema: JSONValue) -> set[str]:
    return set(schema.get("properties", {}))


@pytest.mark.parametrize("wrong", ["5", "[]", "{}", "text", "null", "true", "[[]]", "{a: {a: {a: 5}}}", "[{a: 5}, 5]"])
def test_a_value_of_any_type_under_any_key_is_a_mistake_or_fine_and_nothing_else(tmp_path: Path, wrong: str) -> None:
    for key in _strings(json_schema()) - {"apiVersion", "kind"}:
        assert lines_of_mistakes(tmp_path, f"{key}: {wrong}\n") <= {3}, key
        for below in _strings(_of(key)):
            assert lines_of_mistakes(tmp_path, f"{key}: {{{below}: {wrong}}}\n") <= {3}, below


@pytest.mark.parametrize("wrong", ["5", "[]", "{}", "text", "null", "true", "[[]]", "[{a: 5}, 5]"])
def test_so_it_is_below_a_namespace(tmp_path: Path, wrong: str) -> None:
    for key in _strings(json_schema()["$defs"]["NamespaceSection"]):
        assert lines_of_mistakes(tmp_path, f"namespaces: {{team-a: {{{key}: {wrong}}}}}\n") <= {3}, key


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "the file is empty; write one document of kind Configuration"),
        (b"\xff\xfe\x00", "config.yaml"),
        (HEAD.encode() + b"a: &a [*a]\n", "config.yaml"),
        (b"[" * 100_000, "config.yaml"),
        (HEAD.replace("v1alpha1", "v2").encode(), "apiVersion: write weighbridge.dev/v1alpha1, not 'weighbridge.dev/v2'"),
        (b'{"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot"}', "kind: is Snapshot; give a file of kind Configuration"),
        (b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {}\nspec: {}\n", "2:7: kind: is Deployment; give a file of kind Configuration"),
        (b"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuraton\n", "kind: write Configuration, not 'Configuraton'"),
        (b"#" * (33 << 20), "larger than 32 MiB, the most that is read"),
    ],
    ids=["empty", "no text", "cycle", "deep", "version", "kind", "kind of another group", "misspelt kind", "huge"],
)
def test_a_file_that_is_no_configuration_says_so(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match=re.escape(text)):
        read_configuration(str(path))


def test_a_directory_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(HEAD)
    with pytest.raises(ConfigurationError, match="is a directory; give a file of kind Configuration"):
        read_configuration(str(tmp_path))


def test_a_json_file_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", "references": "deny"}))
    assert read_configuration(str(path)).references == "deny"
