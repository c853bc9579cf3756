"""A scheduler extender that refuses every node: the message for a pod that fits then names the nodes, and the pod isn't bound.

The reason it gives for a node is `FEASIBLE:<node>`; kube-scheduler counts it in the pod's message with its own reasons. The extender never
gets nodes that the scheduler's own filters refused. Wire format: kube-scheduler's extender/v1 types, with node names only
(nodeCacheCapable).
"""

from __future__ import annotations

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import orjson

FEASIBLE = "FEASIBLE:"


class _RefuseEverything(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one packet; apart, the second would wait for the first one's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        asked = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
        # The refusal is final, else the scheduler would look for pods to evict from each node.
        refused = {name: f"{FEASIBLE}{name}" for name in asked["NodeNames"] or ()}
        answer = orjson.dumps({"NodeNames": [], "FailedAndUnresolvableNodes": refused})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the parent
        """Log nothing, since no one reads a line for each request."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A scheduler that is killed breaks its connections; anything else is worth a traceback."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Extender:
    """The extender's HTTP server on a loopback port, from entering to leaving."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _RefuseEverything)
        self._thread = threading.Thread(target=self._server.serve_forever, name="scheduler-extender", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def setting(self) -> dict[str, object]:
        """Its entry in the `extenders` of a KubeSchedulerConfiguration."""
        return {
            "urlPrefix": f"http://127.0.0.1:{self._server.server_port}",
            "filterVerb": "filter",
            "nodeCacheCapable": True,
            "httpTimeout": "60s",
        }
