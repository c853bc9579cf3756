"""A file can't be written. This package raises no other error."""

from __future__ import annotations

import errno
import os
from typing import Final

_NO_DIRECTORY: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REFUSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class WriteError(Exception):
    """Says which file can't be written, why, and what would help. The old content is still there."""

    def __init__(self, path: str, wrong: str, remedy: str) -> None:
        super().__init__(f"{path}: {wrong}; {remedy}")
        self.path = path
        self.wrong = wrong
        self.remedy = remedy

    @classmethod
    def of(cls, path: str, error: OSError) -> WriteError:
        """The WriteError for an OSError."""
        reason = error.strerror or str(error)
        if error.errno == errno.EISDIR:
            return cls(path, "is a directory", "give the name of a file")
        if error.errno in _NO_DIRECTORY:
            return cls(path, f"there is no directory {os.path.dirname(path)}", "make it first")
        if error.errno in _NO_ROOM:
            return cls(path, f"can't be written whole ({reason})", "make room")
        return cls(path, f"can't be written ({reason})", "choose another file, or let this user write to it")

    @classmethod
    def in_folder(cls, path: str, folder: str, error: OSError) -> WriteError:
        """The WriteError for an OSError about the file's directory."""
        reason = error.strerror or str(error)
        if error.errno in _NO_DIRECTORY:
            return cls(path, f"there is no directory {folder}", "make it first")
        if error.errno in _REFUSED:
            remedy = "allow that: a file is written under another name first, and then takes the place of the old one"
            return cls(path, f"this user may not write to the directory {folder} ({reason})", remedy)
        return cls.of(path, error)
