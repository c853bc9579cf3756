"""Situations around a verdict: bookkeeping is accepted, the webhook is down, slow, or restarted under load."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kubernetes import client

from tests.e2e.cluster import Cluster
from tests.e2e.process import Forwarder, WebhookProcess

pytestmark = pytest.mark.control_plane


@pytest.fixture
def namespace(cluster: Cluster, request: pytest.FixtureRequest) -> str:
    """A new namespace for the test."""
    return cluster.namespace(request.node.name.replace("_", "-")[:63].strip("-"))


@pytest.fixture
def serving(cluster: Cluster) -> Iterator[Cluster]:
    """The webhook without facts, with the registration as it ships; restored afterwards."""
    cluster.serve([])
    yield cluster
    cluster.webhook.send(signal.SIGCONT)
    cluster.serve([])
    cluster.register()


def model(namespace: str, name: str = "m", **spec: Any) -> dict[str, Any]:
    """A valid Model, unless `spec` changes it."""
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"source": "https://example.com/m.gguf", **spec},
    }


@contextmanager
def api(cluster: Cluster) -> Iterator[client.CustomObjectsApi]:
    """The Python client."""
    configuration = client.Configuration(host=cluster.plane.server)
    configuration.ssl_ca_cert = str(cluster.plane.ca_file)
    configuration.api_key = {"authorization": f"Bearer {cluster.plane.admin_token}"}
    with client.ApiClient(configuration) as connection:
        yield client.CustomObjectsApi(connection)
        connection.rest_client.pool_manager.clear()


def test_a_good_object_is_stored_with_what_was_filled_in(serving: Cluster, namespace: str) -> None:
    done = serving.create(model(namespace, hardware={"gpu": {"count": 1, "vendor": "amd", "runtime": "rocm"}}))
    assert json.loads(done.stdout)["spec"] == {
        "source": "https://example.com/m.gguf",
        "format": "gguf",
        "refreshPolicy": "IfNotPresent",
        "hardware": {
            "accelerator": "rocm",
            "gpu": {"count": 1, "vendor": "amd", "runtime": "rocm", "resourceName": "devic.es/dri-render"},
        },
    }
    assert "Warning: weighbridge set spec.hardware.accelerator" in done.stderr


def test_a_bad_object_is_refused_with_its_reason(serving: Cluster, namespace: str) -> None:
    done = serving.create(model(namespace, hardware={"accelerator": "rocm", "gpu": {"count": 1}}))
    assert done.returncode == 1
    assert 'admission webhook "validate.llmkube.weighbridge.dev" denied the request: spec.hardware.accelerator: "rocm"' in done.stderr


def test_the_python_client_sees_the_causes(serving: Cluster, namespace: str) -> None:
    bad = model(namespace, source="pvc://models")
    with api(serving) as objects, pytest.raises(client.ApiException) as caught:
        objects.create_namespaced_custom_object("inference.llmkube.dev", "v1alpha1", namespace, "models", bad)
    status = json.loads(caught.value.body or "{}")
    assert (caught.value.status, status["reason"]) == (403, "Forbidden")
    assert [cause["field"] for cause in status["details"]["causes"]] == ["spec.source"]


def test_a_change_of_metadata_is_never_held_back(serving: Cluster, namespace: str) -> None:
    serving.unregister()
    serving.plane.kubectl("create", "-f", "-", input=json.dumps(model(namespace, source="pvc://models")), check=True)
    serving.register()
    labelled = serving.plane.kubectl("label", "-n", namespace, "model.inference.llmkube.dev/m", "team=research")
    assert labelled.returncode == 0, labelled.stderr
    finalizer = '{"metadata": {"finalizers": ["example.com/hold"]}}'
    serving.plane.kubectl("patch", "-n", namespace, "models", "m", "--type=merge", "-p", finalizer, check=True)
    serving.plane.kubectl("delete", "-n", namespace, "models", "m", "--wait=false", check=True)
    serving.plane.kubectl("patch", "-n", namespace, "models", "m", "--type=merge", "-p", '{"metadata": {"finalizers": null}}', check=True)
    assert serving.plane.kubectl("get", "-n", namespace, "models", "m").returncode == 1


def test_a_scale_of_what_the_webhook_does_not_know_is_not_held_back(serving: Cluster, namespace: str) -> None:
    service = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "InferenceService",
        "metadata": {"name": "s", "namespace": namespace},
        "spec": {"modelRef": "m"},
    }
    assert serving.create(service).returncode == 0
    scaled = serving.plane.kubectl("scale", "-n", namespace, "inferenceservices.inference.llmkube.dev/s", "--replicas=3")
    assert scaled.returncode == 0, scaled.stderr
    replicas = serving.plane.kubectl("get", "-n", namespace, "inferenceservices/s", "-o", "jsonpath={.spec.replicas}")
    assert replicas.stdout == "3"


def test_nothing_is_stored_while_the_webhook_is_down(serving: Cluster, namespace: str) -> None:
    serving.webhook.stop()
    done = serving.create(model(namespace))
    assert done.returncode == 1
    assert 'failed calling webhook "validate.llmkube.weighbridge.dev"' in done.stderr


def test_a_registration_that_ignores_failures_lets_objects_pass(serving: Cluster, namespace: str) -> None:
    serving.register(failurePolicy="Ignore")
    serving.webhook.stop()
    assert serving.create(model(namespace, source="pvc://models")).returncode == 0


def test_a_webhook_that_hangs_is_given_up_after_its_timeout(serving: Cluster, namespace: str) -> None:
    serving.register(timeoutSeconds=1)
    serving.webhook.send(signal.SIGSTOP)
    done = serving.create(model(namespace))
    assert done.returncode == 1
    assert "context deadline exceeded" in done.stderr or "Client.Timeout" in done.stderr


def test_no_call_fails_while_the_webhook_is_replaced_under_load(serving: Cluster, namespace: str) -> None:
    first = WebhookProcess(serving.directory, drain_seconds=2)
    forwarder = Forwarder(first.port)
    serving.register(port=forwarder.port)
    stop, failures, calls = threading.Event(), [], [0]

    def create() -> None:
        with api(serving) as objects:
            while not stop.is_set():
                try:
                    objects.create_namespaced_custom_object(
                        "inference.llmkube.dev", "v1alpha1", namespace, "models", model(namespace), dry_run="All"
                    )
                    calls[0] += 1
                except client.ApiException as error:
                    failures.append(error.body)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            second = WebhookProcess(serving.directory, drain_seconds=2)
            forwarder.target = second.port
            assert first.stop() == 0
            first = second
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        forwarder.close()
        first.stop()
    assert failures == []
    assert calls[0] > 50


def test_the_server_counts_what_it_answered(serving: Cluster, namespace: str) -> None:
    serving.create(model(namespace, source="pvc://models"))
    page = serving.webhook.page("/metrics")
    assert 'kind="Model"' in page
    assert "weighbridge" in page
    assert serving.webhook.page("/readyz") == "ok\n"
