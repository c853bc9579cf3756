"""Byte code of the program's modules in few files of the cache folder, instead of one file for each module.

To find, open and read the byte code of a module takes Python as long as to run most modules. A file holds the modules of one folder that
some run has imported, with the states of their sources and of the folders that these are in. If one of these has changed, the file doesn't
count, modules are imported as usual, and the file is written anew when the process ends. Each module is unpacked when it is imported, so
modules of other runs cost nothing.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader

from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache import program
from weighbridge.webhook.cache.folder import Folder, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    #: Of a module: where its source and its byte code are, the state of the source, whether it is a package, and its code as bytes.
    _Module = tuple[str, str | None, program.State, bool, bytes]

_OURS = "weighbridge"
_LARGEST_FILE = 16 << 20
_LARGEST_FOLDER = 64 << 20


class _Loader(SourceFileLoader):
    """Loads a module from its code, where that is known, else as usual, and keeps the code."""

    def __init__(self, name: str, path: str, code: CodeType | None = None) -> None:
        super().__init__(name, path)
        self.code = code
        self.state: program.State | None = None

    def get_code(self, fullname: str) -> CodeType | None:
        if self.code is None:
            # A change after this makes the code outdated.
            self.state = program.state(self.path)
            self.code = super().get_code(fullname)
        return self.code


class Finder:
    """Finds modules of the program in the cache folder, and keeps there what it didn't find; `key` begins the names of its files."""

    def __init__(self, folder: Folder, key: str) -> None:
        self._folder = folder
        self._key = key
        self._rooms: dict[str, dict[str, _Module]] = {}
        self._missed: dict[str, ModuleSpec] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module as Python would find it."""
        package, _, _ = name.rpartition(".")
        if package != _OURS and not package.startswith(f"{_OURS}."):
            return None
        room = self._key + package
        known = self._rooms.get(room)
        if known is None:
            known = self._rooms[room] = self._read(room)
        found = known.get(name)
        if found is None:
            return self._found_elsewhere(name, path, target)
        source, cached, _, is_package, packed = found
        code = marshal.loads(packed)  # noqa: S302 - it is part of what is whole
        spec = ModuleSpec(name, _Loader(name, source, code), origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = cached
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(source))
        return spec

    def _read(self, room: str) -> dict[str, _Module]:
        data = self._folder.read(room)
        if not data:
            return {}
        folders, modules = marshal.loads(data)  # noqa: S302 - the file is ours and whole
        sources = {source: state for source, _, state, _, _ in modules.values()}
        return modules if program.are_unchanged(folders | sources) else {}

    def _found_elsewhere(self, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find is not None else None
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _Loader(name, spec.loader.path)
                    if not self._missed:
                        atexit.register(self.save)
                    self._missed[name] = spec
                return spec
        return None

    def save(self) -> None:
        """Write the rooms of modules that weren't kept. Never raises."""
        rooms: dict[str, dict[str, _Module]] = {}
        for name, spec in self._missed.items():
            module = _packed(spec)
            if module is not None:
                room = self._key + name.rpartition(".")[0]
                rooms.setdefault(room, dict(self._rooms.get(room, ())))[name] = module
        self._missed.clear()
        files = {room: data for room, modules in rooms.items() if (data := _data(modules))}
        if files:
            self._folder.write(files)


def install() -> None:
    """Import modules of the program from the cache folder, from now on, if there is one."""
    path = place("bytecode")
    if path is None or any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    folder = Folder(path, b"weighbridge byte code 1", suffix=".modules", largest_file=_LARGEST_FILE, largest_folder=_LARGEST_FOLDER)
    key = blake2b(repr(program.environment()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    sys.meta_path.insert(0, Finder(folder, f"{key}-"))


def _packed(spec: ModuleSpec) -> _Module | None:
    """A module that was imported; `None` if it wasn't after all."""
    loader = spec.loader
    if not isinstance(loader, _Loader) or loader.code is None or loader.state is None:
        return None
    return loader.path, spec.cached, loader.state, spec.submodule_search_locations is not None, marshal.dumps(loader.code)


def _data(modules: dict[str, _Module]) -> bytes | None:
    """Modules as bytes; `None` if one of their folders has changed while they were imported."""
    folders = program.settled({os.path.dirname(source) for source, *_ in modules.values()})
    return None if folders is None else marshal.dumps((folders, modules))
