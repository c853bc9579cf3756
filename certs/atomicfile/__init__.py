"""The one way in which this program writes a file: whole or not at all, and never where somebody else has laid a trap.

It is below everything else and knows nothing of it.
"""

from __future__ import annotations

from weighbridge.certs.atomicfile.destinations import write
from weighbridge.certs.atomicfile.errors import WriteError
from weighbridge.certs.atomicfile.new_files import create, mode_of, opened_folder, replace_in

__all__ = ["WriteError", "create", "mode_of", "opened_folder", "replace_in", "write"]
