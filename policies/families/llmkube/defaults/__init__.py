"""What LLMKube's authors leave open and a cluster needs: the mutating half of the family.

Each value is filled in only where nothing stands, with its source and its reason. On an update, what was filled in before and still
stands there follows what it was derived from: who changes the vendor isn't held to a value that they never wrote. A value counts as
filled in if it is what would have been filled into the stored object, the update leaves it, and nothing says that its author wrote it
(see `authorship`).
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.mutation import Mutation
from policies.request import Request

__all__ = ["model", "service"]


def model(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Model."""
    # Imported when the first object of the kind comes: whoever lints a Model doesn't wait for what services need.
    from policies.families.llmkube.defaults.model_fields import fill

    fill(mutation, request, facts, config)


def service(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an InferenceService."""
    from policies.families.llmkube.defaults.service_fields import fill

    fill(mutation, request, facts, config)
