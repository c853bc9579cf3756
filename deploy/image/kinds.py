"""The two images: one that serves, without a shell, and one for CI, whose jobs are scripts of a shell and ask git what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: The user that distroless images call nonroot.
NONROOT: Final = 65532
#: What the interpreter and the wheels load. No shell, no package manager, nothing that sets a user id.
_RUNTIME: Final = (
    "ca-certificates", "gcc-12-base", "libbz2-1.0", "libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "liblzma5",
    "libpython3.11-minimal", "libpython3.11-stdlib", "libssl3", "libstdc++6", "libuuid1", "media-types", "netbase", "python3.11-minimal",
    "zlib1g",
)  # fmt: skip
#: The programs of a job's script, all of them BusyBox.
_PROGRAMS: Final = (
    *("[", "awk", "basename", "cat", "chmod", "cp", "cut", "date", "diff", "dirname", "echo", "env", "expr", "false", "find", "grep"),
    *("gunzip", "gzip", "head", "id", "ln", "ls", "mkdir", "mktemp", "mv", "printf", "pwd", "rm", "rmdir", "sed", "sh", "sha256sum"),
    *("sleep", "sort", "tail", "tar", "tee", "test", "touch", "tr", "true", "uname", "uniq", "wc", "wget", "which", "xargs"),
)
_BUSYBOX: Final = "/bin/busybox"


@dataclass(frozen=True, slots=True)
class ImageKind:
    """What an image has and how it starts. `name` is that of the image, `unused` are paths of its packages that are left out."""

    name: str
    packages: tuple[str, ...]
    user: int
    entrypoint: tuple[str, ...]
    command: tuple[str, ...]
    path: str
    unused: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    def add_programs(self, root: Path) -> None:
        """Link the programs of the shell, and the shell itself where scripts look for it."""
        for name in self.programs:
            (root / "usr/bin" / name).symlink_to(_BUSYBOX)
        if self.programs:
            (root / "bin/sh").symlink_to(_BUSYBOX)


SERVER: Final = ImageKind("weighbridge", _RUNTIME, NONROOT, ("/usr/bin/weighbridge",), ("--help",), "/usr/bin")
#: A CI server mounts a checkout of any owner and writes into it, so its jobs run as root. Of git the built-in commands are enough.
CI: Final = ImageKind(
    "weighbridge-ci",
    (*_RUNTIME, "busybox-static", "git", "libpcre2-8-0"),
    0,
    (),
    ("/bin/sh",),
    "/usr/bin:/bin",
    unused=("usr/lib/git-core", "usr/share/git-core", "usr/share/bash-completion", "var", "etc/bash_completion.d"),
    programs=_PROGRAMS,
)
KINDS: Final = (SERVER, CI)
