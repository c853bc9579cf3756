"""The bill of materials: every package in the image with version and licence, as CycloneDX 1.6 and as a list for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final

from deploy.image.debian import Package

_LICENCE_LINE: Final = re.compile(r"^License: *([A-Za-z][\w.+ -]{0,60}?) *$", re.MULTILINE)
#: Older copyright files name no licence, but the file of Debian's that has its text.
_COMMON: Final = re.compile(r"/usr/share/common-licenses/([A-Za-z]+(?:-\d(?:\.\d)?)?)")
#: Others name it in a sentence.
_SENTENCE: Final = re.compile(r"GNU (?:Lesser |Library )?General\s+Public\s+License|Python License")
_CLASSIFIER: Final = "License :: OSI Approved :: "
_UNKNOWN: Final = "see its copyright file"


def bill(packages: Sequence[Package], wheels: Sequence[Distribution], root: Path, image: str) -> dict[str, Any]:
    """The document of an image. It holds neither time nor serial number, so that builds of the same packages are alike."""
    components = [_debian(package, root) for package in packages] + [_wheel(wheel) for wheel in wheels]
    own = next(wheel for wheel in wheels if wheel.name == "weighbridge")
    subject = {"type": "container", "name": image, "version": own.version}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": subject}, "components": components}


def listed(document: dict[str, Any]) -> str:
    """The licences as text, a line a package: name, version, licence."""
    return "".join(f"{name}\t{version}\t{licence}\n" for name, version, licence in _rows(document))


def _rows(document: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for component in document["components"]:
        licences = [entry["license"]["name"] for entry in component["licenses"]]
        yield component["name"], component["version"], ", ".join(licences)


def _debian(package: Package, root: Path) -> dict[str, Any]:
    text = root / "usr/share/doc" / package.name / "copyright"
    written = text.read_text(errors="replace") if text.exists() else ""
    found = next(
        (names for form in (_LICENCE_LINE, _COMMON, _SENTENCE) if (names := {" ".join(name.split()) for name in form.findall(written)})),
        set(),
    )
    purl = f"pkg:deb/debian/{package.name}@{package.version}?arch={package.architecture}"
    return _component(package.name, package.version, purl, sorted(found))


def _wheel(wheel: Distribution) -> dict[str, Any]:
    metadata = wheel.metadata.json
    classifiers = [value.removeprefix(_CLASSIFIER) for value in metadata.get("classifier", []) if value.startswith(_CLASSIFIER)]
    expression = str(metadata.get("license_expression") or metadata.get("license") or "")
    # Some packages have the whole text of their licence in this field.
    found = [expression] if expression and "\n" not in expression else classifiers
    return _component(wheel.name, wheel.version, f"pkg:pypi/{wheel.name.lower().replace('_', '-')}@{wheel.version}", found)


def _component(name: str, version: str, purl: str, licences: Sequence[str]) -> dict[str, Any]:
    named = [{"license": {"name": licence}} for licence in licences or [_UNKNOWN]]
    return {"type": "library", "name": name, "version": version, "purl": purl, "licenses": named}
