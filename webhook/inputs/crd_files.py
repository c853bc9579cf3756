"""Reads the CRDs that `--crds` names; an API server must accept each, since objects are judged by them.

Each content is checked only once, as long as the compile cache remembers it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.judgement import field_error_findings, in_manifest
from weighbridge.webhook.inputs.compile_cache import compile_cache
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.texts.errors import InputError

_API_VERSION: Final = "apiextensions.k8s.io/v1"
_ACCEPTED: Final = b"accepted"
#: The most errors that are shown for one file; more usually have one cause.
_MOST_ERRORS: Final = 20


def accepted_crds(paths: Sequence[str], entries: Sequence[Manifest | InputIssue]) -> list[JSONObject]:
    """The CRDs among `entries`, which come from the paths.

    Raises InputError with the server's errors, one a line with its place.
    """
    unreadable = next((entry for entry in entries if isinstance(entry, InputIssue)), None)
    if unreadable is not None:
        raise InputError(f"{unreadable} (CRDs)")
    crds = [manifest for manifest in entries if isinstance(manifest, Manifest) and manifest.value.get("kind") == "CustomResourceDefinition"]
    if paths and not crds:
        raise InputError(f"{', '.join(paths)}: no CustomResourceDefinition in there")
    errors = [error for crd in crds for error in _errors(crd)]
    if errors:
        more = len(errors) - _MOST_ERRORS
        raise InputError("\n".join([*errors[:_MOST_ERRORS], *([f"and {more} more"] if more > 0 else [])]))
    return [crd.value for crd in crds]


def _errors(manifest: Manifest) -> Iterator[str]:
    """The server's errors of a CRD; none if it is of another version, for which `Definitions` has its own message."""
    if manifest.value.get("apiVersion") != _API_VERSION:
        return
    cache = compile_cache()
    key = f"accepted/{_digest(manifest.value)}"
    if cache is not None and cache.get(key) == _ACCEPTED:
        return
    from weighbridge.policies.apiserver.acceptance import acceptance_errors

    found = acceptance_errors(manifest.value)
    for finding in map(in_manifest, field_error_findings(found)):
        place = manifest.position(finding.path)
        yield f"{manifest.document.source}:{place.line}:{place.column}: {manifest.label}: {finding}"
    if cache is not None and not found:
        cache.put(key, _ACCEPTED)


def _digest(crd: JSONObject) -> str:
    import orjson

    try:
        text = orjson.dumps(crd, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        # It nests too deep for orjson, or has surrogates.
        from weighbridge.webhook.texts.json_text import dumps

        text = dumps(crd)
    return hashlib.sha256(text).hexdigest()
