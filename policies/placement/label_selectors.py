"""Label selectors (``meta/v1 LabelSelector``) as pods and claims use them to choose pods, namespaces and volumes."""

from __future__ import annotations

from collections.abc import Mapping

from policies.facts.requirements import read_requirements
from policies.fields import items, text_map
from policies.objects import JSONValue


def selects(selector: JSONValue, labels: Mapping[str, str]) -> bool:
    """Whether a selector chooses an object with these labels; an absent selector chooses nothing, an empty one everything."""
    if not isinstance(selector, dict):
        return False
    wanted = text_map(selector, "matchLabels").items()
    expressions = read_requirements(items(selector, "matchExpressions"))
    return all(labels.get(key) == value for key, value in wanted) and all(
        wanted.operator not in ("Gt", "Lt") and wanted.holds(labels) for wanted in expressions
    )


def labels_of(selector: JSONValue) -> set[str]:
    """The labels that a selector looks at."""
    return {*text_map(selector, "matchLabels"), *(wanted.key for wanted in read_requirements(items(selector, "matchExpressions")))}
