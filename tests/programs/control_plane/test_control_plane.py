"""The control plane that other tests use is the real one, is isolated, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.programs.control_plane import plane as plane_module
from tests.programs.control_plane.build import ASSETS_VARIABLE, Assets, etcd_version, kubernetes_version
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.processes import StartError, free_ports

if TYPE_CHECKING:
    from tests.programs.control_plane.fixtures import StartControlPlane

pytest_plugins = ["tests.programs.control_plane.fixtures"]
pytestmark = pytest.mark.control_plane

REPOSITORY = Path(__file__).resolve().parents[3]
BRIDGES = Path(__file__).with_name("bridges.yaml")
WAIT_SECONDS = 30.0

own_build = pytest.mark.skipif(ASSETS_VARIABLE in os.environ, reason=f"{ASSETS_VARIABLE} may hold other versions")


@pytest.fixture
def namespace(control_plane: ControlPlane) -> str:
    """A namespace for one test, which stays: with no namespace controller it couldn't be deleted."""
    name = f"test-{secrets.token_hex(4)}"
    control_plane.kubectl("create", "namespace", name, check=True)
    return name


def wait_for(condition: Callable[[], bool]) -> None:
    """Returns once the condition holds, and fails the test if it never does."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.1)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie doesn't."""
    answer = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(answer.stdout.strip()) and not answer.stdout.startswith("Z")


def node(name: str, cpu: str) -> dict[str, Any]:
    resources = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "status": {"capacity": resources, "allocatable": resources},
    }


def pod(name: str, cpu: str, node_name: str) -> dict[str, Any]:
    container = {"name": "main", "image": "example.invalid/none", "resources": {"requests": {"cpu": cpu}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"nodeSelector": {"bridge": node_name}, "containers": [container]},
    }


def test_etcd_and_the_api_server_come_up(control_plane: ControlPlane) -> None:
    assert {"etcd", "kube-apiserver"} <= control_plane.pids.keys()
    assert control_plane.answers_ok("/readyz")
    user = json.loads(control_plane.kubectl("auth", "whoami", "-o", "json", check=True).stdout)["status"]["userInfo"]
    assert (user["username"], "system:masters" in user["groups"]) == ("admin", True)


@own_build
def test_client_and_server_say_the_version_that_was_asked_for(control_plane: ControlPlane) -> None:
    versions = json.loads(control_plane.kubectl("version", "-o", "json", check=True).stdout)
    for side in ("clientVersion", "serverVersion"):
        assert versions[side]["gitVersion"] == f"v{kubernetes_version()}"
        assert f"{versions[side]['major']}.{versions[side]['minor']}." in f"{kubernetes_version()}."


@own_build
def test_etcd_says_the_version_that_was_asked_for(control_plane_assets: Assets) -> None:
    answer = subprocess.run([control_plane_assets["etcd"], "--version"], capture_output=True, text=True, check=True)
    assert f"etcd Version: {etcd_version()}" in answer.stdout.splitlines()


def test_a_custom_resource_is_served_with_its_schema(control_plane: ControlPlane, namespace: str) -> None:
    assert install_crds(control_plane, BRIDGES) == ["bridges.test.weighbridge.dev"]
    bridge = {
        "apiVersion": "test.weighbridge.dev/v1",
        "kind": "Bridge",
        "metadata": {"name": "toll", "namespace": namespace},
        "spec": {"tonnes": 80},
    }
    control_plane.kubectl("create", "-f", "-", input=json.dumps(bridge), check=True)
    stored = control_plane.kubectl("get", "bridge", "toll", "-n", namespace, "-o", "json", check=True)
    assert json.loads(stored.stdout)["spec"] == {"lanes": 2, "tonnes": 80}

    bridge["spec"] = {"tonnes": 81}
    refused = control_plane.kubectl("replace", "-f", "-", input=json.dumps(bridge))
    assert refused.returncode == 1
    assert "a lane bears 40 tonnes" in refused.stderr


def test_what_is_not_a_definition_is_not_installed(control_plane: ControlPlane, tmp_path: Path) -> None:
    manifest = tmp_path / "namespace.yaml"
    manifest.write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: stray}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"namespace\.yaml holds something other"):
        install_crds(control_plane, manifest)
    assert control_plane.kubectl("get", "namespace", "stray").returncode == 1


def test_why_a_definition_is_not_served_is_in_the_error(start_control_plane: StartControlPlane, tmp_path: Path) -> None:
    plane, rival = start_control_plane(), tmp_path / "spans.yaml"
    install_crds(plane, BRIDGES)
    # A second plural for the same kind: the definition is stored, but its names aren't accepted.
    rival.write_text(BRIDGES.read_text(encoding="utf-8").replace("bridges", "spans"), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"spans\.test\.weighbridge\.dev: .*already in use.*NamesAccepted"):
        install_crds(plane, rival, timeout=1)


def test_data_outlive_a_restart_of_the_api_server(start_control_plane: StartControlPlane) -> None:
    plane = start_control_plane()
    plane.kubectl("create", "configmap", "kept", "--from-literal=weight=40t", check=True)
    before, server = plane.pids, plane.server
    plane.restart_apiserver()
    assert plane.pids["etcd"] == before["etcd"]
    assert plane.pids["kube-apiserver"] != before["kube-apiserver"]
    assert plane.server == server
    kept = plane.kubectl("get", "configmap", "kept", "-o", "jsonpath={.data.weight}", check=True)
    assert kept.stdout == "40t"


