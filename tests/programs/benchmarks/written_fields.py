"""The benchmark's rules on fields, as a person would write them in Python, with all checks and with costs.

Each takes ``self``, ``oldSelf`` and the cost limit, and returns verdict and cost; a missing field is a KeyError, a value of another type a
`WrongTypeError`. A test holds them to the engine's verdicts and costs, so that the reference does the whole work and no more.
"""

from __future__ import annotations

import re
from typing import Any

from tests.programs.benchmarks.answers import Answer, WrongTypeError


def one_of_name_or_claims(self: Any, old: Any, limit: int) -> Answer:
    """``!(has(self.resourceName) && has(self.resourceClaims) && self.resourceClaims.size() > 0)``."""
    if self.get("resourceName") is None:
        return True, 2
    claims = self.get("resourceClaims")
    if claims is None:
        return True, 3
    if claims.__class__ is not list:
        raise WrongTypeError
    return not claims, 7


_LABEL = re.compile(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$(?!\n)", re.ASCII)


def label_and_length(self: Any, old: Any, limit: int) -> Answer:
    """``self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.name.size() <= 63``."""
    name = self["name"]
    if name.__class__ is not str:
        raise WrongTypeError
    cost = 2 + (len(name) + 10) // 10 * 8
    if _LABEL.match(name) is None:
        return False, cost
    return len(name) <= 63, cost + 4


_TIERS = frozenset({"gold", "silver", "bronze"})


def registry_and_tier(self: Any, old: Any, limit: int) -> Answer:
    """``self.image.startsWith('ghcr.io/') && self.image.contains(':') && self.tier in ['gold', 'silver', 'bronze']``."""
    image = self["image"]
    if image.__class__ is not str:
        raise WrongTypeError
    tens = (len(image) + 9) // 10
    if not image.startswith("ghcr.io/"):
        return False, 2 + tens
    if ":" not in image:
        return False, 4 + 2 * tens
    tier = self["tier"]
    if tier.__class__ is not str:
        raise WrongTypeError
    return tier in _TIERS, 6 + 2 * tens


def gpus_in_limit(self: Any, old: Any, limit: int) -> Answer:
    """``self.replicas * self.gpus <= (has(self.limit) ? self.limit : 64)``."""
    replicas, gpus = self["replicas"], self["gpus"]
    if replicas.__class__ is not int or gpus.__class__ is not int:
        raise WrongTypeError
    product = replicas * gpus
    if not -(1 << 63) <= product < 1 << 63:
        raise OverflowError
    most = self.get("limit")
    if most is None:
        return product <= 64, 7
    if most.__class__ is not int:
        raise WrongTypeError
    return product <= most, 8


def selector_xor_reference(self: Any, old: Any, limit: int) -> Answer:
    """``has(self.selector) != has(self.namespaceRef)``."""
    return (self.get("selector") is not None) != (self.get("namespaceRef") is not None), 3


def ephemeral_without_claim(self: Any, old: Any, limit: int) -> Answer:
    """``!(has(self.persistence) && self.persistence == 'Ephemeral' && has(self.claimName))``."""
    persistence = self.get("persistence")
    if persistence is None:
        return True, 2
    if persistence.__class__ is not str:
        raise WrongTypeError
    if persistence != "Ephemeral":
        return True, 4 + (1 if persistence else 0)
    return self.get("claimName") is None, 6


def profile_of_partition(self: Any, old: Any, limit: int) -> Answer:
    """``!has(self.mode) || self.mode != 'partitioned' || (has(self.profile) && self.profile.size() > 0)``."""
    mode = self.get("mode")
    if mode is None:
        return True, 2
    if mode.__class__ is not str:
        raise WrongTypeError
    cost = 4 + (min(len(mode), 11) + 9) // 10
    if mode != "partitioned":
        return True, cost
    profile = self.get("profile")
    if profile is None:
        return False, cost + 1
    if profile.__class__ is not str:
        raise WrongTypeError
    return len(profile) > 0, cost + 5


def memory_limit_of_shared(self: Any, old: Any, limit: int) -> Answer:
    """``!has(self.memoryLimitGiB) || (has(self.mode) && self.mode == 'shared')``."""
    if self.get("memoryLimitGiB") is None:
        return True, 2
    mode = self.get("mode")
    if mode is None:
        return False, 3
    if mode.__class__ is not str:
        raise WrongTypeError
    return mode == "shared", 5 + (1 if mode else 0)


def latency_with_threshold(self: Any, old: Any, limit: int) -> Answer:
    """``self.indicator != 'latency' || has(self.latencyThreshold)``."""
    indicator = self["indicator"]
    if indicator.__class__ is not str:
        raise WrongTypeError
    cost = 2 + (1 if indicator else 0)
    if indicator != "latency":
        return True, cost
    return self.get("latencyThreshold") is not None, cost + 1


_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def percentage_in_range(self: Any, old: Any, limit: int) -> Answer:
    """``double(self) >= 50.0 && double(self) <= 99.999``."""
    if self.__class__ is not str:
        raise WrongTypeError
    if _NUMBER.fullmatch(self) is None:
        raise ValueError(self)
    value = float(self)
    return (True, 6) if 50.0 <= value <= 99.999 else (False, 3 if value < 50.0 else 6)


_DRAFT_TYPES = frozenset({"draft", "draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark"})


def draft_types_have_weights(self: Any, old: Any, limit: int) -> Answer:
    """``!(self.type in [...]) || ((has(self.draftModelRef) && self.draftModelRef.size() > 0) || (has(self.draftModel) && ...))``."""
    kind = self["type"]
    if kind.__class__ is not str:
        raise WrongTypeError
    if kind not in _DRAFT_TYPES:
        return True, 3
    cost = 4
    reference = self.get("draftModelRef")
    if reference is not None:
        if reference.__class__ is not str:
            raise WrongTypeError
        cost += 4
        if len(reference) > 0:
            return True, cost
    cost += 1
    file = self.get("draftModel")
    if file is None:
        return False, cost
    if file.__class__ is not str:
        raise WrongTypeError
    return len(file) > 0, cost + 4


def one_source_of_weights(self: Any, old: Any, limit: int) -> Answer:
    """``!((has(self.draftModelRef) && self.draftModelRef.size() > 0) && (has(self.draftModel) && self.draftModel.size() > 0))``."""
    reference = self.get("draftModelRef")
    if reference is None:
        return True, 2
    if reference.__class__ is not str:
        raise WrongTypeError
    if not len(reference) > 0:
        return True, 6
    file = self.get("draftModel")
    if file is None:
        return True, 7
    if file.__class__ is not str:
        raise WrongTypeError
    return not len(file) > 0, 11


def one_of_three(self: Any, old: Any, limit: int) -> Answer:
    """``(has(self.name) ? 1 : 0) + (has(self.image) ? 1 : 0) + (has(self.custom) ? 1 : 0) == 1``."""
    given = (self.get("name") is not None) + (self.get("image") is not None) + (self.get("custom") is not None)
    return given == 1, 6


def gpu_or_cpu(self: Any, old: Any, limit: int) -> Answer:
    """``has(self.gpu) || has(self.cpu)``."""
    if self.get("gpu") is not None:
        return True, 1
    return self.get("cpu") is not None, 2


def model_or_memory(self: Any, old: Any, limit: int) -> Answer:
    """``!(has(self.model) && size(self.model) > 0 && has(self.minVram))``."""
    model = self.get("model")
    if model is None:
        return True, 2
    if model.__class__ is not str:
        raise WrongTypeError
    if not model:
        return True, 6
    return self.get("minVram") is None, 7


def service_with_port(self: Any, old: Any, limit: int) -> Answer:
    """``self.kind != 'Service' || has(self.port)``."""
    kind = self["kind"]
    if kind.__class__ is not str:
        raise WrongTypeError
    cost = 2 + (1 if kind else 0)
    if kind != "Service":
        return True, cost
    return self.get("port") is not None, cost + 1
