"""Finds the fields that a migrated object still lacks or that its new kind doesn't know: `kubectl apply` would refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.apiserver.unknown_fields import UNKNOWN_FIELD
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path
from weighbridge.policies.verdict.absent_kinds import no_matches
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.requests import request_of

_NAMESPACE: Final = "default"
#: The API server's words (apimachinery/pkg/util/validation/field).
_REQUIRED: Final = "Required value"


def lost_kind(obj: JSONObject, definitions: Definitions) -> str:
    """The error if an object's kind isn't in its family's group any more; empty if it is, or if not all kinds of the group are known."""
    gvk = GroupVersionKind.from_object(obj)
    family = family_of(gvk.group) if gvk is not None else None
    if gvk is None or family is None or gvk.group not in family.complete_groups or definitions.versions(gvk.group, gvk.kind):
        return ""
    finding = no_matches(gvk, definitions, is_whole=True)
    return f"{finding.message}; remove the object, or write the kind that replaced it" if finding is not None else ""


def remains(obj: JSONObject, definitions: Definitions, config: Configuration) -> Iterator[tuple[Path, str]]:
    """Each field of the spec that is unknown or missing, with what to do about it."""
    facts = from_objects((), definitions)
    decision = decide(request_of(obj, definitions, uid="migrate", namespace=_NAMESPACE), facts, config, Phase.APISERVER)
    for finding in decision.findings:
        if finding.path[:1] != ("spec",):
            continue
        if finding.rule == UNKNOWN_FIELD:
            nearest = f"; did you mean {finding.nearest}?" if finding.nearest else ""
            yield finding.path, f"its kind has no such field; remove it, or write the field that replaced it{nearest}"
        elif finding.message.startswith(_REQUIRED):
            yield finding.path, "its kind requires this field; write it"
