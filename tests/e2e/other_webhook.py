"""Another mutating webhook next to ours: it labels created objects, so that the API server calls ours a second time."""

from __future__ import annotations

import json
import ssl
import threading
from base64 import b64encode
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.server.certificates import bring_self_signed_up_to_date

LABEL: Final = "other.example.com/seen"


class OtherWebhook:
    """A server that adds a label with a patch; `directory` has its certificates."""

    def __init__(self, directory: Path) -> None:
        bring_self_signed_up_to_date(directory, ["127.0.0.1"], datetime.now(UTC))
        self._ca_bundle = (directory / "ca.crt").read_bytes()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(directory / "tls.crt", directory / "tls.key")
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def configuration(self, family: Family) -> JSONObject:
        """Its MutatingWebhookConfiguration, whose name puts it after ours."""
        address = f"https://127.0.0.1:{self._server.server_address[1]}"
        rules = [
            {
                "apiGroups": [kind.gvk.group],
                "apiVersions": [kind.gvk.version],
                "operations": ["CREATE", "UPDATE"],
                "resources": [kind.plural],
            }
            for kind in family.kinds
        ]
        webhook = {
            "name": "label.other.example.com",
            "clientConfig": {"url": address, "caBundle": b64encode(self._ca_bundle).decode()},
            "rules": rules,
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
        }
        return {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "MutatingWebhookConfiguration",
            "metadata": {"name": "zz-other"},
            "webhooks": [webhook],
        }

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer a review with a patch that adds the label."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["request"]
        labels = {**request["object"]["metadata"].get("labels", {}), LABEL: "true"}
        patch = json.dumps([{"op": "add", "path": "/metadata/labels", "value": labels}]).encode()
        response = {"uid": request["uid"], "allowed": True, "patchType": "JSONPatch", "patch": b64encode(patch).decode()}
        body = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""
