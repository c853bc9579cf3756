"""From what the command line names to what the engine takes: facts, CRDs, configuration, manifests.

Everything that can't be used becomes an `InputError` that names the file and the place; a manifest that can't be read doesn't stop the
others, it comes back as an issue beside them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from policies.apiserver.definitions import Definitions
from policies.config import DEFAULT, Configuration
from policies.facts import Facts, from_objects
from policies.objects import GroupVersionKind, JSONObject, metadata_of, namespace_of
from policies.objects import field as field_text
from webhook.bundled import BundledStandIns
from webhook.cluster_files import read_cluster
from webhook.compile_cache import compile_cache
from webhook.errors import InputError
from webhook.manifests import Document, InputIssue, IssueKind, Manifest, Standing, documents, manifests, sources, standing
from webhook.manifests.errors import duplicate_key


@dataclass(slots=True)
class Reading:
    """What a set of paths holds, in the order of the text; `passed_over` are the documents that are no manifests."""

    entries: list[Manifest | InputIssue] = field(default_factory=list)
    passed_over: list[Standing] = field(default_factory=list)
    files: int = 0

    @property
    def manifests(self) -> Iterator[Manifest]:
        """The objects."""
        return (entry for entry in self.entries if isinstance(entry, Manifest))

    def first_error(self) -> InputIssue | None:
        """The first thing that can't be read at all."""
        return next((entry for entry in self.entries if isinstance(entry, InputIssue)), None)


def read(paths: Iterable[str], stdin: BinaryIO | None = None) -> Reading:
    """Read every manifest that the paths name; what can't be read is among the entries."""
    reading = Reading()
    for source in sources(paths, stdin=stdin or sys.stdin.buffer):
        if isinstance(source, InputIssue):
            reading.entries.append(source)
            continue
        reading.files += 1
        for document in documents(source.name, source.data):
            _take(document, reading)
    return reading


def _take(document: Document, reading: Reading) -> None:
    what = standing(document)
    if what is Standing.MANIFEST:
        reading.entries.extend(manifests(document))
    elif what is Standing.UNREADABLE:
        reading.entries.extend(issue for issue in document.issues if issue.kind is IssueKind.ERROR)
    else:
        reading.passed_over.append(what)


def duplicates_of(manifest: Manifest) -> list[str]:
    """The fields of the object that stand twice in its text, as the API server names them."""
    start = field_text(manifest.prefix)
    within = f"{start}." if start else ""
    return [path.removeprefix(within) for path in manifest.document.duplicate_fields if path.startswith(within)]


def is_duplicate(issue: InputIssue, document: Document) -> bool:
    """Whether the issue is a field that stands twice, which the engine reports as a finding."""
    return issue.message in {duplicate_key(path) for path in document.duplicate_fields}


def _is_crd(obj: JSONObject) -> bool:
    return obj.get("kind") == "CustomResourceDefinition"


def bundled_definitions(config: Configuration = DEFAULT) -> Definitions:
    """The definitions of the families' kinds, as far as their CRDs ship, of the versions that the configuration names."""
    nothing = Definitions()
    return nothing.completed_by(BundledStandIns(nothing, config))


def load_facts(
    cluster: Sequence[str] = (),
    crds: Sequence[str] = (),
    given: Iterable[JSONObject] = (),
    namespace: str = "default",
    config: Configuration = DEFAULT,
) -> Facts:
    """Facts from snapshots of the cluster, folders of CRDs, and the objects given beside the judged one.

    Of two CRDs for one kind the nearer wins: `--crds`, then those given, then the cluster's, then the bundled, which are of the version
    that the others are of, else of that in the configuration. A given CRD that can't be used is left out: whoever lints it hears of it
    there. Given objects that name no namespace are those of `namespace`. Raises InputError.
    """
    objects, extent = read_cluster(cluster)
    own = list(given)
    named = _read_crds(crds) if crds else []
    for path, foreign in ((cluster, objects), (crds, named)):
        issues = Definitions.from_manifests(filter(_is_crd, foreign)).issues
        if issues:
            raise InputError(f"{', '.join(path)}: {'; '.join(map(str, issues))}")
    known = [obj for obj in (*objects, *own, *named) if _is_crd(obj)]
    installed = Definitions.from_manifests(known, cache=compile_cache())
    definitions = installed.completed_by(BundledStandIns(installed, config))
    return from_objects(objects, definitions, beside=(_settled(obj, namespace, definitions) for obj in own), extent=extent)


def _read_crds(paths: Sequence[str]) -> list[JSONObject]:
    from webhook.crd_files import accepted_crds

    return accepted_crds(paths, read(paths))


def _settled(obj: JSONObject, namespace: str, definitions: Definitions) -> JSONObject:
    """A given object where it would be created: in `namespace` if it names none and isn't of a cluster-scoped kind."""
    gvk = GroupVersionKind.from_object(obj)
    definition = definitions.get(gvk) if gvk is not None else None
    if namespace_of(obj) or (definition is not None and not definition.namespaced):
        return obj
    return {**obj, "metadata": {**metadata_of(obj), "namespace": namespace}}


def load_configuration(path: str) -> Configuration:
    """Read the configuration. Raises InputError with file, line, field and what would be right."""
    from webhook.configuration import read_configuration

    return read_configuration(path)
