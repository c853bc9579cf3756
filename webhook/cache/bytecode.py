"""Byte code of the program's modules in few files of the cache folder, instead of one file for each module.

Python needs as long to find, open and read the byte code of a module as to run most modules. A file has the modules of one folder that runs
have imported, with the states of their sources and folders. If one of these has changed, the file isn't used, modules are imported as
usual, and the file is written again when the process ends. Each module is unpacked when it is imported, so modules of other runs cost
nothing.

Because of locks and the search, Python's import of a module takes as long as running it. So when a module is found, the modules that it
first imported when it was kept run before it, without locks and search: the same ones in the same order. Imports in functions, and modules
that aren't kept, are imported as usual.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType

from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache import program
from weighbridge.webhook.cache.folder import Folder, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType

    #: A kept module: where its source and its byte code are, the state of the source, whether it is a package, the modules that its
    #: body imported first, and its code as bytes.
    _Module = tuple[str, str | None, program.State, bool, tuple[str, ...], bytes]

_OURS = "weighbridge"
_LARGEST_FILE = 16 << 20
_LARGEST_FOLDER = 64 << 20


class _Loader(SourceFileLoader):
    """Loads a module from its kept code, or else as usual, and keeps the code and what its body imports first."""

    #: The loaders of the modules whose bodies are running.
    running: list[_Loader] = []  # noqa: RUF012 - all of the process's

    def __init__(self, name: str, path: str, code: CodeType | None = None) -> None:
        self.name = name
        self.path = path
        self.code = code
        self.state: program.State | None = None
        self.needs: list[str] = []

    def exec_module(self, module: ModuleType) -> None:
        self.running.append(self)
        try:
            super().exec_module(module)
        finally:
            self.running.pop()

    def get_code(self, fullname: str) -> CodeType | None:
        if self.code is None:
            # A change after this makes the code outdated.
            self.state = program.state(self.path)
            self.code = super().get_code(fullname)
        return self.code


class Finder:
    """Finds modules of the program in the cache folder, and keeps missing ones there; `key` begins the names of its files."""

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
        if _Loader.running:
            _Loader.running[-1].needs.append(name)
        found = self._known(package).get(name)
        if found is None:
            return self._found_elsewhere(name, path, target)
        self._run(found[4])
        return self._spec(name, found)

    def _known(self, package: str) -> dict[str, _Module]:
        room = self._key + package
        known = self._rooms.get(room)
        if known is None:
            known = self._rooms[room] = self._read(room)
        return known

    def _run(self, names: Iterable[str]) -> None:
        """Import modules that are kept and weren't imported yet; others are left to the modules that import them."""
        modules = sys.modules
        for name in names:
            if name in modules:
                continue
            package, _, child = name.rpartition(".")
            found, parent = self._known(package).get(name), modules.get(package)
            if found is None or parent is None:
                continue
            self._run(found[4])
            if name in modules:
                continue
            spec = self._spec(name, found)
            loader, module = spec.loader, ModuleType(name)
            parts: dict[str, object] = {"__spec__": spec, "__loader__": loader, "__package__": package}
            parts |= {"__file__": found[0], "__cached__": found[1]}
            if found[3]:
                parts |= {"__package__": name, "__path__": spec.submodule_search_locations}
            vars(module).update(parts)
            modules[name] = module
            try:
                exec(loader.code, vars(module))  # type: ignore[union-attr]  # noqa: S102 - as any import
            except BaseException:
                modules.pop(name, None)
                raise
            setattr(parent, child, modules[name])

    @staticmethod
    def _spec(name: str, found: _Module) -> ModuleSpec:
        source, cached, _, is_package, _, packed = found
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
        sources = {module[0]: module[2] for module in modules.values()}
        return modules if program.are_imported(folders | sources) else {}

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
    folder = Folder(path, b"weighbridge byte code 2", suffix=".modules", largest_file=_LARGEST_FILE, largest_folder=_LARGEST_FOLDER)
    key = blake2b(repr(program.environment()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    sys.meta_path.insert(0, Finder(folder, f"{key}-"))


def _packed(spec: ModuleSpec) -> _Module | None:
    """An imported module in the form that is kept; `None` if it wasn't imported."""
    loader = spec.loader
    if not isinstance(loader, _Loader) or loader.code is None or loader.state is None:
        return None
    is_package, needs = spec.submodule_search_locations is not None, tuple(dict.fromkeys(loader.needs))
    return loader.path, spec.cached, loader.state, is_package, needs, marshal.dumps(loader.code)


def _data(modules: dict[str, _Module]) -> bytes | None:
    """Modules as bytes; `None` if one of their folders has changed while they were imported."""
    folders = program.settled({os.path.dirname(source) for source, *_ in modules.values()})
    return None if folders is None else marshal.dumps((folders, modules))
