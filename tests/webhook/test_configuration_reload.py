"""A running server uses a changed configuration without a restart and without losing a call."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import orjson
import pytest

from tests.webhook.serving import Server, ask, serving, wait_for

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
MODEL = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "m", "namespace": "team-a"},
    "spec": {"source": "https://example.com/m.gguf", "hardware": {"accelerator": "rocm", "gpu": {"count": 1, "vendor": "nvidia"}}},
}
BODY = orjson.dumps(
    {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "1",
            "operation": "CREATE",
            "kind": {"group": "inference.llmkube.dev", "version": "v1alpha1", "kind": "Model"},
            "resource": {"group": "inference.llmkube.dev", "version": "v1alpha1", "resource": "models"},
            "namespace": "team-a",
            "name": "m",
            "object": MODEL,
        },
    }
)


def write(path: Path, text: str) -> None:
    """Writes as careful tools do: to another file, which then replaces the old one."""
    path.with_suffix(".new").write_text(HEAD + text)
    os.replace(path.with_suffix(".new"), path)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration mounted as by kubelet: a link to a link that is swapped."""
    (tmp_path / "v1").mkdir()
    write(tmp_path / "v1" / "config.yaml", "rules: {LLMKUBE-001: deny}\n")
    (tmp_path / "..data").symlink_to("v1")
    (tmp_path / "config.yaml").symlink_to("..data/config.yaml")
    return tmp_path / "config.yaml"


@pytest.fixture
def server(tmp_path: Path, config: Path) -> Iterator[Server]:
    """A server that checks its files often."""
    with serving(tmp_path / "tls", ["--config", str(config), "--reload-seconds", "0.1"]) as running:
        yield running


def has_generation(server: Server, number: int) -> bool:
    """Whether at least so many configurations have been in force."""
    return server.metric("weighbridge_configuration_generation") >= number


def allowed(server: Server) -> bool:
    """The validating webhook's answer."""
    status, review = server.call(BODY)
    assert status == 200
    found: bool = review["response"]["allowed"]
    return found


def test_a_changed_file_is_taken_up_and_a_bad_one_is_not(server: Server, config: Path, tmp_path: Path) -> None:
    assert not allowed(server)
    first = server.metric("weighbridge_configuration_hash")
    (tmp_path / "v2").mkdir()
    write(tmp_path / "v2" / "config.yaml", "rules: {LLMKUBE-001: warn}\n")
    (tmp_path / "..next").symlink_to("v2")
    os.replace(tmp_path / "..next", tmp_path / "..data")
    assert wait_for(lambda: allowed(server))
    # The page of metrics is cached for a second.
    wait_for(lambda: server.metric("weighbridge_configuration_generation") == 2)
    second = server.metric("weighbridge_configuration_hash")
    assert second != first
    write(tmp_path / "v2" / "config.yaml", "rules: {LLMKUBE-001: maybe}\n")
    line = server.logged("the configuration can't be used")
    assert line["level"] == "error"
    assert line["mistakes"] == [f"{config}:3:22: rules.LLMKUBE-001: write deny, warn, audit or off, not 'maybe'"]
    wait_for(lambda: server.metric("weighbridge_configuration_last_reload_successful") == 0)
    assert server.metric('weighbridge_configuration_reloads_total{result="refused"}') == 1
    assert server.metric("weighbridge_configuration_hash") == second
    assert allowed(server)
    (tmp_path / "v2" / "config.yaml").unlink()
    wait_for(lambda: server.metric('weighbridge_configuration_reloads_total{result="refused"}') == 2)
    assert allowed(server)
    write(tmp_path / "v2" / "config.yaml", "rules: {LLMKUBE-001: deny}\n")
    wait_for(lambda: not allowed(server))
    wait_for(lambda: server.metric("weighbridge_configuration_last_reload_successful") == 1)
    assert server.metric("weighbridge_configuration_hash") == first
    assert server.process.poll() is None


def test_no_call_is_lost_while_the_configuration_changes(server: Server, tmp_path: Path) -> None:
    ended = threading.Event()
    answers: list[tuple[int, bool]] = []

    def call() -> None:
        connection = server.connect()
        while not ended.is_set():
            status, review = ask(connection, BODY)
            answers.append((status, review["response"]["allowed"]))
        connection.close()

    callers = [threading.Thread(target=call) for _ in range(3)]
    for caller in callers:
        caller.start()
    path = tmp_path / "v1" / "config.yaml"
    exceptions = "".join(f"- {{rules: ['*'], match: {{names: [n{number}]}}, reason: r}}\n" for number in range(500))
    for number in range(6):
        write(path, f"rules: {{LLMKUBE-001: {'warn' if number % 2 else 'deny'}}}\nexceptions:\n{exceptions}# {number}\n")
        wait_for(partial(has_generation, server, number + 2))
    ended.set()
    for caller in callers:
        caller.join()
    assert {status for status, _ in answers} == {200}
    assert {verdict for _, verdict in answers} == {True, False}
    assert server.metric('weighbridge_findings_total{result="deny",rule="LLMKUBE-001"}') > 0


def test_a_finding_that_is_only_audited_is_counted_and_written_to_the_audit_log(server: Server, tmp_path: Path) -> None:
    write(tmp_path / "v1" / "config.yaml", "rules: {LLMKUBE-001: audit}\n")
    wait_for(lambda: allowed(server))
    response = server.call(BODY)[1]["response"]
    assert response["auditAnnotations"]["audited"] == "LLMKUBE-001"
    assert "warnings" not in response or not any("LLMKUBE-001" in warning for warning in response["warnings"])
    assert wait_for(lambda: server.metric('weighbridge_findings_total{result="audit",rule="LLMKUBE-001"}'))
