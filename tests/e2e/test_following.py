"""The values that were filled into a service follow its Model: the warning on a change of the Model names the command that updates the
service.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.e2e.cluster import Cluster
from tests.e2e.reviews import eventually, ready
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

_CONFIGURATION = """\
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
expectedResources: {amd.com/gpu: 8, nvidia.com/gpu: 8}
"""


@pytest.fixture(scope="module")
def following(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The webhook, which follows its cluster, in which nodes with GPUs are expected."""
    config = tmp_path_factory.mktemp("following") / "config.yaml"
    config.write_text(_CONFIGURATION)
    cluster.serve(["--live", "--kubeconfig", str(cluster.plane.kubeconfig), "--config", str(config)])
    eventually(lambda: ready(cluster.webhook))
    yield cluster
    cluster.serve([])


@pytest.fixture
def namespace(following: Cluster, request: pytest.FixtureRequest) -> str:
    """A new namespace for the test, with a Model for AMD and its service, into which an image for Vulkan was filled in."""
    namespace = following.namespace(request.node.name.replace("_", "-")[:50].strip("-"))
    applied(following, model(namespace, "amd"))
    # The webhook learns of the Model a moment later.
    eventually(lambda: "vulkan" in applied(following, service(namespace), "--dry-run=server"))
    applied(following, service(namespace))
    assert "vulkan" in image(following, namespace)
    return namespace


def model(namespace: str, vendor: str) -> JSONObject:
    """A Model for one GPU."""
    spec = {"source": "https://example.com/m.gguf", "hardware": {"gpu": {"count": 1, "vendor": vendor}}}
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": "llama", "namespace": namespace},
        "spec": spec,
    }


def service(namespace: str, **spec: Any) -> JSONObject:
    """A service of the Model."""
    return {**model(namespace, ""), "kind": "InferenceService", "metadata": {"name": "chat", "namespace": namespace}} | {
        "spec": {"modelRef": "llama", **spec}
    }


def applied(cluster: Cluster, obj: JSONObject, *options: str) -> str:
    """The output of kubectl and the server for an apply."""
    done = cluster.plane.kubectl("apply", *options, "-f", "-", input=json.dumps(obj), check=True)
    return done.stdout + done.stderr


def get(cluster: Cluster, namespace: str) -> JSONObject:
    found: JSONObject = json.loads(
        cluster.plane.kubectl("get", "inferenceservices.inference.llmkube.dev/chat", "-n", namespace, "-o", "json", check=True).stdout
    )
    return found


def image(cluster: Cluster, namespace: str) -> str:
    """The service's image, empty if it names none."""
    return str(get(cluster, namespace)["spec"].get("image", ""))


def command_in(text: str) -> list[str]:
    """The arguments of the kubectl command that a warning of a stale value names."""
    found = re.search(r"WB-001\]? spec\.image.*: kubectl (.*)$", text, re.MULTILINE)
    assert found is not None, text
    return shlex.split(found[1])


def test_a_change_of_the_model_names_the_command_that_mends_its_services(following: Cluster, namespace: str) -> None:
    said = applied(following, model(namespace, "nvidia"))
    assert "vulkan" in image(following, namespace)
    eventually(lambda: _mended(following, command_in(said)))
    assert image(following, namespace) == ""
    assert KEY not in get(following, namespace)["metadata"]["annotations"]
    # Nothing is left to update.
    again = model(namespace, "nvidia")
    again["spec"]["hardware"]["gpu"]["layers"] = 10
    assert "WB-001" not in applied(following, again)


def _mended(cluster: Cluster, command: list[str]) -> bool:
    """Run the command. Returns whether it changed something, which it does once the webhook knows the new Model."""
    return "no change" not in cluster.plane.kubectl(*command, check=True).stdout


def test_any_update_of_a_service_brings_it_up_to_date(following: Cluster, namespace: str) -> None:
    applied(following, model(namespace, "nvidia"))

    def annotated() -> bool:
        following.plane.kubectl(
            "annotate", "inferenceservices.inference.llmkube.dev/chat", "-n", namespace, "a=b", "--overwrite", check=True
        )
        return image(following, namespace) == ""

    eventually(annotated)


def test_an_image_that_was_changed_since_is_its_authors(following: Cluster, namespace: str) -> None:
    applied(following, service(namespace, image="example.com/mine:v1"))
    assert KEY not in get(following, namespace)["metadata"]["annotations"]
    assert "WB-001" not in applied(following, model(namespace, "nvidia"))
    following.plane.kubectl("label", "inferenceservices.inference.llmkube.dev/chat", "-n", namespace, "a=b", check=True)
    assert image(following, namespace) == "example.com/mine:v1"


def test_the_command_line_tells_of_stale_values_by_a_snapshot(following: Cluster, namespace: str, tmp_path: Path) -> None:
    snapshot, manifest = tmp_path / "cluster.json", tmp_path / "service.json"
    manifest.write_text(json.dumps(service(namespace)))
    take = ("snapshot", "--kubeconfig", str(following.plane.kubeconfig), "-o", "json", "--file", str(snapshot))
    judge = (str(manifest), "--cluster", str(snapshot))
    assert run(*take).returncode == 0
    assert "WB-001" not in run("lint", *judge).stdout
    turned = tmp_path / "model.json"
    turned.write_text(json.dumps(model(namespace, "nvidia")))
    assert command_in(run("lint", str(turned), "--cluster", str(snapshot), "-o", "text").stdout)
    applied(following, model(namespace, "nvidia"))
    assert run(*take).returncode == 0
    assert command_in(run("lint", *judge).stdout)[0] == "patch"
    assert "WB-001" in run("dry-run", *judge, "-o", "jsonl").stdout
