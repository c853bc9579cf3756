"""`make family NAME=<name> CRD=<file>`: writes a small family that works, to be changed into the real one.

It is the one of `tests/families/scratch.py` under another name, with another kind and two fields of its spec, the CRD as it is given, and
its lines in the files that name every family (`tables.py`). Exit code 2: nothing was written, since the name or the CRD can't be used.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from tests.architecture.names import names_in
from tests.conftest import ROOT
from tests.families.scratch import FILES
from tests.programs.family.fields import MOST, Fields, example, fields_of
from tests.programs.family.names import renaming, setting_of, without_default
from tests.programs.family.tables import CONTRACTS, PAGE, SETTINGS, UPSTREAM, with_container, with_folders, with_settings, with_upstream
from weighbridge.policies.ground.fields import flag, items, part, text

_WITHOUT_NUMBER: Final = (
    "The files have a field `sheets`, since the CRD's spec lacks a whole number without limits. Take a field that it has."
)
_NAME: Final = re.compile(r"[a-z][a-z0-9]*")


class UnusableError(Exception):
    """A name or a CRD that can't be used for a family."""


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write the family, and print its files."""
    try:
        name, source = _arguments(arguments, root)
        definition = _definition(source)
        found = fields_of(definition)
        fields = found or Fields("sheets", "", {})
        written = _files(name, definition, source, fields)
    except UnusableError as error:
        print(f"family: {error}", file=sys.stderr)
        return 2
    for path, content in written.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
        print(path)
    for path, said, whole in _tables(name, definition, source, root, fields):
        (root / path).write_text(whole, encoding="utf-8")
        print(f"{path}: {said}")
    if found is None:
        print(_WITHOUT_NUMBER)
    if not fields.text:
        print("No default is filled in, since the CRD's spec lacks an optional text without limits.")
    if fields.refusal:
        print(f"The API server refuses the spec of both cases. Write one that it accepts. It says: {fields.refusal}")
    print(f"The predictions, the rule and the cases are about `{fields.number}`. Write what your operator does, and run `make check`.")
    return 0


def _arguments(arguments: Sequence[str], root: Path) -> tuple[str, Path]:
    name, file = [*arguments, "", ""][:2]
    if not name or not file:
        raise UnusableError("name the family and the file of its CRD: make family NAME=kubeai CRD=../kubeai/kubeai.org_models.yaml")
    if not _NAME.fullmatch(name):
        raise UnusableError(f"{name!r} can't be the name of a family: write small letters and digits")
    if next((root / "policies" / "families" / name).rglob("*.py"), None) is not None:
        raise UnusableError(f"policies/families/{name} exists already: choose another name, or change what is there")
    if place := next(_places_of(name, root), ""):
        raise UnusableError(f"{name!r} is used in {place}: choose a distinctive name, which no other code uses")
    return name, Path(file)


def _places_of(name: str, root: Path) -> Iterator[str]:
    """The files of other code that use the name, which a test forbids."""
    families = root / "policies" / "families"
    for path in sorted(path for folder in ("policies", "webhook", "certs") for path in (root / folder).rglob("*.py")):
        is_of_a_family = path.is_relative_to(families) and path.parent != families
        if not is_of_a_family and name in path.read_text(encoding="utf-8") and next(names_in(path, frozenset({name})), None):
            yield path.relative_to(root).as_posix()


def _definition(path: Path) -> dict[str, Any]:
    """The CRD in a file."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UnusableError(f"{path} can't be read: {error}") from error
    if not isinstance(found, dict) or found.get("kind") != "CustomResourceDefinition":
        raise UnusableError(f"{path}: write one CustomResourceDefinition into the file, and nothing else")
    names = part(part(found, "spec"), "names")
    if not (text(part(found, "spec"), "group") and text(names, "kind") and text(names, "plural") and _version(found)):
        raise UnusableError(f"{path}: the CRD lacks spec.group, spec.names.kind, spec.names.plural, or a version with `storage: true`")
    schema = next((part(version, "schema", "openAPIV3Schema") for version in items(part(found, "spec"), "versions")), {})
    if "spec" not in part(schema, "properties"):
        raise UnusableError(f"{path}: the objects have no spec. Write the family by hand; policies/families/inference_extension is small")
    return found


def _version(definition: dict[str, Any]) -> str:
    """The version that is stored."""
    return next((text(version, "name") for version in items(part(definition, "spec"), "versions") if flag(version, "storage")), "")


def _files(name: str, definition: dict[str, Any], source: Path, fields: Fields) -> dict[str, str]:
    """The files of the small family in the new one's words, with the CRD as it was given."""
    spec, version = part(definition, "spec"), _version(definition)
    renamed = renaming(name, definition, version, fields)
    small = FILES if fields.text else without_default(FILES)
    files = {renamed(path): renamed(content) for path, content in small.items() if "/crds/" not in path}
    for path in [path for path in files if path.endswith("/object.yaml")]:
        number = MOST if "/accepts-" in path else MOST + 1
        obj = example(definition, version, {fields.number: number, **fields.rest})
        files[path] = yaml.safe_dump(obj, default_flow_style=None, sort_keys=False, width=130)
    crd = f"policies/families/{name}/crds/{text(spec, 'group')}_{text(part(spec, 'names'), 'plural')}.yaml"
    return files | {crd: source.read_text(encoding="utf-8")}


def _tables(name: str, definition: dict[str, Any], source: Path, root: Path, fields: Fields) -> Iterator[tuple[str, str, str]]:
    """The files that name every family: what each gets, and its text with that."""

    def text_of(path: str) -> str:
        return (root / path).read_text(encoding="utf-8")

    kind, group = text(part(part(definition, "spec"), "names"), "kind"), text(part(definition, "spec"), "group")
    yield PAGE, "two lines in the tree", with_folders(text_of(PAGE), name)
    yield CONTRACTS, "a line in the contract about the rooms of a family", with_container(text_of(CONTRACTS), name)
    if fields.text:
        yield SETTINGS, "a section about its setting", with_settings(text_of(SETTINGS), name, kind, fields.text, setting_of(fields.text))
    corpus = root.resolve().parent / "shared" / "corpus"
    folder = source.resolve().parent
    if folder.is_relative_to(corpus):
        added = with_upstream(text_of(UPSTREAM), group, folder.relative_to(corpus).as_posix())
        yield UPSTREAM, "the folder of upstream's CRD", added


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
