"""`lint --changed-since`: judges the changed objects, and reports the others that the change breaks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

import pytest
import yaml

from tests.cli.test_fit import deployment, node, write
from tests.command_line import run

MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: ai}
spec: {source: hf://org/m, files: [m.gguf]}
"""
SERVICE: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s, namespace: ai}
spec: {modelRef: m, replicas: 1}
"""
#: An object that is refused with any other objects.
WRONG: Final = MODEL.replace("name: m,", "name: wrong,").replace("hf://org/m, files: [m.gguf]", "pvc://models")
ENVIRONMENT: Final = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Repository(NamedTuple):
    """A folder under Git."""

    folder: Path

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.folder, env=ENVIRONMENT, check=True, capture_output=True)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "more")

    def found(self, *arguments: str, since: str = "main", text: str = "") -> list[tuple[str, str]]:
        """The rules with findings, each with the object."""
        paths = arguments or (".",)
        done = run("lint", *paths, "--changed-since", since, "-o", "json", cwd=self.folder, text=text)
        assert done.stderr == ""
        results = json.loads(done.stdout)["results"]
        return [(finding["rule"], result["object"]) for result in results for finding in result["findings"]]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """On main there are a model, its service, and a wrong object; a branch begins there."""
    made = Repository(tmp_path / "repo")
    made.folder.mkdir()
    made.git("init", "-q", "-b", "main")
    made.write(models__m=MODEL, models__wrong=WRONG, services__s=SERVICE)
    made.commit()
    made.git("checkout", "-q", "-b", "change")
    return made


def test_what_has_not_changed_is_not_told(repository: Repository) -> None:
    assert ("LLMKUBE-009", "Model ai/wrong") in [
        (finding["rule"], result["object"])
        for result in json.loads(run("lint", ".", "-o", "json", cwd=repository.folder).stdout)["results"]
        for finding in result["findings"]
    ]
    assert repository.found() == []
    assert run("lint", ".", "--changed-since", "main", cwd=repository.folder).returncode == 0


@pytest.mark.parametrize("is_committed", [True, False], ids=["committed", "in the working tree"])
def test_an_object_that_has_changed_is_judged_whole(repository: Repository, is_committed: bool) -> None:
    repository.write(models__wrong=WRONG + "# another line\n", models__other=WRONG.replace("wrong", "other"))
    if is_committed:
        repository.commit()
    # A comment changes no object.
    assert repository.found() == [("LLMKUBE-009", "Model ai/other")]


def test_a_service_is_told_what_became_of_its_model(repository: Repository) -> None:
    repository.write(models__m=MODEL.replace(", files: [m.gguf]", ""))
    assert repository.found() == [("LLMKUBE-052", "InferenceService ai/s")]
    done = run("lint", ".", "--changed-since", "main", cwd=repository.folder)
    assert done.returncode == 1
    assert "(this object hasn't changed, another one has)" in done.stdout


def test_what_was_wrong_with_a_service_before_is_not_told_again(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    repository.write(models__m=MODEL.replace(", files: [m.gguf]", ""))
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    repository.write(models__m=MODEL.replace(", files: [m.gguf]", "").replace("spec: {", "spec: {refreshPolicy: IfNotPresent, "))
    assert repository.found() == []


def test_a_deleted_file_is_missed_by_those_who_refer_to_it(repository: Repository) -> None:
    (repository.folder / "models/m.yaml").unlink()
    assert repository.found() == [("LLMKUBE-047", "InferenceService ai/s")]
    repository.commit()
    assert repository.found() == [("LLMKUBE-047", "InferenceService ai/s")]


_PAIRS: Final = {
    "AIM-002": (
        """\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMModel
metadata: {name: phi, namespace: ai}
spec: {image: "registry.example/phi:1"}
""",
        """\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMService
metadata: {name: chat, namespace: ai}
spec: {model: {name: phi}}
""",
    ),
    "LLMAZ-024": (
        """\
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: phi}
spec: {familyName: phi, source: {modelHub: {modelID: org/phi}}}
""",
        """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: chat, namespace: ai}
spec: {replicas: 1, modelClaim: {modelName: phi}}
""",
    ),
    "OME-001": (
        """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: phi}
spec: {modelFormat: {name: safetensors}, storage: {storageUri: "hf://org/phi", path: /models/phi}}
""",
        """\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: ai}
spec: {engine: {minReplicas: 1, runner: {name: r, image: "x:1"}}, model: {name: phi, kind: ClusterBaseModel}}
""",
    ),
    "GIE-002": (
        """\
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: phi, namespace: ai}
spec: {selector: {matchLabels: {app: phi}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: epp, port: {number: 9002}}}
""",
        """\
