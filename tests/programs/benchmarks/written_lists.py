"""The benchmark's rules on lists and on old values, as a person would write them in Python, with all checks and with costs.

Each takes ``self``, ``oldSelf`` and the cost limit, and returns verdict and cost; a missing field is a KeyError, a value of another type a
`WrongTypeError`. A test holds them to the engine's verdicts and costs, so that the reference does the whole work and no more.
"""

from __future__ import annotations

from typing import Any

from tests.programs.benchmarks.answers import Answer, TooCostlyError, WrongTypeError


def _same(left: Any, right: Any) -> bool:
    """Equality that distinguishes numbers of different kinds, and bools."""
    if left.__class__ is not right.__class__:
        return False
    if left.__class__ is dict:
        return len(left) == len(right) and all(key in right and _same(value, right[key]) for key, value in left.items())
    if left.__class__ is list:
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)


def unchanged(self: Any, old: Any, limit: int) -> Answer:
    """``self == oldSelf`` for a map or an object."""
    if self.__class__ is not dict or old.__class__ is not dict:
        raise WrongTypeError
    return _same(self, old), 2 + (min(len(self), len(old)) + 9) // 10


def unchanged_text(self: Any, old: Any, limit: int) -> Answer:
    """``self == oldSelf`` for a string."""
    if self.__class__ is not str or old.__class__ is not str:
        raise WrongTypeError
    return self == old, 2 + (min(len(self), len(old)) + 9) // 10


def weights_for_all_or_none(self: Any, old: Any, limit: int) -> Answer:
    """``self.all(model, has(model.weight)) || self.all(model, !has(model.weight))``."""
    if self.__class__ is not list:
        raise WrongTypeError
    cost, count = 2, len(self)
    for index, model in enumerate(self):
        cost += 4
        if cost > limit:
            raise TooCostlyError
        if model.get("weight") is None:
            cost += 2 if index + 1 < count else 0
            break
    else:
        return True, cost
    cost += 2
    for index, model in enumerate(self):
        cost += 5
        if cost > limit:
            raise TooCostlyError
        if model.get("weight") is not None:
            cost += 2 if index + 1 < count else 0
            return False, cost
    return True, cost


def ports_in_range(self: Any, old: Any, limit: int) -> Answer:
    """``self.groups.all(g, g.ports.all(p, p.number > 0 && p.number < 65536))``."""
    groups = self["groups"]
    if groups.__class__ is not list:
        raise WrongTypeError
    cost, count = 3, len(groups)
    for position, group in enumerate(groups):
        ports = group["ports"]
        if ports.__class__ is not list:
            raise WrongTypeError
        holds, ports_count = True, len(ports)
        cost += 6
        for index, port in enumerate(ports):
            number = port["number"]
            if number.__class__ is not int:
                raise WrongTypeError
            holds = number > 0
            cost += 6
            if holds:
                holds = number < 65536
                cost += 3
            if cost > limit:
                raise TooCostlyError
            if not holds:
                cost += 2 if index + 1 < ports_count else 0
                break
        if not holds:
            cost += 2 if position + 1 < count else 0
            return False, cost
    return True, cost


def port_numbers_unique(self: Any, old: Any, limit: int) -> Answer:
    """``self.all(p1, self.exists_one(p2, p1.number == p2.number))``."""
    if self.__class__ is not list:
        raise WrongTypeError
    cost, count = 2, len(self)
    for position, first in enumerate(self):
        found = 0
        for second in self:
            wanted, number = first["number"], second["number"]
            if wanted.__class__ is not int or number.__class__ is not int:
                raise WrongTypeError
            cost += 5
            if wanted == number:
                found += 1
                cost += 2
            if cost > limit:
                raise TooCostlyError
        cost += 6
        if found != 1:
            cost += 2 if position + 1 < count else 0
            return False, cost
    return True, cost


def claims_name_one(self: Any, old: Any, limit: int) -> Answer:
    """``self.size() == 0 || self.all(c, (has(c.resourceClaimName) && !has(c....)) || (!has(...) && has(...)))``."""
    if self.__class__ is not list:
        raise WrongTypeError
    count = len(self)
    if count == 0:
        return True, 3
    cost = 5
    for index, claim in enumerate(self):
        named = claim.get("resourceClaimName") is not None
        template = claim.get("resourceClaimTemplateName") is not None
        holds = named != template
        # Name and template are read until one of the two alternatives is decided.
        cost += 7 if not named else 6 if holds else 8
        if cost > limit:
            raise TooCostlyError
        if not holds:
            cost += 2 if index + 1 < count else 0
            return False, cost
    return True, cost


def size_once_set(self: Any, old: Any, limit: int) -> Answer:
    """``!has(oldSelf.size) || !has(self.size) || self.size == oldSelf.size``."""
    before = old.get("size")
    if before is None:
        return True, 2
    now = self.get("size")
    if now is None:
        return True, 4
    if now.__class__ is not str or before.__class__ is not str:
        raise WrongTypeError
    return now == before, 8 + (min(len(now), len(before)) + 9) // 10


def access_modes_once_set(self: Any, old: Any, limit: int) -> Answer:
    """``!has(oldSelf.accessModes) || self.accessModes == oldSelf.accessModes``."""
    before = old.get("accessModes")
    if before is None:
        return True, 2
    now = self["accessModes"]
    if now.__class__ is not list or before.__class__ is not list:
        raise WrongTypeError
    return now == before, 6 + (min(len(now), len(before)) + 9) // 10


def hardware_for_sources(self: Any, old: Any, limit: int) -> Answer:
    """``!has(self.modelSources) || size(self.modelSources) == 0 || ... || self.customTemplates.all(t, has(t.hardware) || ...)``."""
    sources = self.get("modelSources")
    if sources is None:
        return True, 2
    if sources.__class__ is not list:
        raise WrongTypeError
    if not sources:
        return True, 6
    cost = 7
    custom = self.get("custom")
    if custom is not None:
        cost += 2
        if custom.get("hardware") is not None:
            return True, cost
    templates = self.get("customTemplates")
    cost += 2
    if templates is None:
        return True, cost
    if templates.__class__ is not list:
        raise WrongTypeError
    cost += 4
    if not templates:
        return True, cost
    cost += 3
    count = len(templates)
    for index, template in enumerate(templates):
        cost += 4
        if template.get("hardware") is None:
            cost += 1 if custom is None else 3
            cost += 2 if index + 1 < count else 0
            return False, cost
        if cost > limit:
            raise TooCostlyError
    return True, cost


def at_least_one_source(self: Any, old: Any, limit: int) -> Answer:
    """``size(self.modelSources) >= 1``."""
    sources = self["modelSources"]
    if sources.__class__ is not list:
        raise WrongTypeError
    return len(sources) >= 1, 4
