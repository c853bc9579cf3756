"""The files that `weighbridge init` writes: settings, a hook, and a job for GitHub or GitLab."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge import __version__
from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.onboarding.found import Found
from weighbridge.webhook.texts.json_text import readable

SETTINGS: Final = "weighbridge.yaml"
BASELINE: Final = ".weighbridge-baseline.json"
_SPECIAL: Final = expression(r"([\\*?\[ ])")
#: The requirement for pip.
PACKAGE: Final = f"weighbridge=={__version__}"

HOOK: Final = f"""\
- repo: local
  hooks:
  - id: weighbridge
    name: weighbridge
    entry: weighbridge lint --force-exclude --context .
    language: python
    additional_dependencies: [{PACKAGE}]
    types_or: [yaml, json]
    require_serial: true
"""
GITHUB: Final = f"""\
name: Weighbridge
on:
  pull_request:
  push:
permissions:
  contents: read
  security-events: write
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with: {{fetch-depth: 0}}
    - uses: actions/setup-python@v5
      with: {{python-version: '3.12'}}
    - run: pip install {PACKAGE}
    - run: weighbridge lint -o text -o github=/dev/stderr -o sarif=weighbridge.sarif
    - if: always()
      uses: github/codeql-action/upload-sarif@v3
      with: {{sarif_file: weighbridge.sarif, category: weighbridge}}
"""
GITLAB: Final = f"""\
weighbridge:
  image: python:3.12
  script:
  - pip install --quiet {PACKAGE}
  - weighbridge lint -o text -o gitlab=gl-code-quality-report.json -o junit=weighbridge-junit.xml
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
      junit: weighbridge-junit.xml
"""


def settings_text(found: Found, *, baseline: bool) -> str:
    """The settings for what a repository has."""
    return "".join(f"{line}\n" for line in _settings(found, baseline=baseline))


def _settings(found: Found, *, baseline: bool) -> Iterator[str]:
    yield "# What weighbridge lint does in this repository. `weighbridge config show` explains each setting."
    yield "# What makes the exit code 1: objects that are refused, and pods that no node can run."
    yield "fail-on: placement"
    if found.configurations:
        yield f"config: {readable(found.configurations[0])}"
    if found.snapshots:
        yield f"cluster: {readable(list(found.snapshots))}"
    else:
        yield "# The nodes and other objects of a cluster. `weighbridge snapshot > cluster.yaml` writes them."
        yield "# cluster: cluster.yaml"
    if found.excluded:
        yield f"# {_why(found)}"
        yield "exclude:"
        yield from (f"- {readable(pattern_of(path))}" for path in found.excluded)
    if baseline:
        yield "# The findings of the first day. Only new ones count."
        yield f"baseline: {BASELINE}"


def _why(found: Found) -> str:
    """Why files are excluded."""
    unreadable, snapshots = "can't be read as YAML or JSON", "hold what a cluster has, and no manifests"
    return f"These files {' or '.join([*([snapshots] if found.snapshots else []), *([unreadable] if found.unreadable else [])])}."


def pattern_of(path: str) -> str:
    """The pattern of an ignore file that names one file."""
    return "/" + _SPECIAL.sub(r"\\\1", path)
