"""Finds the policies, exceptions and rules that the cases cover.

A policy is covered if in one case it has a finding or fills something in, and in another case it accepts an object that it matches. An
exception is covered if a case uses it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from weighbridge.policies.config import Configuration, RuleException
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.config.sections import POLICY_FAILS
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cli.cases.verdicts import JudgedCase


@dataclass(frozen=True, slots=True)
class PolicyCoverage:
    """In how many cases a policy has findings or fills something in, and in how many it accepts an object that it matches."""

    policy: Policy
    speaks: int
    passes: int

    @property
    def lacks(self) -> str:
        """What no case shows; empty if the policy is covered."""
        speaks = "no case that it reports" if self.policy.validations else "no case in which it fills something in"
        missing = [text for count, text in ((self.speaks, speaks), (self.passes, "no case that it passes")) if not count]
        return " and ".join(missing)


@dataclass(frozen=True, slots=True)
class ExceptionCoverage:
    """How many cases use an exception of a configuration; `place` is its position among those of the configuration."""

    place: int
    reason: str
    used: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of all cases of a run; `rules` are the built-in ones for the kinds of the cases, with the number of cases of each."""

    policies: Sequence[PolicyCoverage]
    exceptions: Sequence[ExceptionCoverage]
    rules: Counter[str]
    silent: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Whether each policy and each exception is covered."""
        return not any(one.lacks for one in self.policies) and all(one.used for one in self.exceptions)

    def as_json(self) -> JSONObject:
        """The coverage as data."""
        return {
            "policies": [
                {"id": one.policy.id, "name": one.policy.name, "speaks": one.speaks, "passes": one.passes} for one in self.policies
            ],
            "exceptions": [{"exception": one.place, "reason": one.reason, "used": one.used} for one in self.exceptions],
            "rules": {**dict(sorted(self.rules.items())), **dict.fromkeys(self.silent, 0)},
        }

    def lines(self, *, verbose: bool) -> Iterator[str]:
        """The coverage as text."""
        covered = sum(not one.lacks for one in self.policies)
        if self.policies:
            yield f"policies: {covered} of {len(self.policies)} covered"
        for one in self.policies:
            if one.lacks or verbose:
                what = one.lacks or f"reports {one.speaks}, passes {one.passes}"
                yield f"  {one.policy.id} {one.policy.name}: {what}"
        if self.exceptions:
            yield f"exceptions: {sum(bool(one.used) for one in self.exceptions)} of {len(self.exceptions)} used"
        for entry in self.exceptions:
            if not entry.used:
                yield f"  exceptions[{entry.place}] ({entry.reason}): no case uses it"
        yield f"built-in rules of these kinds: {len(self.rules)} of {len(self.rules) + len(self.silent)} report a case"
        if verbose:
            yield from (f"  {rule}: no case" for rule in self.silent)


def coverage_of(judged: Iterable[JudgedCase]) -> Coverage:
    """The coverage of judged cases."""
    known = [one for one in judged if one.decision is not None]
    configurations = {id(one.config.policies): one.config for one in known if one.config.policies is not None}
    with_exceptions = {id(one.config.exceptions): one.config for one in known if one.config.exceptions}
    policies = [_of_policy(policy, config, known) for config in configurations.values() for policy in config.policies or ()]
    exceptions = [found for config in with_exceptions.values() for found in _of_exceptions(config, known)]
    kinds = {(one.case.gvk.group, one.case.gvk.kind) for one in known if one.case is not None}
    spoken = Counter(rule for one in known for rule in _spoken(one))
    rules = {
        rule.id: spoken[rule.id] for group, kind in kinds if (family := family_of(group)) is not None for rule in family.rules_for(kind)
    }
    speaking = Counter({rule: count for rule, count in rules.items() if count})
    return Coverage(policies, exceptions, speaking, sorted(rule for rule, count in rules.items() if not count))


def _spoken(one: JudgedCase) -> set[str]:
    """The rules with findings in a case."""
    return {finding.rule for finding in one.decision.findings} if one.decision is not None else set()


def _acting(one: JudgedCase) -> set[str]:
    """The rules with findings in a case, and the policies that fill something in there."""
    return _spoken(one) | {entry.source for entry in one.decision.provenance} if one.decision is not None else set()


def _of_policy(policy: Policy, config: Configuration, known: Sequence[JudgedCase]) -> PolicyCoverage:
    about = [one for one in known if one.config.policies is config.policies and _is_about(policy, one)]
    speaks = sum(policy.id in _acting(one) for one in about)
    passes = sum(policy.id not in _acting(one) and not _is_undecided(policy, one) for one in about)
    return PolicyCoverage(policy, speaks, passes)


def _is_undecided(policy: Policy, one: JudgedCase) -> bool:
    """Whether a policy lacked a fact or failed in a case, so that the case shows nothing about it."""
    if one.decision is None:
        return True
    beginning = f"{policy.id} "
    failed = (finding.message for finding in one.decision.findings if finding.rule == POLICY_FAILS)
    return any(text.startswith(beginning) for text in (*failed, *(entry.subject for entry in one.decision.unchecked)))


def _is_about(policy: Policy, one: JudgedCase) -> bool:
    if one.request is None or not policy.match.means_kind(one.request.gvk):
        return False
    namespace = one.request.namespace

    def labels() -> dict[str, str] | None:
        objects = one.case.objects if one.case is not None else ()
        found = (obj for obj in objects if obj.get("kind") == "Namespace" and obj.get("metadata", {}).get("name") == namespace)
        return next(({**(obj["metadata"].get("labels") or {}), NAMESPACE_NAME: namespace} for obj in found), None)

    return bool(policy.match.includes(one.request, labels))


def _of_exceptions(config: Configuration, known: Sequence[JudgedCase]) -> Iterator[ExceptionCoverage]:
    own = [one for one in known if one.config.exceptions is config.exceptions]
    for place, exception in enumerate(config.exceptions):
        yield ExceptionCoverage(place, exception.reason, sum(_uses(one, exception) for one in own))


def _uses(one: JudgedCase, exception: RuleException) -> bool:
    """Whether an exception applies to a finding of a case, or keeps a policy from filling in there."""
    request, decision = one.request, one.decision
    if request is None or decision is None:
        return False
    if any(finding.exempted == exception.reason and exception.excepts(finding.rule, request) for finding in decision.findings):
        return True
    filling = (policy for policy in one.config.policies or () if policy.fill_ins and _is_about(policy, one))
    return any(exception.excepts(policy.id, request) for policy in filling)
