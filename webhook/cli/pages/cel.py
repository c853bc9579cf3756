"""`weighbridge rules --explain-cel`: the CEL rules of a CRD, with their types, costs and generated Python."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator

from weighbridge.policies.cel.rules.explanation import RuleExplanation, explain
from weighbridge.policies.ground.objects import JSONObject, lookup
from weighbridge.policies.schema.node import Schema
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.manifest_reader import read
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.escapes import shown

#: The limit of a rule's estimated cost, for all its evaluations on one object.
_LIMIT = 10_000_000


def explanations(wanted: str) -> Iterator[tuple[str, RuleExplanation]]:
    """The rules of ``CRD`` or ``CRD#FIELD``, each with its version. Raises InputError.

    ``CRD`` is a file, or a bundled CRD by its name (``models.inference.llmkube.dev``) or kind. ``FIELD`` is the path of a field, such as
    ``spec.customTemplates[].hardware``, without indexes.
    """
    named, _, field = wanted.partition("#")
    crds = _from_file(named) if os.path.exists(named) else _bundled(named)
    found = [
        (f"{lookup(crd, ('spec', 'group'))}/{version.get('name')} {lookup(crd, ('spec', 'names', 'kind'))}", explanation)
        for crd in crds
        for version in lookup(crd, ("spec", "versions")) or ()
        for explanation in explain(Schema(lookup(version, ("schema", "openAPIV3Schema")) or {}), field)
    ]
    if field and not found:
        raise InputError(f"{wanted}: there is no rule at or below {field}; without #{field} all are shown")
    yield from found


def _from_file(path: str) -> list[JSONObject]:
    from weighbridge.policies.apiserver.definitions import DefinitionError, read_crd

    reading = read([path])
    error = reading.first_error()
    if error is not None:
        raise InputError(str(error))
    crds = [manifest.value for manifest in reading.manifests if manifest.value.get("kind") == "CustomResourceDefinition"]
    if not crds:
        raise InputError(f"{path}: no CustomResourceDefinition in there")
    try:
        for crd in crds:
            read_crd(crd)
    except DefinitionError as wrong:
        raise InputError(f"{path}: {wrong}") from None
    return crds


def _bundled(name: str) -> list[JSONObject]:
    crds = list(bundled_crds())
    chosen = [crd for crd in crds if name in (crd["metadata"]["name"], crd["spec"]["names"]["kind"])]
    if not chosen:
        names = [crd["metadata"]["name"] for crd in crds]
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"bundled are {', '.join(names)}"
        raise InputError(f"{name}: neither a file nor a bundled CRD; {hint}")
    return chosen


def text_of(found: Iterable[tuple[str, RuleExplanation]]) -> Iterator[str]:
    """The explanations for people, line by line."""
    count = 0
    for kind, explanation in found:
        count += 1
        yield shown(f"{kind} {explanation.field or '(root)'}, rule {explanation.index + 1}")
        for label, text in _facts(explanation):
            for start, line in enumerate(text.splitlines() or [""]):
                yield shown(f"  {label if start == 0 else '':9}{line}".rstrip())
        yield from (shown(f"    {line}".rstrip()) for line in explanation.source.splitlines())
        yield ""
    yield f"{count} rule{'' if count == 1 else 's'}"


def _facts(explanation: RuleExplanation) -> Iterator[tuple[str, str]]:
    rule, verdict = explanation.rule, explanation.verdict
    yield "rule", rule.rule.strip()
    if rule.message:
        yield "message", rule.message
    if rule.message_expression:
        yield "message", rule.message_expression
    for error in (verdict.error, verdict.message_error):
        if error:
            yield "error", error
    if verdict.error:
        return
    yield "type", f"{explanation.type}; self is {explanation.self_type}"
    if verdict.uses_old_self:
        yield "when", "on updates, where there is an old value" + ("; on creations too (optionalOldSelf)" if rule.optional_old_self else "")
    often = f"{explanation.evaluations:,} evaluation{'' if explanation.evaluations == 1 else 's'}"
    yield "cost", f"by estimate at most {verdict.max_cost:,}; {often} on one object: {explanation.max_cost:,} of {_LIMIT:,}"
    yield "python", "the fast form, and the full form to which it falls back"
