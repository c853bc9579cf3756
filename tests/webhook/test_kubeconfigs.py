"""Which kubeconfig is used to find the cluster, and the messages about one that can't be used."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kubernetes.aio.config import incluster_config

from tests.webhook.kubeconfigs import kubeconfig
from weighbridge.webhook.cluster.kubernetes_api import KubernetesAPI
from weighbridge.webhook.texts.errors import InputError


@pytest.fixture(autouse=True)
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """We run outside of a Pod, and the user has no kubeconfig."""
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def connected(kubeconfig: str | None = None, context: str | None = None, *, only_regular: bool = False) -> str:
    """The server of the connection, or the error."""

    async def run() -> str:
        try:
            api = await KubernetesAPI.connect(kubeconfig, context, only_regular=only_regular)
        except InputError as error:
            return str(error)
        await api.close()
        host: str = api._client.configuration.host
        return host

    return asyncio.run(run())


def test_the_kubeconfig_that_is_named_comes_before_the_one_of_the_environment_and_that_before_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".kube").mkdir()
    assert connected() == "~/.kube/config: no such kubeconfig; --kubeconfig FILE names another"
    kubeconfig(tmp_path / ".kube", "http://usual")
    assert connected() == "http://usual"
    monkeypatch.setenv("KUBECONFIG", kubeconfig(tmp_path, "http://environment", "environment"))
    assert connected() == "http://environment"
    assert connected(kubeconfig(tmp_path, "http://named", "named")) == "http://named"
    assert connected(f"{tmp_path}/none:{tmp_path}/named:") == "http://named"
    assert connected("~/named") == "http://named"


def test_in_a_pod_its_service_account_counts_unless_a_cluster_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    monkeypatch.setattr(incluster_config, "SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr(incluster_config, "SERVICE_CERT_FILENAME", str(tmp_path / "ca.crt"))
    assert connected() == "the Pod's service account: Service token file does not exist."
    named = kubeconfig(tmp_path, "http://named")
    assert connected(named) == "http://named"
    monkeypatch.setenv("KUBECONFIG", named)
    assert connected(None, "here") == "http://named"


def test_a_kubeconfig_that_is_read_again_must_be_a_regular_file(tmp_path: Path) -> None:
    named = kubeconfig(tmp_path, "http://named")
    assert connected(named, only_regular=True) == "http://named"
    assert connected("/dev/null", only_regular=True) == (
        "/dev/null: not a regular file but a device; a kubeconfig is read more than once here and must be a regular file"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[", "no usable kubeconfig: while parsing a flow node expected the node content, but found '<stream end>'"),
        ("{}", "no usable kubeconfig: Invalid kube-config file. Expected"),
        ("7", "no usable kubeconfig; wanted a map with clusters, users, contexts and current-context"),
    ],
)
def test_a_kubeconfig_that_cannot_be_used_says_what_is_wrong_on_one_line(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "config").write_text(content)
    found = connected(str(tmp_path / "config"))
    assert found.startswith(f"{tmp_path}/config: {said}")
    assert "\n" not in found


def test_a_context_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    named = kubeconfig(tmp_path, "http://named")
    assert connected(named, "there").startswith(f"{named}: no usable kubeconfig: Invalid kube-config file. Expected object with name there")
