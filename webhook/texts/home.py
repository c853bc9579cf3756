"""The project's address, for reports that ask for one."""

from __future__ import annotations

from typing import Final

HOME: Final = "https://weighbridge.dev"
