"""The commands of docs/installation.md, word for word: from an empty control plane to a webhook in mode deny, and back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.e2e.process import WEIGHBRIDGE
from tests.installation.pods import APISERVER_FLAGS, NAMESPACE, Pod, ca_bundles, own_address
from tests.installation.prometheus import fires
from tests.installation.test_install import ALERT, until
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane

pytestmark = [pytest.mark.control_plane, pytest.mark.skipif(not own_address(), reason="endpoints need an address that isn't loopback")]

_TEXT = (ROOT / "docs" / "installation.md").read_text()
_COMMANDS = [line for block in re.findall(r"```sh[^\n]*\n(.*?)```", _TEXT, re.DOTALL) for line in block.splitlines()]
_ROLLED_OUT = {"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2}


class Cluster:
    """A control plane and the work of the controllers that it lacks, which is done between the commands."""

    def __init__(self, plane: ControlPlane, assets: Assets, directory: Path) -> None:
        self.plane = plane
        self._directory = directory
        self._pods: list[Pod] = []
        path = f"{assets.folder}:{Path(WEIGHBRIDGE).parent}:{os.environ['PATH']}"
        self._environ = {"PATH": path, "HOME": str(directory), "KUBECONFIG": str(plane.kubeconfig)}

    def run(self, command: str) -> str:
        """Run one line of the documentation. Returns its output."""

        wanted = re.search(r"exit code (\d)", command)
        done = subprocess.run(command, shell=True, cwd=ROOT, env=self._environ, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == (int(wanted[1]) if wanted else 0), f"{command}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def start_pods(self) -> None:
        """Start the pods of the Deployment, and write its status."""
        self._pods = [Pod(self.plane, self._directory / name, name) for name in "ab"]
        patch = json.dumps({"status": _ROLLED_OUT})
        self.plane.kubectl(
            "patch", "deployment", "weighbridge", "-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", patch, check=True
        )

    def stop_pods(self) -> None:
        """Stop the pods, as in an outage of all their nodes."""
        for pod in self._pods:
            pod.stop()
        self._pods = []

    def refresh(self) -> None:
        """Update the pods' files from the ConfigMap."""
        for pod in self._pods:
            pod.refresh_configuration()

    def refuses(self) -> bool:
        """Whether the example is refused."""
        example = str(ROOT / "docs" / "examples" / "incomplete.yaml")
        return self.plane.kubectl("create", "--dry-run=server", "-f", example).returncode != 0

    def metrics_of_webhooks(self) -> list[str]:
        """The API server's metrics on webhooks."""
        text = self.plane.kubectl("get", "--raw", "/metrics", check=True).stdout
        return ["".join(f"{line}\n" for line in text.splitlines() if "apiserver_admission_webhook_" in line)]

    def finalize_namespace(self) -> None:
        """Do the work of the namespace controller when the namespace is deleted."""

        def is_going() -> bool:
            found = self.plane.kubectl("get", "namespace", NAMESPACE, "-o", "jsonpath={.status.phase}")
            return found.stdout == "Terminating"

        until(is_going, "the namespace isn't deleted")
        namespace = json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}, "spec": {"finalizers": []}})
        self.plane.kubectl("replace", "--raw", f"/api/v1/namespaces/{NAMESPACE}/finalize", "-f", "-", input=namespace, check=True)


@pytest.fixture
def cluster(control_plane_assets: Assets, tmp_path: Path) -> Iterator[Cluster]:
    """An empty control plane with the CRDs that the example needs."""
    with ControlPlane(control_plane_assets, apiserver_flags=APISERVER_FLAGS) as plane:
        install_crds(plane, *(path for path in crd_files(tmp_path) if "models" in path.name))
        cluster = Cluster(plane, control_plane_assets, tmp_path)
        try:
            yield cluster
        finally:
            cluster.stop_pods()


@pytest.mark.timeout(400)
def test_the_commands_lead_from_an_empty_cluster_to_deny_and_back(cluster: Cluster, promql: Path) -> None:
    install, rolled_out, registered, warned, audit, deny, refused, break_glass, restore, uninstall = _COMMANDS
    cluster.run(install)
    cluster.start_pods()
    cluster.run(rolled_out)
    cluster.run(registered)

    assert "in mode deny it would refuse this" in cluster.run(warned)
    assert "objects: mode deny would refuse 0 as they are" in cluster.run(audit)

    cluster.run(deny)
    cluster.refresh()
    # Each of the two pods answers about half of the requests, and they read the configuration at different times.
    until(lambda: all(cluster.refuses() for _ in range(10)), "it doesn't refuse")
    assert "LLMKUBE-009" in cluster.run(refused)

    cluster.stop_pods()
    assert cluster.refuses(), "deny without a replica refuses"
    before = cluster.metrics_of_webhooks()
    assert cluster.refuses()
    assert fires(promql, ALERT["WeighbridgeCallsFail"], before, cluster.metrics_of_webhooks(), time.time())
    cluster.run(break_glass)
    until(lambda: not cluster.refuses(), "it is still refused")

    cluster.run(restore)
    cluster.start_pods()
    until(lambda: "" not in ca_bundles(cluster.plane), "nothing is registered")
    until(lambda: "LLMKUBE-009" in cluster.run(refused), "it isn't refused by the rule")

    finalizing = threading.Thread(target=cluster.finalize_namespace)
    finalizing.start()
    cluster.run(uninstall)
    finalizing.join()
    until(lambda: not cluster.refuses(), "it is still refused")
    left = cluster.plane.kubectl(
        "get", "clusterrole,clusterrolebinding,mutatingwebhookconfiguration,validatingwebhookconfiguration", "-o", "name"
    )
    assert not [line for line in left.stdout.splitlines() if "weighbridge" in line]
