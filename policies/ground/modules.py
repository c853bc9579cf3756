"""The modules of a package, by its folders. `pkgutil` lists them as well, but imports `inspect` for that, which takes 5 ms."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator


def modules_in(folders: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The names of a package's modules, sorted, each with whether it is a package itself."""
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                found = sorted((entry.name, entry.is_dir()) for entry in entries)
        except OSError:
            # The package is in an archive.
            from pkgutil import iter_modules

            yield from ((module.name, module.ispkg) for module in iter_modules([folder]))
            continue
        for name, is_folder in found:
            if is_folder and os.path.isfile(os.path.join(folder, name, "__init__.py")):
                yield name, True
            elif not is_folder and name.endswith(".py") and name != "__init__.py":
                yield name.removesuffix(".py"), False