apiVersion: inference.networking.x-k8s.io/v1alpha2
kind: InferenceObjective
metadata: {name: chat, namespace: ai}
spec: {priority: 1, poolRef: {name: phi, group: inference.networking.k8s.io}}
""",
    ),
}


@pytest.mark.parametrize(("rule", "texts"), _PAIRS.items(), ids=_PAIRS)
def test_each_family_misses_what_is_deleted(repository: Repository, rule: str, texts: tuple[str, str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.write(target=texts[0], by_name=texts[1], by_another=texts[1].replace("name: chat", "name: else").replace("phi", "elsewhere"))
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    assert repository.found() == []
    (repository.folder / "target.yaml").unlink()
    ((found, name),) = repository.found()
    assert (found, name.split()[-1]) == (rule, "ai/chat")


def test_of_the_same_object_in_two_files_the_same_counts_now_and_then(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    repository.write(a__m=MODEL, models__m=MODEL.replace(", files: [m.gguf]", ""), other=MODEL.replace("name: m,", "name: o,"))
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    # The changed file comes first, and the service depends on the other one.
    repository.write(a__m=MODEL.replace("spec: {", "spec: {refreshPolicy: IfNotPresent, "))
    assert repository.found() == []


def test_a_finding_in_other_words_is_not_new(repository: Repository) -> None:
    image = "apiVersion: aim.eai.amd.com/v1alpha1\nkind: AIMModel\nmetadata: {name: NAME, namespace: ai}\nspec: {image: 'r.example/x:1'}\n"
    repository.git("checkout", "-q", "main")
    repository.write(a=image.replace("NAME", "a"), b=image.replace("NAME", "b"))
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    repository.write(c=image.replace("NAME", "c"))
    assert repository.found() == [("AIM-050", "AIMModel ai/c")]


def test_settings_say_which_namespace_a_file_is_of(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    overrides = "".join(f"- {{paths: [{name}], namespace: {name}}}\n" for name in ("east", "west"))
    repository.write(weighbridge=f"overrides:\n{overrides}")
    for folder in ("east", "west"):
        texts = {"m": MODEL, "s": SERVICE}
        repository.write(**{f"{folder}__{name}": text.replace(", namespace: ai", "") for name, text in texts.items()})
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    (repository.folder / "east/m.yaml").unlink()
    done = run("lint", ".", "--changed-since", "main", "-o", "concise", cwd=repository.folder)
    assert [line.split()[0] for line in done.stdout.splitlines() if "LLMKUBE-047" in line] == ["east/s.yaml:4:18:"]
    assert "west" not in done.stdout


def test_a_node_that_goes_leaves_pods_without_one(repository: Repository) -> None:
    node = """\
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {nvidia.com/gpu.product: NVIDIA-L4}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "COUNT"}}
"""
    repository.git("checkout", "-q", "main")
    gpu = MODEL.replace("files: [m.gguf]", "files: [m.gguf], hardware: {gpu: {count: 2, vendor: nvidia}}")
    repository.write(node=node.replace("COUNT", "4"), models__m=gpu)
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    repository.write(node=node.replace("COUNT", "1"))
    assert ("LLMKUBE-008", "Model ai/m") in repository.found()


def test_a_changed_service_misses_a_deleted_model_too_but_no_other(repository: Repository) -> None:
    (repository.folder / "models/m.yaml").unlink()
    elsewhere = SERVICE.replace("name: s,", "name: e,").replace("modelRef: m", "modelRef: of-another-repository")
    repository.write(services__s=SERVICE.replace("replicas: 1", "replicas: 2"), services__e=elsewhere)
    assert repository.found() == [("LLMKUBE-047", "InferenceService ai/s")]


def test_a_file_that_has_moved_is_the_same(repository: Repository) -> None:
    repository.git("mv", "models/m.yaml", "services/moved.yaml")
    assert repository.found() == []


def test_of_many_objects_in_a_file_those_that_changed_are_judged(repository: Repository) -> None:
    many = [WRONG.replace("wrong", f"w{number}") for number in range(5)]
    repository.git("checkout", "-q", "main")
    repository.write(many="---\n".join(many))
    repository.commit()
    repository.git("checkout", "-q", "-B", "change")
    many[3] = many[3].replace("pvc://models", "pvc://other")
    repository.write(many="---\n".join(many))
    assert repository.found() == [("LLMKUBE-009", "Model ai/w3")]


def test_a_branch_is_compared_with_where_it_began(repository: Repository) -> None:
    repository.write(models__other=MODEL.replace("name: m", "name: other"))
    repository.commit()
    repository.git("checkout", "-q", "main")
    (repository.folder / "services/s.yaml").unlink()
    repository.write(models__wrong=WRONG.replace("pvc://models", "hf://org/w"))
    repository.commit()
    repository.git("checkout", "-q", "change")
    assert repository.found() == []


def test_files_that_git_does_not_follow_are_judged(repository: Repository) -> None:
    (repository.folder / ".gitignore").write_text("rendered.yaml\n")
    repository.write(rendered=WRONG)
    assert repository.found("rendered.yaml") == [("LLMKUBE-009", "Model ai/wrong")]
    assert repository.found("-", text=WRONG) == [("LLMKUBE-009", "Model ai/wrong")]


def test_the_rest_of_the_repository_may_be_context(repository: Repository) -> None:
    repository.write(services__s=SERVICE.replace("replicas: 1", "replicas: 2"), models__m=MODEL.replace(", files: [m.gguf]", ""))
    assert repository.found("services", "--context", ".") == [("LLMKUBE-052", "InferenceService ai/s")]
    assert repository.found("services") == []


def test_an_unreadable_file_counts_only_if_it_has_changed(repository: Repository) -> None:
    repository.write(broken="a: [\n")
    done = run("lint", ".", "--changed-since", "HEAD", cwd=repository.folder)
    assert (done.returncode, "broken.yaml:1:5: error: " in done.stdout) == (2, True)
    repository.commit()
    assert run("lint", ".", "--changed-since", "HEAD", cwd=repository.folder).returncode == 0


def test_odd_names_are_names(repository: Repository) -> None:
    name = 'é "quoted"\n--option.yaml'
    (repository.folder / name).write_text(WRONG.replace("wrong", "odd"))
    repository.commit()
    assert repository.found() == [("LLMKUBE-009", "Model ai/odd")]
    assert repository.found(since="HEAD") == []


def test_another_folder_may_be_the_working_folder(repository: Repository, tmp_path: Path) -> None:
    repository.write(models__other=WRONG.replace("wrong", "other"))
    done = run("lint", "repo/models", "--changed-since", "main", "-o", "concise", cwd=tmp_path)
    assert done.stdout.startswith("repo/models/other.yaml:4:")
    assert "wrong.yaml" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((".", "--changed-since", "nothing"), "--changed-since nothing: no such branch, tag or commit here; fetch it first"),
        ((".", "--changed-since=--all"), "--changed-since --all: no such branch, tag or commit here"),
        ((".", "--changed-since", "main", "--write-baseline", "b"), "--write-baseline and --changed-since can't be given together"),
        ((".", "--stdin-filename", "a.yaml"), "--stdin-filename a.yaml needs - among the paths"),
        ((".", "--context", "absent"), "--context absent: no such file or folder"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_cannot_be_asked_is_one_error(repository: Repository, arguments: tuple[str, ...], said: str) -> None:
    done = run("lint", *arguments, cwd=repository.folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: {said}")
    assert done.stderr.count("\n") == 1


def test_a_folder_without_git_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    done = run("lint", "m.yaml", "--changed-since", "main", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "Error: --changed-since main: . is in no Git repository\n")


def test_a_branch_of_another_history_is_one_error(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "other")
    repository.write(another=MODEL)
    repository.commit()
    done = run("lint", ".", "--changed-since", "main", cwd=repository.folder)
    assert (done.returncode, "no commit in common" in done.stderr) == (2, True)


def test_without_the_program_git_it_says_so(repository: Repository) -> None:
    done = run("lint", ".", "--changed-since", "main", cwd=repository.folder, env={"PATH": ""})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "asks the program git, which can't be run" in done.stderr


def test_several_processes_say_the_same(repository: Repository) -> None:
    repository.write(models__m=MODEL.replace(", files: [m.gguf]", ""), models__other=WRONG.replace("wrong", "other"))
    one, two = (run("lint", ".", "--changed-since", "main", "-j", jobs, cwd=repository.folder).stdout for jobs in "12")
    assert one == two
    assert "LLMKUBE-052" in one


def test_what_has_not_changed_and_is_not_judged_is_known(repository: Repository) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: ai}\nspec: {hard: {requests.nvidia.com/gpu: 1}}\n"
    repository.write(quota=quota, models__m=f"{MODEL.rstrip()[:-1]}, hardware: {{accelerator: cuda, gpu: {{enabled: true, count: 1}}}}}}\n")
    repository.commit()
    repository.write(services__s=SERVICE.replace("replicas: 1", "replicas: 2"))
    assert ("LLMKUBE-174", "InferenceService ai/s") in repository.found(since="HEAD")


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        # The one that has changed comes last by name.
        ({"a": 6, "b": 2}, {"b": 4}, ["Deployment ai/b"]),
        # An unchanged service lacks room because of a changed one.
        ({"a": 2, "b": 6}, {"a": 4}, ["Deployment ai/b"]),
        # Two unchanged services lack room even without the change.
        ({"a": 6, "b": 6, "c": 1}, {"c": 2}, []),
        ({"a": 6, "b": 6, "c": 1}, {"c": 4}, ["Deployment ai/c"]),
        ({"a": 4, "b": 2}, {"b": 4}, []),
    ],
)
def test_what_has_changed_is_placed_with_what_has_not(
    repository: Repository, before: dict[str, int], after: dict[str, int], named: list[str]
) -> None:
    repository.write(**{name: yaml.safe_dump(deployment(name, gpus)) for name, gpus in before.items()})
    repository.commit()
    repository.write(**{name: yaml.safe_dump(deployment(name, gpus)) for name, gpus in after.items()})
    cluster = write(repository.folder.parent / "cluster.yaml", node("gpus", 8))
    found = repository.found(".", "--cluster", cluster, since="HEAD")
    assert found == [("PLACE-003", name) for name in named]
    done = run("lint", ".", "--cluster", cluster, "--changed-since", "HEAD", cwd=repository.folder)
    unchanged = [name for name in named if name.rpartition("/")[2] not in after]
    assert ("(this object hasn't changed, another one has)" in done.stdout) is bool(unchanged)
