"""The document as a user writes it, section by section; what it doesn't mention has the default that is written here.

The sections of families are added in `policies/families/configuration.py`.

The sections are plain dataclasses, whose keys in the document are their names in camel case; pydantic reads and describes them.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from weighbridge.policies.config.crd_rules import CRDRules
from weighbridge.policies.config.enforcement import Enforcement, EnforcementEntry
from weighbridge.policies.config.exceptions import RuleException
from weighbridge.policies.config.expected import ExpectedNode
from weighbridge.policies.config.fill_in import FillIn
from weighbridge.policies.config.images import Images
from weighbridge.policies.config.namespaces import NamespaceSection
from weighbridge.policies.config.pod_security import PodSecurity
from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.tolerations import FilledToleration
from weighbridge.policies.ground.records import dataclass, field

API_VERSION: Final = "weighbridge.dev/v1alpha1"
KIND: Final = "Configuration"


@dataclass(frozen=True)
class Annotations:
    """What is written on objects themselves."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    objects: bool = True
    """whether an object gets an annotation that records what was filled in; without the record a filled-in value is never updated"""
    max_bytes: int = 4096
    """bytes that this annotation may have"""


@dataclass(frozen=True)
class Document:
    """The document."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {**SECTION, "title": KIND}

    api_version: Literal["weighbridge.dev/v1alpha1"] = "weighbridge.dev/v1alpha1"
    kind: Literal["Configuration"] = "Configuration"
    mode: Literal["deny", "audit"] = "deny"
    """deny, or audit: the webhook counts and warns of what deny would refuse, and refuses and fills in nothing"""
    on_error: Literal["deny", "warn"] = "deny"
    """the answer where the engine fails or runs out of time: refuse, or allow with a warning"""
    rules: dict[str, Enforcement] = field(default_factory=dict)
    """enforcement by rule id; a rule that isn't named denies on errors and warns on warnings"""
    enforcement: list[EnforcementEntry] = field(default_factory=list)
    """enforcement by rule, kind and namespace, which overrides `rules`; the last matching entry counts"""
    references: Enforcement = Enforcement.WARN
    """what happens if a referenced object doesn't exist; it may be created later, as with GitOps"""
    crd_rules: CRDRules | dict[str, CRDRules] = "missing"
    """checks of the CRDs that the webhook makes: all (always), what the installed CRD lacks (missing), none (never); or by API group"""
    exceptions: list[RuleException] = field(default_factory=list)
    """objects for which findings are noted, with a reason, instead of enforced"""
    own_exceptions: list[str] | None = None
    """rules from which an object's annotation weighbridge.dev/ignore may except it; by default none in the webhook and all in lint"""
    namespaces: dict[str, NamespaceSection] = field(default_factory=dict)
    """what a namespace narrows, by its name"""
    images: Images = field(default_factory=Images)
    """where images that are filled in come from, and which of them"""
    tolerations: dict[str, list[FilledToleration]] = field(default_factory=dict)
    """tolerations to fill in for pods that ask for a resource, by the resource's name"""
    fill_in: FillIn = field(default_factory=FillIn)
    """what may be filled in"""
    annotations: Annotations = field(default_factory=Annotations)
    """what is written on objects themselves"""
    expected_resources: dict[str, int] = field(default_factory=dict)
    """extended resources that nodes will have once a pool scales up: the most that one node will have, by resource name"""
    expected_nodes: dict[str, ExpectedNode] = field(default_factory=dict)
    """nodes that pools will add once they scale up, by a name for messages; a pod that fits only these gets a warning, not an error"""
    pod_security: PodSecurity = field(default_factory=PodSecurity)
    """how the API server's plugin PodSecurity is configured, which no object of the cluster shows"""
