"""Objects that others refer to, as they are or will be in the cluster, and what to say of missing ones.

A stored object is read as it is. An object that is given along with the judged one, as in a folder of manifests, first gets the CRD's
defaults and what its family fills in: a service is judged with its model as the model will be in the cluster.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.admission import redefault
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import names_of
from weighbridge.policies.families import family_of
from weighbridge.policies.families.family import Filler
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.rule import Given, NotChecked, Said, Violation
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, Path, is_stored, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import Similar, similar
from weighbridge.policies.schema.object_meta import stored_numbers

#: How many names a message lists if none is similar to the missing one.
_FIRST_FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Referent:
    """A kind that other objects refer to by namespace and name; `plural` is its plural in messages."""

    group: str
    kind: str
    plural: str = ""

    def get(self, facts: Facts, namespace: str, name: str) -> JSONObject | None:
        """The known object; `None` if it isn't known."""
        found = facts.objects.get(self.group, self.kind, namespace, name) if name else None
        return found if isinstance(found, dict) else None

    def applied(self, facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
        """The object as it is or will be in the cluster; `None` if it isn't known."""
        found = self.get(facts, namespace, name)
        return found if found is None else as_stored(found, namespace, facts, config)

    def is_missing(self, facts: Facts, namespace: str, name: str) -> bool | None:
        """Whether there is no such object; `None` if that isn't known."""
        if self.get(facts, namespace, name) is not None:
            return False
        return True if facts.objects.knows_all(self.group, self.kind) else None

    @property
    def unknown(self) -> str:
        """The reason that a rule gives if it can't check whether an object exists."""
        return f"not all {self.plural or f'{self.kind}s'} of the cluster are known"

    def nearest(self, facts: Facts, namespace: str, name: str, *, otherwise: int = _FIRST_FEW) -> str:
        """The name in the namespace that comes closest, else the first few names (`otherwise`)."""
        return similar(name, names_of(facts.objects, self.group, self.kind, namespace), otherwise=otherwise)

    def missing(
        self, given: Given, path: Path, name: str, message: str, *, hint: str = "", namespace: str = "", otherwise: int = _FIRST_FEW
    ) -> Said:
        """The violation for a missing object, with the nearest names; nothing if the object exists."""
        is_missing = self.is_missing(given.facts, namespace, name)
        if is_missing is None:
            yield NotChecked(self.unknown)
        elif is_missing:
            may_search = given.request.once(Similar, Similar).may_search()
            nearest = self.nearest(given.facts, namespace, name, otherwise=otherwise) if may_search else ""
            yield Violation(path, message, hint, name, nearest=nearest)


#: Kubernetes' own kinds that objects of every family refer to.
CLAIMS: Final = Referent("", "PersistentVolumeClaim")
NAMESPACES: Final = Referent("", "Namespace", "namespaces")


def as_stored(obj: JSONObject, namespace: str, facts: Facts, config: Configuration) -> JSONObject:
    """The object as the cluster has it: a manifest as it will be once applied."""
    return obj if is_stored(obj) else as_applied(obj, namespace, facts, config)


def as_applied(obj: JSONObject, namespace: str, facts: Facts, config: Configuration) -> JSONObject:
    """The object as it will be once applied: with the CRD's defaults, and what its family and the configuration's policies fill in."""
    gvk = GroupVersionKind.from_object(obj)
    definition = facts.definitions.get(gvk) if gvk is not None else None
    if definition is None or gvk is None:
        return obj
    applied: JSONObject = stored_numbers(obj)
    redefault(applied, definition)
    policies = config.policies
    by_policies = policies.fill_companion if policies is not None and config.fields_of_policies(gvk) else None
    if by_policies is None and _filler_of(gvk) is None:
        return applied
    request = Request("", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    authorship = Authorship.of_manifest(obj)
    if by_policies is not None:
        companion: JSONObject = by_policies(applied, authorship, request, facts, config)
        redefault(companion, definition)
        return companion
    mutation = Mutation(applied, authorship)
    fill(mutation, request, facts, config)
    if mutation.patch:
        redefault(applied, definition)
    return applied


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in the object of a request as its family does, if it fills anything into its kind."""
    filler = _filler_of(request.gvk)
    if filler is not None:
        filler(mutation, request, facts, config)


def _filler_of(gvk: GroupVersionKind) -> Filler | None:
    family = family_of(gvk.group)
    return family.fill.get(gvk.kind) if family is not None else None
