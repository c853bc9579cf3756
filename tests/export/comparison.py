"""Compares rules with their expressions on the same objects: those of all cases, and random ones derived from them."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import getsource
from pathlib import Path
from random import Random
from typing import Final

from tests.export.drawing import Drawing, Pair, Words
from tests.export.parts import DEFINITIONS, exported, facts, request
from tests.yaml_documents import read_all
from weighbridge.policies.admission_policies.attributes import attributes_of
from weighbridge.policies.admission_policies.validation import judge
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.credentials import BLANK, RE2_FORMS
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.native import native_policies
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials

CASES = Path(__file__).resolve().parents[1] / "cases"
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9./-]+")
_FORMS: Final = re.compile(RE2_FORMS)
#: What is said of an object: by the id of a rule, texts with their weights.
Said = Mapping[str, set[tuple[str, str]]]


@dataclass
class Compared:
    """The number of findings of each rule, and of objects; if the expressions have other findings, a text that shows it."""

    objects: int = 0
    spoken: Counter[str] = field(default_factory=Counter)
    differences: dict[str, list[str]] = field(default_factory=dict)

    def add(self, rule: str, text: str) -> None:
        """Keep the shortest differences of a rule."""
        found = self.differences.setdefault(rule, [])
        found.append(text)
        found.sort(key=len)
        del found[3:]


@cache
def _words(name: str) -> Words:
    """The words from which objects of a family are drawn."""
    words = Words()
    for obj, old in _pairs(name):
        words.read(obj)
        words.read(old or {})
    for policy in (policy for family in families() if family.name == name for policy in native_policies(family)):
        words.read_expressions([*(one.expression for one in policy.validations), *(one.expression for one in policy.variables)])
    return words


@cache
def _pairs(name: str) -> Sequence[Pair]:
    """The objects of all cases of a family, with those of its clusters."""
    return [pair for folder in sorted((CASES / name).iterdir()) for pair in _of_case(folder)]


def _cases(name: str, rule: Rule) -> Iterator[Path]:
    """The cases of a rule: its good one, and all that expect a finding of it."""
    yield CASES / name / rule.good
    yield from (folder for folder in sorted((CASES / name).iterdir()) if rule.id in (folder / "expect.yaml").read_text(encoding="utf-8"))


def _of_case(folder: Path) -> Iterator[Pair]:
    objects, *others = (_objects(folder / f"{part}.yaml") for part in ("object", "old", "cluster"))
    replaced = {(obj["kind"], name_of(obj)): obj for obj in others[0]}
    for obj in objects:
        old = replaced.get((obj["kind"], name_of(obj)))
        yield obj, old
        if old is not None:
            yield obj, None
    yield from ((obj, None) for given in others for obj in given)


def _objects(file: Path) -> Sequence[JSONObject]:
    found = read_all(file.read_text(encoding="utf-8")) if file.exists() else ()
    return [obj for obj in found if isinstance(obj, dict) and isinstance(obj.get("kind"), str)]


@dataclass(frozen=True)
class Comparison:
    """Compares rules of a family with their expressions, on objects of one kind."""

    family: Family
    definition: ResourceDefinition
    rules: Sequence[Rule]
    policies: Facts
    #: The ids of the rules whose bad case is an object of the kind that the API server stores: changes to it break them easily.
    broken: Collection[str]

    def of_cases(self, random: Random) -> Iterator[Pair]:
        """The objects of the cases as the API server stores them."""
        drawing = Drawing(self.family, self.definition, _words(self.family.name), random)
        for obj, old in self._given(_pairs(self.family.name)):
            before = drawing.stored(old, None) if old is not None else None
            stored = drawing.stored(obj, before)
            if stored is not None:
                status = {"status": old["status"]} if old is not None and "status" in old else {}
                yield stored, (before | status if before is not None else None)

    def drawn(self, random: Random, each: int) -> Iterator[Pair]:
        """For each rule a number of objects with one change to the rule's own cases, half as many with several changes, and a quarter as
        many from any case.
        """
        drawing = Drawing(self.family, self.definition, _words(self.family.name), random)
        given = [obj for obj, _ in self._given(_pairs(self.family.name))]
        for rule in self.rules:
            own = [obj for folder in _cases(self.family.name, rule) for obj, _ in _of_case(folder) if obj["kind"] in rule.kinds]
            seeds, focus = [self._moved(obj, given[0] if given else None) for obj in own], _focus(rule.id)
            yield from drawing.around(seeds, each, focus)
            yield from drawing.far(seeds, each // 2, focus)
        random.shuffle(given)
        yield from drawing.far(given[: each * len(self.rules)], each * len(self.rules) // 4)

    def _given(self, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """The objects of the kind. One with several versions has objects of all of them."""
        for obj, old in pairs:
            gvk = GroupVersionKind.from_object(obj)
            if gvk is not None and (gvk.group, gvk.kind) == (self.definition.gvk.group, self.definition.gvk.kind):
                yield self._moved(obj), self._moved(old) if old is not None else None

    def _moved(self, obj: JSONObject, like: JSONObject | None = None) -> JSONObject:
        """The object as one of the kind; an object of another kind gets the spec of an object of the kind."""
        metadata = {key: value for key, value in metadata_of(obj).items() if key != "namespace"}
        namespace = {"namespace": namespace_of(obj) or "default"} if self.definition.namespaced else {}
        gvk = self.definition.gvk
        spec = {"spec": {**like["spec"], **obj.get("spec", {})}} if like is not None and obj["kind"] != gvk.kind else {}
        return {**obj, "apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": metadata | namespace, **spec}

    def compare(self, pairs: Iterator[Pair]) -> Compared:
        """Compare on these objects."""
        found, ids = Compared(), {rule.id for rule in self.rules}
        for obj, old in pairs:
            found.objects += 1
            mine, native = _ours(obj, old, ids), told_of(obj, old, self.policies)
            for rule in sorted(ids):
                told, said = native.get(rule, set()), mine.get(rule, set())
                found.spoken[rule] += bool(said)
                if bool(told) != bool(said) or not (told <= said or any(map(is_discreet, said))):
                    found.add(
                        rule, f"{json.dumps(obj)}\n  replaces {json.dumps(old)}\n  rule: {sorted(said)}\n  expressions: {sorted(told)}"
                    )
        return found


@cache
def _focus(rule_id: str) -> frozenset[str]:
    """The words of a rule's module, and of its expressions: among them are the fields that it reads."""
    family, rule = next((family, rule) for family in families() for rule in family.rules() if rule.id == rule_id)
    policy = next(policy for policy in native_policies(family) if policy.id == rule_id)
    expressions = [*(one.expression for one in policy.validations), *(one.expression for one in policy.variables)]
    texts = [*expressions, getsource(sys.modules[rule.judge.__module__]).rpartition('"""')[2]]
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _ours(obj: JSONObject, old: JSONObject | None, ids: Collection[str]) -> Said:
    """The findings of the rules. If an update leaves an error as it was, the server accepts it without a message."""
    said = findings_of(obj, old, ids)
    before = findings_of(old, None, ids) if old is not None else {}
    for rule, texts in said.items():
        texts -= {("warning", text) for severity, text in before.get(rule, ()) if severity == "error"}
    return said


