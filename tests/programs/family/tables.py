"""The files in which every family has a line, each with the line of a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

PAGE: Final = "docs/architecture.md"
CONTRACTS: Final = "pyproject.toml"
SETTINGS: Final = "docs/configuration.md"
UPSTREAM: Final = "tests/families/test_bundled_crds.py"
_CONTAINER: Final = re.compile(r'  "weighbridge\.policies\.families\.(\w+)",\n')
#: The section that follows those of the families.
_AFTER: Final = "## Namespaces\n"
_SECTION: Final = """\
## {title}

```yaml
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
{name}: {{{key}: yellow}}
```

| key | shape | what it sets |
|---|---|---|
| `{name}.{key}` | text | `{field}` of a {kind} that leaves it out |

"""


def with_folders(page: str, name: str) -> str:
    """The page on the architecture with a family's folders in its tree, where the alphabet has them."""
    return "".join(_with_folders(page.splitlines(keepends=True), name))


def _with_folders(lines: Sequence[str], name: str) -> Iterator[str]:
    is_families, is_done = False, False
    for line in lines:
        folder = re.match(r"( *)(\w+)/", line)
        if is_families and not is_done and folder is not None and len(folder[1]) <= 4 and (len(folder[1]) < 4 or folder[2] > name):
            yield f"    {name}/\n      rules/\n"
            is_done = True
        is_families = is_families or line.startswith("  families/")
        yield line


def with_container(project: str, name: str) -> str:
    """pyproject.toml with a family among the `containers` of the contract about the rooms of a family, where the alphabet has it."""
    lines = list(_CONTAINER.finditer(project))
    after = next((line.start() for line in lines if line[1] > name), lines[-1].end())
    return f'{project[:after]}  "weighbridge.policies.families.{name}",\n{project[after:]}'


def with_settings(page: str, name: str, kind: str, field: str, key: str) -> str:
    """The page on the configuration with a section about the small family's setting."""
    before, after, others = page.rpartition(_AFTER)
    return f"{before}{_SECTION.format(name=name, title=name.capitalize(), kind=kind, field=field, key=key)}{after}{others}"


def with_upstream(module: str, group: str, folder: str) -> str:
    """The test of the bundled CRDs with the folder of a group's own, as the last entry of `UPSTREAM`."""
    before, opening, entries = module.partition("UPSTREAM = {\n")
    own, end, others = entries.partition("}\n")
    return f'{before}{opening}{own}    "{group}": "{folder}",\n{end}{others}'
