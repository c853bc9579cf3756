"""`weighbridge config`: check and show, as a person and a tool use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.configuration.objects import HEAD, config_map
from tests.yaml_documents import read

CONFIG = (
    HEAD
    + """\
rules:
  LLMKUBE-003: deny
enforcement:
  - {rules: [LLMKUBE-001], kinds: [Model], namespaces: [team-*], action: warn}
exceptions:
  - {rules: ["*"], match: {namespaces: [team-a]}, reason: until the move, expires: 2020-01-31}
  - {rules: ["*"], match: {namespaces: [team-b]}, reason: the lab}
images:
  mirrors: {ghcr.io: mirror.example.com/ghcr}
tolerations:
  amd.com/gpu: [{key: amd.com/gpu, operator: Exists}]
namespaces:
  team-a:
    references: deny
    fillIn: {tolerations: []}
llmkube:
  operator: {driRenderGid: 991}
"""
)
OPERATOR = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "controller", "namespace": "llmkube-system"},
    "spec": {
        "template": {"spec": {"containers": [{"name": "m", "image": "x/llmkube-controller:v0.9.5", "args": ["--default-fsgroup=7"]}]}}
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a configuration, and a cluster with an operator and two sections, one of which widens."""
    (tmp_path / "config.yaml").write_text(CONFIG)
    section = config_map("images: {pins: {ghcr.io/a/b: v2}}\nrules: {LLMKUBE-001: deny}")
    items = [section, config_map("references: off", "team-b"), OPERATOR]
    (tmp_path / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return tmp_path


def shown(folder: Path, *options: str) -> dict[str, Any]:
    """The output of `config show` as JSON."""
    done = run("config", "show", "--config", str(folder / "config.yaml"), "--cluster", str(folder / "cluster.json"), "-o", "json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def settings(folder: Path, *options: str) -> dict[str, tuple[Any, str]]:
    """The value and the origin of each setting, without the folder's name."""
    told = shown(folder, *options)["settings"]
    return {entry["setting"]: (entry["value"], entry["origin"].replace(f"{folder}/", "")) for entry in told}


def test_what_is_set_is_shown_with_its_origin(folder: Path) -> None:
    told = settings(folder)
    assert told["rules.LLMKUBE-003"] == ("deny", "config.yaml:4")
    assert told["images.mirrors.ghcr.io"] == ("mirror.example.com/ghcr", "config.yaml:11")
    assert told["namespaces.team-a.references"] == ("deny", "config.yaml:16")
    assert told["namespaces.team-a.fillIn.tolerations"] == ([], "config.yaml:17")
    assert told["namespaces.team-a.rules.LLMKUBE-001"] == ("deny", "ConfigMap team-a/weighbridge rules.LLMKUBE-001")
    assert told["exceptions[1]"] == ({"rules": ["*"], "match": {"namespaces": ["team-b"]}, "reason": "the lab"}, "config.yaml:9")
    assert "onError" not in told
    assert not any(setting.startswith("namespaces.team-a") for setting in settings(folder, "-n", "team-b"))


def test_what_holds_in_a_namespace_is_shown_with_where_each_value_is_from(folder: Path) -> None:
    told = settings(folder, "--effective", "-n", "team-a")
    assert told["rules.LLMKUBE-001"] == ("deny", "ConfigMap team-a/weighbridge rules.LLMKUBE-001")
    assert told["rules.LLMKUBE-003"] == ("deny", "config.yaml:4")
    assert told["rules.GIE-001"] == ("deny", "default (error)")
    assert told["references"] == ("deny", "config.yaml:16")
    assert told["onError"] == ("deny", "default")
    assert told["images.pins.ghcr.io/a/b"] == ("v2", "ConfigMap team-a/weighbridge images.pins.ghcr.io/a/b")
    assert told["fillIn.tolerations (and)"] == ([], "config.yaml:17")
    assert told["tolerations.amd.com/gpu[0] (not filled in)"][1] == "config.yaml:13"
    assert told["exceptions[0] (ended)"][1] == "config.yaml:8"
    assert "exceptions[1]" not in told
    assert told["llmkube.operator.driRenderGid"] == (991, "config.yaml:19")
    assert told["llmkube.operator.defaultFsGroup"] == (7, "Deployment llmkube-system/controller")
    assert told["llmkube.operator.modelCacheMode"] == ("shared", "default of the operator")
    assert told["llmkube.version"][1] == "Deployment llmkube-system/controller"


def test_what_holds_elsewhere_is_another_thing(folder: Path) -> None:
    there = settings(folder, "--effective", "-n", "team-b")
    assert there["rules.LLMKUBE-001"] == ("warn", "config.yaml:6")
    assert there["references"] == ("warn", "default")
    everywhere = settings(folder, "--effective")
    assert everywhere["rules.LLMKUBE-001"] == ("deny", "default (error)")
    assert "images.pins.ghcr.io/a/b" not in everywhere


def test_what_does_not_count_is_told(folder: Path) -> None:
    ended, refused = shown(folder)["warnings"]
    assert ended == "exceptions[0] from * ended: 2020-01-31 (until the move)"
    assert refused.startswith("ConfigMap team-b/weighbridge is not used: configuration.yaml:1:13: references: is warn cluster-wide")


def test_yaml_says_what_json_says(folder: Path) -> None:
    options = ("config", "show", "--config", str(folder / "config.yaml"), "--cluster", str(folder / "cluster.json"), "--effective")
    assert read(run(*options, "-o", "yaml").stdout) == json.loads(run(*options, "-o", "json").stdout)


@pytest.mark.parametrize("options", [(), ("--effective",), ("--effective", "-n", "team-a")])
def test_text_is_plain_and_each_setting_is_one_line_where_it_is_piped(folder: Path, options: tuple[str, ...]) -> None:
    done = run("config", "show", "--config", str(folder / "config.yaml"), "--cluster", str(folder / "cluster.json"), *options)
    assert all("# " in line or ": " in line for line in done.stdout.splitlines())
    assert not [line for line in done.stdout.splitlines() if line.startswith("    ") and not line.startswith("    # ")]
    assert "\x1b" not in done.stdout
    assert "references: " in done.stdout or not options


def test_without_a_configuration_nothing_is_set() -> None:
    assert run("config", "show").stdout == "no setting is set; --effective shows the defaults\n"
    assert "rules.LLMKUBE-001: deny                           # default (error)\n" in run("config", "show", "--effective").stdout


def test_one_that_can_be_used_is_said_to_be(folder: Path) -> None:
    path = str(folder / "config.yaml")
    done = run("config", "check", path)
    assert (done.returncode, done.stderr) == (0, "")
    ended = f"{path}:8:5: warning: exceptions[0]: the exception from * ended: 2020-01-31 (until the move)"
    assert done.stdout == f"{ended}\n{path}: can be used\n"
    record = json.loads(run("config", "check", path, "-o", "json").stdout)
    assert (record["version"], record["valid"], record["mistakes"], len(record["warnings"])) == (2, True, [], 1)
    assert (record["warnings"][0]["line"], record["warnings"][0]["field"]) == (8, "exceptions[0]")


def test_every_mistake_is_told_and_ends_with_2() -> None:
    text = HEAD + "rulez: {}\nreferences: maybe\n"
    done = run("config", "check", "-", text=text)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout == (
        "-:3:1: rulez: unknown key; did you mean rules?\n-:4:13: references: write deny, warn, audit or off, not 'maybe'\n-: 2 mistakes\n"
    )
    answered = run("config", "check", "-", "-o", "json", text=text)
    record = json.loads(answered.stdout)
    assert (answered.returncode, record["valid"]) == (2, False)
    assert record["mistakes"][0] == {
        "source": "-",
        "line": 3,
        "column": 1,
        "field": "rulez",
        "message": "unknown key; did you mean rules?",
    }


def test_a_file_that_is_not_there_is_a_mistake() -> None:
    done = run("config", "check", "/nowhere.yaml")
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        2,
        "/nowhere.yaml: no such file or directory; give a file of kind Configuration",
    )


def test_show_refuses_a_configuration_that_cannot_be_used() -> None:
    done = run("config", "show", "--config", "-", text=HEAD + "rulez: {}\n")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Error: -:3:1: rulez: unknown key; did you mean rules?\n")


TWO_ROUNDS = """\
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
exceptions:
- rules: ["*"]
  match: {}
expectedNodes:
  a:
    taints: [{key: a, effect: NoShedule}]
    allocatable: {nvidia.com/gpu: eight}
rules: {LLMKUBE-01: deny, accelerator-contradicts-vendor: deny}
enforcement: [{rules: ["*"], kinds: [Modle], action: wran}]
"""


def test_mistakes_of_form_and_of_meaning_are_listed_in_one_round(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(TWO_ROUNDS)
    done = run("config", "check", "c.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()) == (
        2,
        [
            "c.yaml:4:3: exceptions[0].reason: missing",
            "c.yaml:5:10: exceptions[0].match: means every object; to switch a rule off for all use rules or enforcement",
            "c.yaml:8:31: expectedNodes.a.taints[0].effect: write NoSchedule, PreferNoSchedule or NoExecute, not 'NoShedule'",
            "c.yaml:9:35: expectedNodes.a.allocatable.nvidia.com/gpu: 'eight' isn't an amount; write one such as 8, 500m or 64Gi",
            "c.yaml:10:9: rules.LLMKUBE-01: unknown rule; did you mean LLMKUBE-001?",
            "c.yaml:10:27: rules.accelerator-contradicts-vendor: write the id LLMKUBE-001",
            "c.yaml:11:38: enforcement[0].kinds[0]: no kind of ours; did you mean Model?",
            "c.yaml:11:54: enforcement[0].action: write deny, warn, audit or off, not 'wran'",
            "c.yaml: 8 mistakes",
        ],
    )


WITHOUT_EFFECT = """\
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
expectedNodes:
  a:
    allocatable: {gpu: 8, cpu: 4, hugepages-2Mi: 1Gi, example.com/x: 1}
expectedResources: {npus: 1}
fillIn: {resourceNames: [gpu, amd.com/gpu]}
images:
  pins: {vllm/vllm-openai: v0.9.0, vllm: v1, docker.io/a/b: v1, localhost/a: v1, "reg:5000/a": v1}
  mirrors: {ghcr: mirror.example.com}
llmkube: {version: v9.9.9}
inferenceExtension: {version: v1.1.0}
enforcement: [{rules: [OME-001], kinds: [Model], action: warn}, {rules: [OME-*], kinds: [InferenceService], action: warn}]
exceptions: [{rules: [LLMKUBE-001], match: {kinds: [AIMService]}, reason: r}]
"""


def test_settings_that_never_have_an_effect_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(WITHOUT_EFFECT)
    done = run("config", "check", "c.yaml", cwd=tmp_path)
    places = [line.split(": ")[2] for line in done.stdout.splitlines()[:-1]]
    assert (done.returncode, done.stderr, done.stdout.splitlines()[-1]) == (0, "", "c.yaml: can be used")
    assert places == [
        "expectedNodes.a.allocatable.gpu",
        "expectedResources.npus",
        "fillIn.resourceNames[0]",
        "images.pins.vllm/vllm-openai",
        "images.pins.vllm",
        "images.mirrors.ghcr",
        "llmkube.version",
        "enforcement[0].kinds",
        "exceptions[0].match.kinds",
    ]
    assert "gpu isn't a resource that a pod can request; did you mean amd.com/gpu or nvidia.com/gpu" in done.stdout
    assert "no CRDs of v9.9.9 are bundled; those of v0.9.19 are used" in done.stdout


def test_several_files_and_folders_are_checked(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(HEAD)
    (tmp_path / "two.yaml").write_text(f"{HEAD}---\n{HEAD}")
    (tmp_path / "other.yaml").write_text("kind: ConfigMap\napiVersion: v1\n")
    done = run("config", "check", "good.yaml", "two.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()) == (
        2,
        [
            "good.yaml: can be used",
            "two.yaml:4:1: a second document; the first is at line 1, and a file has one of kind Configuration",
            "two.yaml: 1 mistake",
        ],
    )
    folder = run("config", "check", str(tmp_path))
    assert (folder.returncode, "other.yaml" in folder.stdout, "good.yaml: can be used" in folder.stdout) == (2, False, True)
    (tmp_path / "empty").mkdir()
    assert run("config", "check", str(tmp_path / "empty")).returncode == 2