def findings_of(obj: JSONObject, old: JSONObject | None, ids: Collection[str]) -> Said:
    """The findings of these rules on an object that the server stores."""
    found: dict[str, set[tuple[str, str]]] = {}
    for one in decide(request(obj, old), facts(), DEFAULT, Phase.VALIDATE).findings:
        if one.rule in ids:
            found.setdefault(one.rule, set()).add((str(one.severity), f"{one} ({one.rule})"))
    return found


def is_discreet(said: tuple[str, str]) -> bool:
    """Whether the server shows a fixed message instead of this one, since the text of a value looks like a credential."""
    return BLANK in said[1] or _FORMS.search(said[1]) is not None


def told_of(obj: JSONObject, old: JSONObject | None, policies: Facts) -> Said:
    """The findings of the policies. The server shows credentials in the texts, which Weighbridge hides."""
    judgement = judge(attributes_of(request(obj, old), obj, old), policies)
    assert judgement.unchecked == []
    texts = [("error", denial.message) for denial in judgement.denials]
    texts += [("warning", text.partition("' with binding '")[2].partition("': ")[2]) for text in judgement.warnings]
    texts += [("note", json.loads(text)["message"]) for text in judgement.failures]
    hidden, found = HiddenCredentials(obj, old), dict[str, set[tuple[str, str]]]()
    for severity, text in texts:
        found.setdefault(text.rpartition("(")[2].removesuffix(")"), set()).add((severity, hidden.words(text)))
    return found


def comparisons(wanted: Collection[str] = ()) -> Iterator[Comparison]:
    """The comparisons of all rules that have expressions, by kinds; or of the rules with these ids."""
    for family in families():
        ids = [rule.id for rule in family.rules() if not wanted or rule.id in wanted]
        done = exported(DEFAULT, *ids).done if ids else []
        policies = facts(*(obj for _, own in done for obj in own.objects))
        kinds = {policy.id: own.kinds for policy, own in done}
        for kind in family.kinds:
            definition = DEFINITIONS.get(kind.gvk)
            rules = [rule for rule in family.rules() if kind.gvk.kind in rule.kinds and rule.id in kinds]
            if definition is not None and rules:
                broken = [rule.id for rule in rules if _is_stored(next(_of_case(CASES / family.name / rule.bad)), definition)]
                yield Comparison(family, definition, rules, policies, broken)


def _is_stored(pair: Pair, definition: ResourceDefinition) -> bool:
    """Whether an object is of a kind and the API server stores it."""
    return GroupVersionKind.from_object(pair[0]) == definition.gvk and decide(request(*pair), facts(), DEFAULT, Phase.APISERVER).allowed
