"""Where failures inside the engine are logged. They become findings; their tracebacks are shown on request."""

from __future__ import annotations

import logging

from weighbridge.webhook.cache.inputs import not_repeatable


def log_defects(*, shown: bool) -> None:
    """Show failures on standard error, or nowhere."""
    logging.getLogger("weighbridge").addHandler(logging.StreamHandler() if shown else _Unshown(logging.WARNING))


class _Unshown(logging.NullHandler):
    """A log that shows nothing. The run isn't kept, since the failure may not happen next time, for example with more memory."""

    def handle(self, record: logging.LogRecord) -> bool:
        not_repeatable()
        return True
