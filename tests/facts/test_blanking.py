"""No secret is left in any place where a CRD may have one. The places come from the schemas, so those of a new family are tested, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path as FilePath
from typing import Any

import pytest
import yaml

from tests.facts.planting import Plant, planted, secret_texts, texts_of
from weighbridge.policies.facts.blanks import NOTHING, Needed, blanked
from weighbridge.policies.facts.credentials import BLANK
from weighbridge.policies.ground.objects import JSONObject, Path, field
from weighbridge.webhook.cluster.transform import needed

ROOT = FilePath(__file__).resolve().parents[2]
NEEDED = needed()
#: Forms of a secret in place of a name, a path or a URL.
FORMS = (
    "https://me:{}@host/path",
    "https://host/file.gguf?token={}",
    "/health?api_key={}",
    "postgres://me:{}@host/db",
    "Server=host;Password={};",
    "Bearer {}",
    "hf_{}0123456789abcdef",
    "-----BEGIN PRIVATE KEY-----\n{}",
)
_HARMLESS_MAPS = ("labels", "selector", "limits", "requests", "capacity", "overhead")


def _files(folders: Iterable[FilePath]) -> dict[str, FilePath]:
    """The files with CRDs below the folders, by their ids in tests."""
    found = (path for folder in folders for path in sorted(folder.rglob("*.yaml")))
    return {f"{path.parent.name}/{path.name}": path for path in found if "kind: CustomResourceDefinition" in path.read_text()}


BUNDLED = _files((ROOT / "policies" / "families").glob("*/crds"))
# CRDs of systems that are no families here yet.
FILES = {**BUNDLED, **_files((ROOT.parent / "shared" / "corpus").glob("*/crds*"))}
CRDS = pytest.mark.parametrize("file", FILES.values(), ids=FILES)


def _versions(file: FilePath) -> Iterator[tuple[JSONObject, Needed]]:
    """The schema of every version of the CRDs in a file, and the texts that rules read of the kind."""
    for crd in yaml.load_all(file.read_text(), yaml.CSafeLoader):
        if isinstance(crd, dict) and crd.get("kind") == "CustomResourceDefinition":
            known = NEEDED.get((crd["spec"]["group"], crd["spec"]["names"]["kind"]), NOTHING)
            yield from ((version["schema"]["openAPIV3Schema"], known) for version in crd["spec"]["versions"])


def _planted(schema: JSONObject, known: Needed, plant: Plant) -> tuple[dict[Path, str], dict[Path, str]]:
    """The texts of an object of the schema with a secret in every place, and the texts that are left."""
    found = planted(schema, plant)
    assert isinstance(found, dict)
    obj = {key: value for key, value in found.items() if key not in ("apiVersion", "kind", "metadata")}
    left, paths = blanked(obj, known, schema)
    before, after = dict(texts_of(obj)), dict(texts_of(left))
    assert before.keys() == after.keys()
    assert set(paths) == {path for path, text in before.items() if text != after[path]}, "what is blank is listed, and nothing else"
    return before, after


@CRDS
def test_no_credential_is_left_in_any_place(file: FilePath) -> None:
    numbers = count()

    def plant(_: Path) -> str:
        number = next(numbers)
        return FORMS[number % len(FORMS)].format(f"SECRET{number}")

    for schema, known in _versions(file):
        _, after = _planted(schema, known, plant)
        assert [field(path) for path, text in after.items() if "SECRET" in text] == []


def _is_struct(schema: JSONObject) -> bool:
    return "properties" in schema or "properties" in (schema.get("items") or {})


def _may_be_anything(path: Path, schema: JSONObject) -> bool:
    """Whether, by the schema or the field's name, a text may be anything: an entry of a map, an argument, a value, a message."""
    names = [step for step in path if isinstance(step, str)]
    if re.search(r"(?i)(message|prompt|template|description|details?|password|passwd|token|api_?key|keyring)$", names[-1]):
        return True
    if names[-1] == "value" and re.search(r"(?i)(env|envs|headers|sysctls)$", names[-2]):
        return True
    name = ""
    for step in path:
        if isinstance(step, int):
            schema = schema.get("items") or {}
            continue
        properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
        if step not in properties and isinstance(others, dict) and not _is_struct(others):
            return not name.lower().endswith(_HARMLESS_MAPS)
        schema = properties.get(step) or (others if isinstance(others, dict) else {})
        name = step
        if re.search(r"(?i)(args|command|annotations|headers|parameters|options)$", step) and not _is_struct(schema):
            return True
    return False


