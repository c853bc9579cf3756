"""The command lines of programs that take numbers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def numbers(arguments: Sequence[str], **defaults: int) -> list[int]:
    """The numbers that a program is given, in the order of their names.

    `--help` prints its docstring. A mistake ends it with exit code 2.
    """
    program = sys.modules["__main__"]
    parser = argparse.ArgumentParser(
        prog=f"python -m {program.__spec__.name.removesuffix('.__main__')}" if program.__spec__ else None,
        description=program.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, default in defaults.items():
        parser.add_argument(name.replace("_", "-"), nargs="?", type=int, default=default, help=f"default: {default}")
    return list(vars(parser.parse_args(arguments)).values())
