"""Files that a command writes into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from weighbridge.certs.atomicfile import write
from weighbridge.webhook.texts.errors import InputError


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by the names of their files into a folder, which is created if it is missing. Raises InputError, WriteError."""
    for path in {folder, *((folder / name).parent for name in texts)}:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path}: this directory can't be made ({error.strerror}); choose another one") from None
    for name, text in texts.items():
        write(folder / name, text.encode())
