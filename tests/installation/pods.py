"""Does the work of controllers and kubelets for the installation: pods of the Deployment as processes, and the Service's endpoints.

A pod is `weighbridge` with the arguments of the Deployment's container, the ConfigMap's files, and a token of its ServiceAccount; so it has
exactly the permissions that the manifests give it. Only its address and port are chosen here.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.e2e.process import WEIGHBRIDGE, WebhookProcess
from tests.programs.control_plane.credentials import User, kubeconfig_text
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from weighbridge.policies.ground.objects import JSONObject

NAMESPACE = "weighbridge-system"
#: The API server calls the endpoints of the Service, since the address of a Service doesn't work without kube-proxy.
APISERVER_FLAGS = ("--enable-aggregator-routing=true",)


def own_address() -> str:
    """An address of this machine that isn't loopback, since endpoints can't be; empty if there is none."""
    done = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False)
    return next((text for text in done.stdout.split() if "." in text), "")


class Pod(WebhookProcess):
    """One pod of the Deployment."""

    def __init__(self, plane: ControlPlane, directory: Path, name: str = "a", *more: str) -> None:
        self._plane = plane
        self._name = f"weighbridge-{name}"
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self.certificates = directory / "certs"
        self.log = directory / f"{name}.log"
        token = plane.kubectl("create", "token", "weighbridge", "-n", NAMESPACE, check=True).stdout.strip()
        kubeconfig = directory / "kubeconfig"
        kubeconfig.write_text(kubeconfig_text([User("pod", token=token)], server=plane.server, ca_file=plane.ca_file))
        listen = ["--host", own_address(), "--port", "0", "--health-host", "0.0.0.0", "--health-port", "0", "--drain-seconds", "0"]
        command = [WEIGHBRIDGE, *self._arguments(), *listen, "--kubeconfig", str(kubeconfig), *more]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stderr=log, stdout=log)
        self.webhook, health = self._addresses()
        # The API server calls the pod's address, and the tests use loopback.
        self.health = f"http://127.0.0.1:{health.rpartition(':')[2]}"
        self.publish()
        self._report_running()

    def refresh_configuration(self) -> None:
        """Update the files of the ConfigMap, as kubelet does."""
        data = get(self._plane, "configmap", "weighbridge", "-n", NAMESPACE)["data"]
        for name, text in data.items():
            (self.directory / name).write_text(text)

    def publish(self) -> None:
        """Add it to the Service, as the controller of endpoints does."""
        slice_ = {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": {"name": self._name, "namespace": NAMESPACE, "labels": {"kubernetes.io/service-name": "weighbridge"}},
            "addressType": "IPv4",
            "ports": [{"name": "webhook", "port": self.port, "protocol": "TCP"}],
            "endpoints": [{"addresses": [own_address()], "conditions": {"ready": True}}],
        }
        self._plane.kubectl("apply", "-f", "-", input=json.dumps(slice_), check=True)

    def stop(self) -> int:
        """End it, and remove it from the Service."""
        self._plane.kubectl("delete", "endpointslice", self._name, "-n", NAMESPACE, "--ignore-not-found")
        self._plane.kubectl("delete", "pod", self._name, "-n", NAMESPACE, "--ignore-not-found", "--now")
        return super().stop()

    def _arguments(self) -> list[str]:
        (container,) = get(self._plane, "deployment", "weighbridge", "-n", NAMESPACE)["spec"]["template"]["spec"]["containers"]
        self.refresh_configuration()
        mounts = {"/run/weighbridge/tls": str(self.certificates), "/etc/weighbridge/configuration": str(self.directory)}
        return [_moved(argument, mounts) for argument in container["args"]]

    def _report_running(self) -> None:
        """The Pod that the Deployment would have created, with kubelet's status."""
        template = get(self._plane, "deployment", "weighbridge", "-n", NAMESPACE)["spec"]["template"]
        (container,) = template["spec"]["containers"]
        health = {"name": "health", "containerPort": int(self.health.rpartition(":")[2])}
        spec = {**template["spec"], "containers": [{**container, "ports": [health]}]}
        # The priority class needs a quota, and no controller computes its status here.
        spec.pop("priorityClassName", None)
        metadata = {"name": self._name, "namespace": NAMESPACE, "labels": template["metadata"]["labels"]}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
        self._plane.kubectl("replace", "--force", "-f", "-", input=json.dumps(pod), check=True)
        status = json.dumps({"status": {"phase": "Running", "podIP": own_address(), "podIPs": [{"ip": own_address()}]}})
        self._plane.kubectl("patch", "pod", self._name, "-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", status, check=True)


def _moved(argument: str, mounts: dict[str, str]) -> str:
    for mounted, path in mounts.items():
        argument = argument.replace(mounted, path)
    return argument


def get(plane: ControlPlane, *arguments: str) -> JSONObject:
    """`kubectl get` as an object."""
    found: JSONObject = json.loads(plane.kubectl("get", *arguments, "-o", "json", check=True).stdout)
    return found


def ca_bundles(plane: ControlPlane) -> set[str]:
    """The caBundles of all registered webhooks; an empty text for none. Tests call this often, so it doesn't use kubectl."""
    kinds = ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
    with Connections(plane) as connections:
        replies = [connections.send("GET", f"/apis/admissionregistration.k8s.io/v1/{kind}/weighbridge") for kind in kinds]
    assert [reply.code for reply in replies] == [200, 200]
    return {webhook["clientConfig"].get("caBundle", "") for reply in replies for webhook in reply.body["webhooks"]}