@CRDS
def test_nothing_is_left_where_a_text_may_be_anything(file: FilePath) -> None:
    for schema, known in _versions(file):
        before, after = _planted(schema, known, secret_texts())
        free = [path for path, text in before.items() if "SECRET" in text and _may_be_anything(path, schema)]
        assert [field(path) for path in free if "SECRET" in after[path] and path[-1] not in known.fields] == []


def test_the_schemas_have_places_enough() -> None:
    places = [path for file in BUNDLED.values() for schema, known in _versions(file) for path in _planted(schema, known, secret_texts())[0]]
    assert len(places) > 1000


def _left(spec: JSONObject, needed: Needed = NOTHING) -> Any:
    return blanked({"spec": spec}, needed)[0]["spec"]


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (["--api-key=x", "--api-key", "x", "-k", "x"], [f"--api-key={BLANK}", "--api-key", BLANK, "-k", BLANK]),
        (["--port", "8080", "--port=8081", "--port=x"], ["--port", "8080", "--port=8081", f"--port={BLANK}"]),
        (["--n-gpu-layers", "-1", "-ngl", "99", "--ctx-size=32k"], ["--n-gpu-layers", "-1", "-ngl", "99", "--ctx-size=32k"]),
        (
            ["--tensor-parallel-size", "8", "--flash-attn", "--model", "/m"],
            ["--tensor-parallel-size", "8", "--flash-attn", "--model", BLANK],
        ),
        (["sh", "-c", "export TOKEN=x; serve"], ["sh", "-c", BLANK]),
        (
            ["python3", "-m", "sglang.launch_server", "--host", "0.0.0.0", "x"],
            ["python3", "-m", "sglang.launch_server", "--host", "0.0.0.0", BLANK],
        ),
        (["-pSECRET", "--", "x", "", "--empty="], [BLANK, BLANK, BLANK, "", "--empty="]),
        ([1, True, "x"], [1, True, BLANK]),
        (["--api-key", "$(API_KEY)", "--api-key", "$(API_KEY)x"], ["--api-key", "$(API_KEY)", "--api-key", BLANK]),
        (["--ctx-size 4096", "--model /m"], ["--ctx-size 4096", f"--model {BLANK}"]),
    ],
)
def test_of_arguments_the_flags_stay_and_what_sizes_a_workload(given: list[Any], left: list[Any]) -> None:
    assert _left({"extraArgs": given}) == {"extraArgs": left}


def test_flags_and_variables_that_rules_read_keep_their_values_without_credentials() -> None:
    known = Needed(values=frozenset({"--url", "NAME"}))
    spec = {
        "args": ["--url=https://me:x@host", "-url", "https://host?k=x", "--other=x"],
        "env": [{"name": "NAME", "value": "kept"}, {"name": "OTHER", "value": "x"}],
    }
    assert _left(spec, known) == {
        "args": [f"--url=https://{BLANK}@host", "-url", f"https://host?k={BLANK}", f"--other={BLANK}"],
        "env": [{"name": "NAME", "value": "kept"}, {"name": "OTHER", "value": BLANK}],
    }


def test_what_places_and_sizes_a_pod_stays() -> None:
    spec = {
        "replicas": 2,
        "image": "ghcr.io/x/y:1@sha256:00",
        "nodeSelector": {"gpu": "mi300x"},
        "tolerations": [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}],
        "resources": {"limits": {"amd.com/gpu": "8", "memory": "80Gi"}},
        "affinity": {"nodeAffinity": {"terms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}]}},
        "modelRef": "llama",
        "secretKeyRef": {"name": "credentials", "key": "token"},
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}],
        "source": "hf://org/model",
    }
    assert _left(spec) == spec


def test_fields_that_nobody_has_heard_of_are_blank() -> None:
    spec = {"novelty": "x", "novelties": ["x"], "deep": {"novelty": "x", "count": 3}, "apiKey": "x", "hfToken": "x", "key": "kept"}
    assert _left(spec) == {
        "novelty": BLANK,
        "novelties": [BLANK],
        "deep": {"novelty": BLANK, "count": 3},
        "apiKey": BLANK,
        "hfToken": BLANK,
        "key": "kept",
    }
