"""What validation insists on. All of it for a new definition; less where the stored one is worse already.

Source: ``validationOptions`` in k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.acceptance.rule_types import StoredExpressions
from weighbridge.policies.ground.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Options:
    """The defaults are those of a creation."""

    allow_defaults: bool = True
    recognized_review_version: bool = True
    immutable_names: bool = False
    schema_in_all_versions: bool = True
    valid_types: bool = True
    structural_schema: bool = True
    pruned_defaults: bool = True
    atomic_set_items: bool = True
    sound_list_keys: bool = True
    #: Versions whose schema hasn't changed: what a single rule costs isn't asked again.
    unchanged_versions: frozenset[str] = frozenset()
    suppress_expression_cost: bool = False
    stored_expressions: StoredExpressions = field(default_factory=StoredExpressions)
    #: Until the definition is established a wrong CA bundle is let pass.
    allow_bad_ca_bundle: bool = True
    #: Versions (empty: all) that had too many selectable fields already.
    too_many_selectable: frozenset[str] = frozenset()
