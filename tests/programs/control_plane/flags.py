"""The files and ports of a control plane, and the command line flags that follow from them.

Flags: the command line references of etcd, kube-apiserver and kube-scheduler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Layout:
    """The directory and the ports of a control plane."""

    directory: Path
    etcd_port: int
    peer_port: int
    apiserver_port: int

    @property
    def etcd_url(self) -> str:
        """The URL at which etcd serves clients."""
        return f"http://{LOOPBACK}:{self.etcd_port}"

    @property
    def server(self) -> str:
        """The URL at which kube-apiserver serves."""
        return f"https://{LOOPBACK}:{self.apiserver_port}"

    @property
    def data(self) -> Path:
        """The folder with etcd's data."""
        return self.directory / "etcd"

    @property
    def ca_file(self) -> Path:
        """The certificate that kube-apiserver makes for itself, with the authority that it makes to sign it."""
        return self.directory / "apiserver-certificates" / "apiserver.crt"

    def scheduler_ca_file(self, name: str) -> Path:
        """The certificate of one kube-scheduler."""
        return self.directory / f"{name}-certificates" / "kube-scheduler.crt"

    def scheduler_configuration(self, name: str) -> Path:
        """The file with the KubeSchedulerConfiguration of one kube-scheduler."""
        return self.directory / f"{name}.json"

    @property
    def kubeconfig(self) -> Path:
        """The kubeconfig of the plane's users."""
        return self.directory / "kubeconfig"

    @property
    def scheduler_kubeconfig(self) -> Path:
        """The kubeconfig of kube-scheduler."""
        return self.directory / "scheduler.kubeconfig"

    @property
    def token_file(self) -> Path:
        """The tokens that kube-apiserver knows."""
        return self.directory / "tokens.csv"

    @property
    def signing_key(self) -> Path:
        """The key for service account tokens."""
        return self.directory / "service-account.key"


def etcd_flags(layout: Layout) -> list[str]:
    """One member, which serves the client port only to this machine."""
    peer_url = f"http://{LOOPBACK}:{layout.peer_port}"
    return [
        f"--data-dir={layout.data}",
        # The data needn't survive a power cut, and most of the time of a write is waiting for the disk.
        "--unsafe-no-fsync",
        f"--listen-client-urls={layout.etcd_url}",
        f"--advertise-client-urls={layout.etcd_url}",
        f"--listen-peer-urls={peer_url}",
        f"--initial-advertise-peer-urls={peer_url}",
        f"--initial-cluster=default={peer_url}",
    ]


def apiserver_flags(layout: Layout) -> list[str]:
    """Tokens and RBAC as in a cluster; features that need a controller are switched off."""
    return [
        f"--etcd-servers={layout.etcd_url}",
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        f"--secure-port={layout.apiserver_port}",
        f"--cert-dir={layout.ca_file.parent}",
        f"--token-auth-file={layout.token_file}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-signing-key-file={layout.signing_key}",
        f"--service-account-key-file={layout.signing_key}",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--allow-privileged=true",
        # No controller creates the service accounts that this plugin requires for a Pod.
        "--disable-admission-plugins=ServiceAccount",
        # No client uses the service "kubernetes": its endpoints needn't be kept, nor removed at the end.
        "--endpoint-reconciler-type=none",
        # Tests that send thousands of objects are one user, which fair queues would only slow down.
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=1000",
        "--max-mutating-requests-inflight=1000",
    ]


def scheduler_flags(layout: Layout, port: int, name: str) -> list[str]:
    """A single scheduler, with a port for its readiness; with the default profile unless it has a configuration."""
    kubeconfig = layout.scheduler_kubeconfig
    configuration = layout.scheduler_configuration(name)
    return [
        # A scheduler with a configuration reads the path of its kubeconfig there.
        f"--config={configuration}" if configuration.exists() else f"--kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        f"--bind-address={LOOPBACK}",
        f"--secure-port={port}",
        f"--cert-dir={layout.scheduler_ca_file(name).parent}",
        "--leader-elect=false",
        # Otherwise the scheduler looks up a configuration that kube-apiserver publishes only with client certificates.
        "--authentication-skip-lookup=true",
    ]


def scheduler_configuration(layout: Layout, settings: Mapping[str, object]) -> dict[str, object]:
    """A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) with `settings` and the fields that each of our schedulers needs."""
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False},
        # The default limit on requests per second would slow down tests that send thousands of pods.
        "clientConnection": {"kubeconfig": str(layout.scheduler_kubeconfig), "qps": 10_000, "burst": 20_000},
        **settings,
    }
