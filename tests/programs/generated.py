"""`make schemas`: writes what is generated from the code, all of it in one process. Tests compare each file with the code."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.command_line import run
from tests.conftest import ROOT
from tests.programs import formats, rule_counts, rule_kinds
from weighbridge.policies.families import families

#: The commands that write files below a folder of the checkout.
_WRITING = (("schema", "--write", "docs/schemas"), ("rules", "--write", "."), ("manifests", "--write", "deploy"))
#: The files that have the output of a command.
_OUTPUTS = {"docs/schemas/openapi.json": ("schema", "openapi"), "deploy/cluster-roles.yaml": ("rules", "-o", "rbac")}


def main() -> int:
    """Write everything. Returns 1 if a command failed, whose errors are printed."""
    for family in families():
        rule_kinds.write(family)
    formats.write()
    rule_counts.write()
    errors = [*_written(), *_from_outputs()]
    print("".join(errors), end="", file=sys.stderr)
    return int(bool(errors))


def _written() -> Iterator[str]:
    for arguments in _WRITING:
        done = run(*arguments, cwd=ROOT)
        if done.returncode:
            yield done.stderr


def _from_outputs() -> Iterator[str]:
    for path, arguments in _OUTPUTS.items():
        done = run(*arguments, cwd=ROOT)
        if done.returncode:
            yield done.stderr
        else:
            (ROOT / path).write_text(done.stdout, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