def test_the_scheduler_binds_what_fits_and_explains_what_does_not(scheduling_control_plane: ControlPlane, namespace: str) -> None:
    plane, name = scheduling_control_plane, f"node-{namespace}"
    plane.kubectl("create", "-f", "-", input=json.dumps(node(name, cpu="4")), check=True)
    plane.kubectl("label", "node", name, f"bridge={name}", check=True)
    plane.kubectl("taint", "node", name, "node.kubernetes.io/not-ready-", check=True)
    for pod_name, cpu in (("light", "1"), ("heavy", "5")):
        manifest = json.dumps(pod(pod_name, cpu, name))
        plane.kubectl("create", "-n", namespace, "-f", "-", input=manifest, check=True)

    def read(pod_name: str, path: str) -> str:
        return plane.kubectl("get", "pod", pod_name, "-n", namespace, "-o", f"jsonpath={path}", check=True).stdout

    message = '{.status.conditions[?(@.type=="PodScheduled")].message}'
    try:
        wait_for(lambda: read("light", "{.spec.nodeName}") == name)
        wait_for(lambda: "1 Insufficient cpu" in read("heavy", message))
        assert read("heavy", "{.spec.nodeName}") == ""
    finally:
        plane.kubectl("delete", "node", name, check=True)


def test_two_planes_do_not_disturb_each_other(start_control_plane: StartControlPlane) -> None:
    first, second = start_control_plane(), start_control_plane()
    first.kubectl("create", "configmap", "mine", check=True)
    assert second.kubectl("get", "configmap", "mine").returncode == 1
    stranger = second.kubectl("get", "configmap", f"--token={first.admin_token}")
    assert "Unauthorized" in stranger.stderr

    second.stop()
    assert set(first.pids) == {"etcd", "kube-apiserver"}
    assert first.kubectl("get", "configmap", "mine").returncode == 0


def test_other_users_may_do_what_they_were_granted(start_control_plane: StartControlPlane) -> None:
    plane = start_control_plane(users=[User("ada", ("weighers",))])
    refused = plane.kubectl("get", "configmaps", "--context=ada")
    assert 'User "ada" cannot list resource "configmaps"' in refused.stderr
    # A new role, since the permissions of "view" are aggregated by a controller that doesn't run here.
    plane.kubectl("create", "role", "reader", "--verb=list", "--resource=configmaps", check=True)
    plane.kubectl("create", "rolebinding", "weighers", "--role=reader", "--group=weighers", check=True)
    wait_for(lambda: plane.kubectl("get", "configmaps", "--context=ada").returncode == 0)


def test_more_flags_reach_the_api_server(start_control_plane: StartControlPlane) -> None:
    plane = start_control_plane(apiserver_flags=["--disable-admission-plugins=NamespaceLifecycle"])
    # Without this plugin nothing checks whether the namespace exists.
    plane.kubectl("create", "configmap", "stray", "--namespace=nowhere", check=True)


def test_what_stops_a_program_is_in_the_error(start_control_plane: StartControlPlane) -> None:
    with pytest.raises(StartError, match=r"kube-apiserver ended with exit code 1;[^$]*unknown flag: --no-such-flag"):
        start_control_plane(apiserver_flags=["--no-such-flag"])


@pytest.mark.parametrize("taken", [0, 2], ids=["etcd", "kube-apiserver"])
def test_a_port_that_was_taken_meanwhile_is_replaced(
    start_control_plane: StartControlPlane, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    drawn: list[list[int]] = []

    def draw(count: int) -> list[int]:
        ports = free_ports(count)
        if not drawn:
            ports[taken] = listener.getsockname()[1]
        drawn.append(ports)
        return ports

    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(plane_module, "free_ports", draw)
        plane = start_control_plane()
        assert len(drawn) == 2
        assert plane.server == f"https://127.0.0.1:{drawn[1][2]}"


def test_stop_leaves_neither_process_nor_file(start_control_plane: StartControlPlane) -> None:
    plane = start_control_plane()
    pids, directory = plane.pids, plane.directory
    assert len(pids) == 2
    plane.stop()
    plane.stop()
    assert plane.pids == {}
    assert not [pid for pid in pids.values() if is_alive(pid)]
    assert not directory.exists()


def test_a_killed_test_process_leaves_neither_process_nor_file(control_plane_assets: Assets) -> None:
    script = (
        "import json, time\n"
        "from tests.programs.control_plane.build import find_assets\n"
        "from tests.programs.control_plane.plane import ControlPlane\n"
        "plane = ControlPlane(find_assets())\n"
        "plane.start()\n"
        "print(json.dumps([plane.pids, str(plane.directory)]), flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pids, directory = json.loads(process.stdout.readline())
        assert len(pids) == 2
        assert all(is_alive(pid) for pid in pids.values())
        process.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(is_alive(pid) for pid in pids.values()))
    wait_for(lambda: not Path(directory).exists())
