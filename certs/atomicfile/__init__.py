"""The only code of this program that writes files: as a whole or not at all, and never through a link that another user has prepared.

It is below all other rooms and imports none of them.
"""

from __future__ import annotations

from weighbridge.certs.atomicfile.destinations import write
from weighbridge.certs.atomicfile.errors import WriteError
from weighbridge.certs.atomicfile.new_files import create, mode_of, opened_folder, replace_in

__all__ = ["WriteError", "create", "mode_of", "opened_folder", "replace_in", "write"]
