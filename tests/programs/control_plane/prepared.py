"""Control planes that have CustomResourceDefinitions from the start.

kube-apiserver needs half a minute of CPU time to take in the CRDs of all families, and a few seconds to read them from etcd. So they are
installed once, and each plane begins with a copy of etcd's data.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.programs.control_plane.build import Assets, cache_root, locked
from tests.programs.control_plane.crds import install_crds, wait_until_served
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.plane import ControlPlane

#: Data that hasn't been used for this long is removed.
_KEPT_SECONDS: Final = 24 * 3600.0
#: The version of the format; a new number makes older copies unused.
_FORM: Final = 2


@contextmanager
def plane_with_crds(
    assets: Assets, *paths: Path, users: Sequence[User] = (), apiserver_flags: Sequence[str] = ()
) -> Iterator[ControlPlane]:
    """A control plane that serves the definitions of YAML files, as long as the context lasts. Raises as `install_crds` does."""
    with ControlPlane(assets, users=users, apiserver_flags=apiserver_flags, data=complete_data(assets, paths)) as plane:
        wait_until_served(plane, *paths)
        yield plane


def complete_data(assets: Assets, paths: Sequence[Path]) -> Path:
    """A folder with etcd's data, which the first caller fills. Raises as `install_crds` does.

    A kept copy is complete: a server that was started on it served every definition. An incomplete copy would never become complete, since
    a server sets Established only on definitions that it has taken in itself.
    """
    folder = cache_root() / "data"
    found = folder / _key(assets, paths)
    with locked(folder / f"{found.name}.lock"):
        if found.exists():
            found.touch()
            return found
        _remove_unused(folder)
        with tempfile.TemporaryDirectory(prefix="partial-", dir=folder) as partial:
            copy = Path(partial, "etcd")
            with ControlPlane(assets) as plane:
                install_crds(plane, *paths)
                plane.copy_data(copy)
            with ControlPlane(assets, data=copy) as plane:
                wait_until_served(plane, *paths)
            # Only the rename makes the folder visible.
            copy.rename(found)
    return found


def _key(assets: Assets, paths: Sequence[Path]) -> str:
    digest = hashlib.sha256(f"{_FORM} {assets.folder}".encode())
    for text in sorted(path.read_bytes() for path in paths):
        digest.update(text)
    return digest.hexdigest()[:24]


def _remove_unused(folder: Path) -> None:
    for found in folder.iterdir():
        if time.time() - found.stat().st_mtime > _KEPT_SECONDS:
            if found.is_dir():
                shutil.rmtree(found, ignore_errors=True)
            else:
                found.unlink(missing_ok=True)
