"""The fields of the CRDs that were added, removed or changed: compares upstream's present CRDs with the bundled ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from tests.programs.upstream.checkout import Checkout
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.webhook.inputs.bundled import bundled_crds

_CRD: Final = "CustomResourceDefinition"
#: Fields without a meaning for the server, or that a tool adds.
_IGNORED: Final = frozenset({"description", "additionalPrinterColumns", "singular", "listKind", "categories", "shortNames"})
_LONGEST: Final = 100


def compared_crds(upstream: Upstream, checkout: Checkout) -> Iterator[str]:
    """One line for each difference, by kind and field."""
    ours = {crd["metadata"]["name"]: crd for crd in bundled_crds() if crd["spec"]["group"] in upstream.groups}
    theirs = _of_checkout(upstream, checkout)
    release = checkout.revision(upstream.release)
    # A kind that was removed by the release ships for earlier releases.
    before = _of_checkout(upstream, checkout, release) if release else ours
    for name in sorted({*ours, *theirs}):
        if name in theirs and name in ours:
            yield from (f"{name}: {line}" for line in _differences(_bare(ours[name]["spec"]), _bare(theirs[name]["spec"]), ""))
        elif name in theirs:
            yield f"{name}: new; no CRD of it is bundled"
        elif name in before:
            yield f"{name}: no longer in {upstream.crds}"


def _of_checkout(upstream: Upstream, checkout: Checkout, revision: str = "") -> Mapping[str, Any]:
    found = {}
    for _, text in checkout.texts(upstream.crds, ".yaml", revision):
        for document in yaml.load_all(text, Loader=yaml.CSafeLoader):
            if isinstance(document, dict) and document.get("kind") == _CRD and document["spec"]["group"] in upstream.groups:
                found[document["metadata"]["name"]] = document
    return found


def _bare(value: Any) -> Any:
    """A value without fields that have no meaning for the server; versions by their names, and required fields sorted."""
    if isinstance(value, dict):
        # A property may have any of these names.
        return {
            key: sorted(inner) if key == "required" and isinstance(inner, list) else _named(key, inner)
            for key, inner in value.items()
            if key not in _IGNORED or isinstance(inner, dict)
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _named(key: str, inner: Any) -> Any:
    if key == "versions" and isinstance(inner, list):
        return {version["name"]: _bare(version) for version in inner}
    return _bare(inner)


def _differences(ours: Any, theirs: Any, path: str) -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            below = path if key in ("properties", "schema", "openAPIV3Schema") else f"{path}.{key}".lstrip(".")
            if key not in theirs:
                yield f"{below} is gone"
            elif key not in ours:
                yield f"{below} is new: {_shown(theirs[key])}"
            else:
                yield from _differences(ours[key], theirs[key], below)
    elif ours != theirs:
        yield f"{path} is {_shown(theirs)}, and was {_shown(ours)}"


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
