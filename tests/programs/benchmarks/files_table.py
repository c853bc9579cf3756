"""The cost of linting many files of every bundled kind, compared with kubeconform or with only reading their YAML.

``KUBECONFORM`` names a binary of kubeconform (``go install github.com/yannh/kubeconform/cmd/kubeconform``), which is given the JSON
schemas of the bundled CRDs. It is run as it comes, and with one goroutine, since several of them compile the same schema several times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import yaml

from tests.programs.benchmarks.many_files import write_files
from tests.programs.benchmarks.timing import children_time
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_FILES: Final = 2000
#: A run is so long that a single one can be timed.
_ROUNDS: Final = 3
_FAMILIES: Final = Path(__file__).parents[3] / "policies" / "families"
_READ: Final = """\
import sys, yaml
from pathlib import Path
for path in Path(sys.argv[1]).rglob("*.yaml"):
    list(yaml.load_all(path.read_bytes(), Loader=yaml.CSafeLoader))
"""


def main() -> None:
    """Print the table."""
    weighbridge = str(Path(sys.executable).with_name("weighbridge"))
    with tempfile.TemporaryDirectory() as held:
        folder, cache = Path(held, "files"), Path(held, "cache")
        folder.mkdir()
        kinds = write_files(folder, _FILES)
        ways = dict(_references(Path(held), folder))
        environment = {**os.environ, "WEIGHBRIDGE_CACHE": str(cache)}
        cache.mkdir()
        # A file in place of the folder of answers, so that no run can use an earlier answer.
        (cache / "runs").touch()
        lint = [weighbridge, "lint", str(folder), "--jobs"]
        first = _seconds(partial(_run, [*lint, "1"], environment))
        for jobs in ("1", "2", "4"):
            ways[f"lint --jobs {jobs}, schemas compiled before"] = partial(_run, [*lint, jobs], environment)
        kept = {**os.environ, "WEIGHBRIDGE_CACHE": str(Path(held, "kept"))}
        _run([*lint, "1"], kept)
        ways["lint --jobs 1, nothing changed since"] = partial(_run, [*lint, "1"], kept)
        rounds = [{name: _seconds(way) for name, way in ways.items()} for _ in range(_ROUNDS)]
    timings = {name: min(taken[name] for taken in rounds) for name in ways}
    base = next(iter(timings.values()))
    print(f"{_FILES} files of {kinds} kinds, CPU time of all processes")
    for name, seconds in {**timings, "lint --jobs 1, nothing compiled before": first}.items():
        print(f"  {name:44} {seconds * 1e3:9.1f} ms  {seconds / base:7.2f}")


def _seconds(way: Callable[[], None]) -> float:
    start = children_time()
    way()
    return children_time() - start


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)


def _references(held: Path, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The commands to compare with, of which the first is 1."""
    if kubeconform := os.environ.get("KUBECONFORM"):
        schemas = held / "schemas"
        schemas.mkdir()
        write_schemas(schemas)
        command = [kubeconform, "-schema-location", f"{schemas}/{{{{.Group}}}}_{{{{.ResourceKind}}}}_{{{{.ResourceAPIVersion}}}}.json"]
        yield "kubeconform -n 1", partial(_run, [*command, "-n", "1", str(folder)])
        yield "kubeconform", partial(_run, [*command, str(folder)])
    yield "reading the YAML with libyaml", partial(_run, [sys.executable, "-c", _READ, str(folder)])


def write_schemas(folder: Path) -> None:
    """Write the JSON schemas of the bundled CRDs, one for each kind and version."""
    for path in sorted(_FAMILIES.glob("*/crds/**/*.yaml")):
        for crd in yaml.load_all(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
            spec = crd["spec"]
            for version in spec["versions"]:
                schema = _json_schema(version["schema"]["openAPIV3Schema"])
                common: JSONObject = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
                schema["properties"] = {**schema.get("properties", {}), **common}
                name = f"{spec['group']}_{spec['names']['kind'].lower()}_{version['name']}.json"
                (folder / name).write_text(json.dumps(schema), encoding="utf-8")


def _json_schema(schema: JSONObject) -> JSONObject:
    """A structural schema as JSON Schema: without Kubernetes' own keywords, and closed if it names its fields."""
    if schema.get("x-kubernetes-int-or-string") is True:
        return {"oneOf": [{"type": "string"}, {"type": "integer"}]}
    out: JSONObject = {key: _inner(key, value) for key, value in schema.items() if not key.startswith("x-kubernetes-")}
    if "properties" in out and "additionalProperties" not in out and not schema.get("x-kubernetes-preserve-unknown-fields"):
        out["additionalProperties"] = False
    return out


def _inner(keyword: str, value: JSONValue) -> JSONValue:
    if keyword in {"properties", "patternProperties"}:
        return {name: _json_schema(inner) for name, inner in value.items()}
    if keyword in {"items", "not", "additionalProperties"} and isinstance(value, dict):
        return _json_schema(value)
    if keyword in {"allOf", "anyOf", "oneOf"}:
        inner: Sequence[JSONObject] = value
        # A schema that only narrows another one doesn't name all fields.
        return [_narrowing(part) for part in inner]
    return value


def _narrowing(schema: JSONObject) -> JSONObject:
    return {key: value for key, value in schema.items() if not key.startswith("x-kubernetes-")}
