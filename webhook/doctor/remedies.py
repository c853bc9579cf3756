"""Explains the API server's reasons why a call fails, with the commands that help.

The words are Go's: crypto/x509 (verify.go), net (dial errors), and Kubernetes v1.36, apiserver/pkg/admission/plugin/webhook.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from weighbridge.webhook.doctor.installed import Installed

_PORT: Final = 443


def remedy(reason: str, url: str, installed: Installed) -> tuple[str, str]:
    """The meaning of a reason, empty if it is clear by itself, and the command for it. `url` is empty if a Service is called."""
    for words, meaning, command in _known(url, installed):
        if words in reason:
            return meaning, command
    return "", look(url, installed)


def look(url: str, installed: Installed) -> str:
    """The command for an unknown reason."""
    if url:
        return f"look at what `weighbridge serve` prints on {address(url)}"
    logs = f"kubectl -n {installed.namespace} logs deployment/weighbridge"
    return f"{logs}; in an emergency the break-glass command of docs/installation.md" if installed.denies else logs


def address(url: str) -> str:
    """Host and port of a URL."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or _PORT}"


def base(url: str) -> str:
    """The URL in the form that `weighbridge certs webhooks` takes."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _known(url: str, installed: Installed) -> Iterator[tuple[str, str, str]]:
    """Parts of known reasons, their meaning, and what to run."""
    if url:
        where = address(url)
        host = urlsplit(url).hostname or ""
        register = f"weighbridge certs webhooks DIRECTORY --url {base(url)} | kubectl apply -f -, with the DIRECTORY that serve uses"
        renew = f"weighbridge certs make DIRECTORY --name {host}, then {register}"
        start = f"weighbridge serve, so that it listens on {where}"
        meaning = f"nothing listens on {where}"
    else:
        register = renew = installed.restart
        start = f"kubectl -n {installed.namespace} describe pods -l app.kubernetes.io/name=weighbridge"
        meaning = "no pod listens on the Service's port"
    yield "signed by unknown authority", "the caBundle isn't of the authority that signed the server's certificate", register
    yield "certificate is valid for", "the server's certificate is for another name", renew
    yield "cannot validate certificate", "the server's certificate is for another name", renew
    yield "has expired or is not yet valid", "", renew
    yield "connection refused", meaning, start
    yield "no such host", "the API server finds no address for the name", look(url, installed)
    yield "no endpoints available", "no pod is ready", start
    yield "context deadline exceeded", "no answer came in time", look(url, installed)
    yield "Client.Timeout", "no answer came in time", look(url, installed)
    yield "could not find the requested resource", "the server answers 404: the URL has another path than Weighbridge serves", register
