"""Lists what has changed in a checkout of an upstream project since its CRDs were bundled and its code was modelled here.

    python -m tests.programs.upstream SYSTEM FOLDER [COMMIT]

SYSTEM is a family, or one of the projects of a family: llmkube, aim-engine. FOLDER is a checkout, or its git directory, and COMMIT a commit
to read instead of the one that is checked out. The list has the fields of CRDs, the flags and defaults, and the source files that rules and
predictions cite. Exit code 0: nothing to do, 1: a list to work through, 2: the folder can't be read.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.programs.upstream.checkout import Checkout, CheckoutError
from tests.programs.upstream.citations import ROOT, changes, counted
from tests.programs.upstream.crds import compared_crds
from tests.programs.upstream.flags import compared_flags
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.upstream_versions import Upstream

_USAGE: Final = "give a system and a checkout of it: make upstream FAMILY=llmkube DIR=../LLMKube"


def main(arguments: list[str]) -> int:
    """Print the list."""
    given = [argument for argument in arguments if argument]
    if len(given) not in (2, 3):
        print(f"upstream: {_USAGE}", file=sys.stderr)
        return 2
    name = given[0].lower().replace("_", "-")
    try:
        checkout = Checkout(Path(given[1]), *given[2:])
        family, upstream = _named(name, checkout)
        found = _found(family, upstream, checkout)
    except CheckoutError as error:
        print(f"upstream: {error}", file=sys.stderr)
        return 2
    known = " and ".join(family.releases_of(upstream)[-1:])
    print(f"{upstream.named(known)} is bundled; the checkout is {checkout}")
    for title, lines in found.items():
        if lines:
            print(f"\n{title}")
            for line in lines:
                print(f"- {line}")
    print(f"\n{counted(found)}")
    return int(any(found.values()))


def _named(name: str, checkout: Checkout) -> tuple[Family, Upstream]:
    """The project: by its own name, or the project of a family to which the checkout belongs."""
    known = {upstream.key: (family, upstream) for family in families() for upstream in family.upstreams}
    if name in known:
        return known[name]
    family = next((family for family in families() if family.name.replace("_", "-") == name), None)
    if family is None:
        raise CheckoutError(f"no system is named {name}; known are {', '.join(sorted(known))}")
    module = checkout.text("go.mod").partition("\n")[0] if "go.mod" in checkout.files else ""
    for upstream in family.upstreams:
        if upstream.repository.lower() in module.lower():
            return family, upstream
    raise CheckoutError(f"which project of {name} is it? give {' or '.join(upstream.key for upstream in family.upstreams)}")


def _found(family: Family, upstream: Upstream, checkout: Checkout) -> Mapping[str, list[str]]:
    folder = ROOT / "policies" / "families" / family.name
    if not any(path.startswith(f"{upstream.crds}/") for path in checkout.files):
        raise CheckoutError(f"no checkout of {upstream.repository}: {upstream.crds} isn't there")
    crds = list(compared_crds(upstream, checkout))
    flags = list(compared_flags(family, upstream, checkout))
    cited = list(changes(upstream, folder, checkout)) if checkout.has_history else ["without git's history, cited files can't be compared"]
    return {"CRDs": crds, "flags and defaults": flags, "cited sources": cited}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
