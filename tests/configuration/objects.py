"""Requests, findings and configurations for the tests."""

from __future__ import annotations

from pathlib import Path

from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.configuration.reader import read_configuration

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
SERVICE = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "InferenceService")


def request(
    name: str = "m",
    namespace: str = "team-a",
    gvk: GroupVersionKind = MODEL,
    labels: dict[str, str] | None = None,
    user_info: JSONObject | None = None,
) -> Request:
    """A creation."""
    obj = {"metadata": {"name": name, "namespace": namespace, "labels": labels or {}}}
    return Request("uid", Operation.CREATE, gvk, obj, namespace=namespace, name=name, user_info=user_info)


def finding(rule: str = "LLMKUBE-001", severity: Severity = Severity.ERROR) -> Finding:
    """A finding of a rule."""
    return Finding(rule, severity, ("spec", "a"), "is wrong")


def configured(folder: Path, text: str) -> Configuration:
    """The configuration in a file with this text after the header."""
    path = folder / "config.yaml"
    path.write_text(HEAD + text)
    return read_configuration(str(path))


def config_map(text: str, namespace: str = "team-a", name: str = "weighbridge", label: str = "true") -> JSONObject:
    """A ConfigMap with a section of the configuration."""
    metadata = {"name": name, "namespace": namespace, "labels": {"weighbridge.dev/configuration": label}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"configuration.yaml": text}}
