"""Trees of files for tests, and the programs that render them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.tools import HELM


def _built() -> dict[str, Path]:
    """The programs that PATH lacks, by name, from the test control plane."""
    assets = find_assets()
    places = {"helm": HELM.find(), "kubectl": assets["kubectl"] if assets is not None else None}
    return {name: place for name, place in places.items() if place is not None and shutil.which(name) is None}


BUILT: Final = _built()


def _is_there(name: str) -> bool:
    return name in BUILT or shutil.which(name) is not None


needs_helm: Final = pytest.mark.skipif(not _is_there("helm"), reason="helm is neither on PATH nor built; build it with: make control-plane")
needs_kustomize: Final = pytest.mark.skipif(
    not (_is_there("kustomize") or _is_there("kubectl")),
    reason="neither kustomize nor kubectl is on PATH, and none is built; build kubectl with: make control-plane",
)

_OBJECT: Final = re.compile(r" \([A-Z]\w*(?: [^ ()]+)?\)$")
MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: NAME, namespace: ai}
spec:
  source: https://example.com/NAME.gguf
  hardware:
    accelerator: cuda
    gpu: {count: 1, vendor: nvidia}
"""
SERVICE: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: NAME, namespace: ai}
spec:
  modelRef: NAME
  replicas: 1
"""


def model(name: str, **changes: str) -> str:
    """A Model without findings, or with changes of its text."""
    text = MODEL.replace("NAME", name)
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    return text


def service(name: str) -> str:
    """A service of the Model with the same name."""
    return SERVICE.replace("NAME", name)


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def said(text: str, *signs: str) -> list[str]:
    """The lines of findings that have some signs in them, without the object that some lines name at the end."""
    return [_OBJECT.sub("", line) for line in text.splitlines() if any(sign in line for sign in signs)]


def program(folder: Path, name: str, script: str) -> None:
    """Puts a program into a folder that will be the PATH."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def no_programs(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH without any program; its folder."""
    folder = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", str(folder))
    return folder
