"""The product's own kinds among manifests: a Configuration is checked as `weighbridge config check` does, a Snapshot as it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from weighbridge.policies.config import API_VERSION
from weighbridge.policies.config import KIND as CONFIGURATION
from weighbridge.policies.facts.document import KIND as SNAPSHOT
from weighbridge.policies.facts.document import is_snapshot, mistakes
from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.webhook.manifests import Document, InputIssue, Manifest
from weighbridge.webhook.manifests.errors import duplicate_key

if TYPE_CHECKING:
    from weighbridge.webhook.configuration.reader import CRDs

_KINDS: Final = (CONFIGURATION, SNAPSHOT)


def own_issues(manifest: Manifest, crds: CRDs) -> Iterator[InputIssue]:
    """The mistakes of a document's first object, as one of the product's own group or as an object in a Snapshot.

    `crds` gives the CRDs by which the expressions of policies are checked. Mistakes of the text itself are left out, except repeated keys,
    which nothing else finds in the product's own kinds.
    """
    document = manifest.document
    if manifest.prefix and manifest.value is not document.value:
        if is_snapshot(document.value):
            yield from (_issue(document, path, text) for path, text in mistakes(document.value))
        else:
            yield _issue(document, (*manifest.prefix, "kind"), f"an object of {API_VERSION} has to be a document by itself")
        return
    repeated = {duplicate_key(field(path)) for path in document.duplicate_fields}
    found = (issue for issue in document.issues if issue.message in repeated)
    yield from (InputIssue(issue.source, issue.line, issue.column, issue.message) for issue in found)
    kind = str(document.value.get("kind"))
    if kind == CONFIGURATION:
        yield from _of_configuration(document, crds)
    elif kind == SNAPSHOT:
        yield from (_issue(document, path, text) for path, text in mistakes(document.value))
    else:
        near = close_matches(kind, _KINDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the kinds of {API_VERSION} are {' and '.join(_KINDS)}"
        yield _issue(document, ("kind",), f"no such kind; {hint}")


def _of_configuration(document: Document, crds: CRDs) -> Iterator[InputIssue]:
    from weighbridge.webhook.configuration.mistake import ConfigurationError
    from weighbridge.webhook.configuration.reader import read_document

    try:
        read_document(document, crds=crds)
    except ConfigurationError as error:
        for mistake in error.mistakes:
            place = document.position(())
            line, column = (mistake.line, mistake.column) if mistake.line else (place.line, place.column)
            text = f"{mistake.field}: {mistake.message}" if mistake.field else mistake.message
            yield InputIssue(document.source, line, column, text)


def _issue(document: Document, path: Path, text: str) -> InputIssue:
    place = document.position(path)
    return InputIssue(document.source, place.line, place.column, f"{field(path)}: {text}")
