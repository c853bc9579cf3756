"""Values as YAML that kubectl reads back as what they are.

PyYAML leaves a text unquoted where it would itself read a text; kubectl reads `y`, `1e3` or `0o17` otherwise, so those are quoted too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from policies.go_text import json_text
from policies.objects import JSONValue
from webhook.manifests.scalars import resolve


def yaml_text(value: JSONValue) -> str:
    """A value as block YAML, keys in the object's own order; one that nests too deep for that as JSON, which is YAML as well."""
    import yaml

    try:
        text: str = yaml.dump(value, Dumper=_dumper(), sort_keys=False, default_flow_style=False, allow_unicode=True, width=120)
    except RecursionError:
        return f"{json_text(value)}\n"
    return text


def block_text(text: str) -> str:
    """A YAML text of ours as block YAML."""
    import yaml

    return yaml_text(yaml.safe_load(text))


@cache
def _dumper() -> Any:
    """A dumper that shares nothing and quotes what kubectl would take for something else."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # the base is found at run time
        def ignore_aliases(self, data: object) -> bool:
            return True

    def text(dumper: Any, data: str) -> Any:
        is_text = isinstance(resolve(data, None, plain=True), str)
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=None if is_text else "'")

    Dumper.add_representer(str, text)
    return Dumper
