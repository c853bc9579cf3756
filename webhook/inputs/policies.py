"""The policies that `--policies` names, with their bindings and parameters, as known objects."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.admission_policies.acceptance import KINDS, problems_of
from weighbridge.policies.admission_policies.declarations import GROUP
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.server_release import judging
from weighbridge.webhook.inputs.facts import release_for
from weighbridge.webhook.manifests import InputIssue, Manifest, Standing, documents, manifests, sources, standing
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text, warn

_BINDINGS: Final = ("ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding")


def read_policies(paths: Sequence[str], kubernetes: str) -> list[Manifest]:
    """The objects of files and folders; `kubernetes` is the server's version.

    Raises InputError with every policy that the server wouldn't store, one a line.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise InputError(f"--policies {as_text(path)}: no such file or folder; name one with policies and their bindings")
    found = list(_read(paths))
    kinds = {manifest.value.get("kind") for manifest in found if _is_of_group(manifest.value)}
    if kinds.isdisjoint(_BINDINGS):
        named = ", ".join(map(as_text, paths))
        raise InputError(f"--policies {named}: no binding of a policy in there, so no policy would apply; add a {_BINDINGS[0]}")
    with judging(release_for(kubernetes)):
        wrong = [text for manifest in found for text in _problems(manifest)]
    if wrong:
        raise InputError("\n".join(wrong))
    return found


def _is_of_group(obj: JSONObject) -> bool:
    gvk = GroupVersionKind.from_object(obj)
    return gvk is not None and gvk.group == GROUP


def _problems(manifest: Manifest) -> Iterator[str]:
    """The errors for which the server wouldn't store a policy or a binding."""
    if not _is_of_group(manifest.value) or manifest.value.get("kind") not in KINDS:
        return
    for error in problems_of(manifest.value):
        line = manifest.position(steps(error.field)).line
        yield f"{as_text(manifest.document.source)}:{line}: {manifest.label}: {error}"


def _read(paths: Sequence[str]) -> Iterator[Manifest]:
    for source in sources(paths, stdin=sys.stdin.buffer, tell=warn):
        if isinstance(source, InputIssue):
            raise InputError(f"{source} (--policies)")
        for document in documents(source.name, source.data):
            what = standing(document)
            if what is Standing.UNREADABLE:
                raise InputError(f"{document.errors[0]} (--policies)")
            for entry in manifests(document) if what is Standing.MANIFEST else ():
                if isinstance(entry, InputIssue):
                    raise InputError(f"{entry} (--policies)")
                yield entry
