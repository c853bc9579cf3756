"""The pages under ``docs/families``: what each family knows, fills in and predicts, and where its rules are listed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from weighbridge.policies.config.sections import key_of
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.webhook.cli.pages.rules import file_of


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {file_of(family): "\n".join(_page(family)) + "\n" for family in families()}


def _page(family: Family) -> Iterator[str]:
    yield f"# {family.title}"
    yield ""
    yield "Written by `make schemas` from the code."
    yield from _kinds(family)
    yield from _fills(family)
    yield from _predicted(family)
    yield from _rules(family)


def _kinds(family: Family) -> Iterator[str]:
    yield "\n## Kinds\n"
    for kind in family.kinds:
        scale = "; its scale is judged too" if kind.scalable else ""
        yield f"- `{kind.gvk.kind}` (`{kind.gvk.api_version}`, {'in a namespace' if kind.namespaced else 'of the cluster'}{scale})"
    if family.versions:
        *others, last = family.versions
        versions = f"{', '.join(others)} and {last}" if others else last
        yield f"\nWeighbridge ships their CRDs of {versions}. The installed CRDs take precedence. Without them the"
        yield f"version is the configured one (`{key_of(family.name)}.version`), else the newest."


def _fills(family: Family) -> Iterator[str]:
    if not family.fills:
        return
    yield "\n## What is filled in\n"
    yield "Weighbridge only fills in fields that the author left empty. A warning, `dry-run` and the audit log show the reason."
    for module in dict.fromkeys(fill.module for fill in family.fills):
        found = [fill for fill in family.fills if fill.module == module]
        names = ", ".join(f"`{fill.field}`" for fill in found)
        yield f"\n### {', '.join(dict.fromkeys(fill.kind for fill in found))}: {names}\n"
        yield found[0].page.strip()


def _predicted(family: Family) -> Iterator[str]:
    if not family.predict:
        return
    yield "\n## What is predicted\n"
    kinds = ", ".join(f"`{kind}`" for kind in family.predict)
    yield f"For {kinds}: `weighbridge dry-run -o effective` shows the objects that the operator will create, with the source of each value."
    yield "`-o json` has the same under `effective`."
    told = (importlib.import_module(f"{family.package}.predictions").__doc__ or "").strip().partition("\n\n")[2]
    if told:
        yield f"\n{told}"


def _rules(family: Family) -> Iterator[str]:
    yield "\n## What is refused and warned of\n"
    index = f"../rules/README.md#{family.title.lower().replace(' ', '-')}"
    yield f"[The index of rules]({index}) lists what is refused in addition to what the CRD's own schema and rules refuse, and"
    yield f"what is warned of. [The rules' page](../rules/{file_of(family)}) has the reason, the source and examples of each."
