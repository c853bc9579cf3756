"""Clients that keep a running server busy and notice every lost call."""

from __future__ import annotations

import http.client
import threading
from dataclasses import dataclass, field

from tests.webhook.reviews import review
from tests.webhook.serving import Server, ask


@dataclass
class Load:
    """Clients that call until `stop` is set, as the API server does: on kept connections, and on a new one when the server asks to
    close.
    """

    server: Server
    answered: int = 0
    closed: int = 0
    lost: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def client(self, *, reconnect: bool = False) -> None:
        """Calls until `stop` is set, or until a call is lost."""
        connection = self.server.connect()
        while not self.stop.is_set():
            try:
                status, answer = ask(connection, review())
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.lost.append(repr(error))
                return
            if status != 200:
                self.lost.append(str(answer))
            self.answered += 1
            if reconnect:
                connection.close()
            elif connection.sock is None:
                # The answer said to close, and the next call opens a new connection.
                self.closed += 1
        connection.close()

    def start(self, clients: int, *, reconnect: bool = False) -> list[threading.Thread]:
        """Starts so many clients, each in a thread; with `reconnect` each call has a new connection."""
        threads = [threading.Thread(target=self.client, kwargs={"reconnect": reconnect}) for _ in range(clients)]
        for thread in threads:
            thread.start()
        return threads
