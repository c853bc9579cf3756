"""The checks of validation. A new definition gets all of them, an update those that the stored definition passes.

Source: ``validationOptions`` in k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.acceptance.rule_types import StoredExpressions
from weighbridge.policies.ground.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Options:
    """The checks; the defaults are those of a creation."""

    allow_defaults: bool = True
    recognized_review_version: bool = True
    immutable_names: bool = False
    schema_in_all_versions: bool = True
    valid_types: bool = True
    structural_schema: bool = True
    pruned_defaults: bool = True
    atomic_set_items: bool = True
    sound_list_keys: bool = True
    #: Versions whose schema hasn't changed: the cost of single rules isn't checked again.
    unchanged_versions: frozenset[str] = frozenset()
    suppress_expression_cost: bool = False
    stored_expressions: StoredExpressions = field(default_factory=StoredExpressions)
    #: Until the definition is established a wrong CA bundle is accepted.
    allow_bad_ca_bundle: bool = True
    #: Versions that had too many selectable fields already; the empty name means all.
    too_many_selectable: frozenset[str] = frozenset()
