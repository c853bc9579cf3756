"""The pods of one object that don't fit on the empty cluster together, although each pod fits a node alone.

It checks one group of each workload, all groups that always run, an additional one during a rolling update, and the most of an autoscaler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
from weighbridge.policies.facts.autoscaling.prospects import prospects
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.spelling import amount, listed
from weighbridge.policies.placement.nearest_resources import amount_text
from weighbridge.policies.placement.packing.cluster import Laid, WantedGroups, laid_out
from weighbridge.policies.placement.packing.fit import Packing, PackingOutcome, pack
from weighbridge.policies.placement.packing.members import Member, Members, pods_to_place
from weighbridge.policies.placement.request_pods import with_claims
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.workloads import claims_of


class ShortOf(StrEnum):
    """What has no room."""

    #: One group: the object never serves.
    GROUP = "group"
    #: Some of the groups that always run.
    REPLICAS = "replicas"
    #: The additional group of a rolling update.
    UPDATE = "update"
    #: The most groups that an autoscaler may ask for.
    MOST = "most"


@dataclass(frozen=True, slots=True)
class Shortage:
    """Pods that don't fit together.

    `number` is that of the groups, `None` for several workloads. `asked` groups are wanted, and there may be room for `room`. `why` is a
    text. `may_come` names what may add nodes; empty if nothing may. `scarce` are the resources of which there is too little for equal pods.
    """

    of: ShortOf
    number: int | None
    asked: int
    room: int
    why: str
    may_come: tuple[str, ...] = ()
    scarce: tuple[str, ...] = ()


@dataclass(slots=True)
class Together:
    """The groups of one object with the kinds of their pods; groups with a pod that can't be placed beforehand are left out."""

    groups: Sequence[Groups]
    wanted: dict[int, WantedGroups]
    facts: Facts

    @classmethod
    def of(cls, groups: Sequence[Groups], made: Sequence[JSONObject], facts: Facts, namespace: str, *, patient: bool = True) -> Together:
        """Read the pods of some groups, which are created together with other objects."""
        pods = [pod for one in groups for pod, _ in one.pods.values()]
        claims = [found for obj in made for found in ([obj] if obj.get("kind") == "PersistentVolumeClaim" else claims_of(obj))]
        known = with_claims(pods, claims, facts, namespace)
        members = Members(known.facts, patient=patient)
        members.look_at(pods)
        wanted = {}
        for number, one in enumerate(groups):
            found = [(members.member(pod, namespace), count) for pod, count in pods_to_place(one, known.unknown).values()]
            of_group = [(member, count) for member, count in found if member is not None]
            if len(of_group) == len(found) and not one.is_daemon:
                wanted[number] = WantedGroups(of_group, one.least, one.topology)
        return cls(groups, wanted, known.facts)

    def packed(self, counts: dict[int, int]) -> tuple[Laid, Packing]:
        """Whether the groups fit together, for these counts of each."""
        laid = laid_out([replace(self.wanted[number], groups=count) for number, count in counts.items() if count > 0], self.facts)
        return laid, pack(laid.problem)

    def room_for(self, number: int, asked: int) -> int:
        """How many groups of one workload may fit alone, at most as many as are wanted."""
        least, most = 0, asked
        while least < most:
            middle = -(-(least + most) // 2)
            if self.packed({number: middle})[1].outcome is PackingOutcome.NEVER:
                most = middle - 1
            else:
                least = middle
        return least


def shortages(together: Together, config: Configuration) -> Iterator[Shortage]:
    """The shortages, the worst first."""
    least = {number: together.groups[number].least for number in together.wanted if together.groups[number].least > 0}
    one = {number: min(together.groups[number].gang, count) for number, count in least.items()}
    pods = sum(groups.size * one.get(number, 0) for number, groups in enumerate(together.groups))
    found = _shortage(together, ShortOf.GROUP, one, config) if pods > 1 else None
    if found is not None:
        yield found
        return
    found = _shortage(together, ShortOf.REPLICAS, least, config) if least != one else None
    if found is not None:
        yield found
        return
    for number, count in least.items():
        surge = together.groups[number].surge
        if surge is not None and surge.more and not surge.less:
            found = _shortage(together, ShortOf.UPDATE, {**least, number: count + 1}, config)
            if found is not None:
                yield replace(found, number=number)
    for number in together.wanted:
        most = together.groups[number].most
        if (
            most > max(together.groups[number].least, 1)
            and (found := _shortage(together, ShortOf.MOST, {number: most}, config)) is not None
        ):
            yield found


def _shortage(together: Together, of: ShortOf, counts: dict[int, int], config: Configuration) -> Shortage | None:
    """The shortage of the groups, for these counts of each; `None` if it isn't proven that they don't fit."""
    laid, packing = together.packed(counts)
    if packing.outcome is not PackingOutcome.NEVER:
        return None
    lacking = [number for number, count in counts.items() if len(counts) == 1 or together.room_for(number, count) < count]
    number = lacking[0] if lacking else None
    asked, room = sum(counts.values()), 0
    if number is not None:
        asked = counts[number]
        room = together.room_for(number, asked)
        if len(counts) > 1:
            laid, packing = together.packed({number: asked})
    came = tuple(may_come(laid.members, together.facts, config))
    return Shortage(of, number, asked, room, why(laid, packing, together.facts), came, scarce(laid, packing, together.facts))


def scarce(laid: Laid, packing: Packing, facts: Facts) -> tuple[str, ...]:
    """The resources of which the nodes have too little for so many equal pods; each resource is checked by itself."""
    proof, inventory = packing.proof, facts.inventory
    if proof is None or inventory is None or len(proof.kinds) > 1 or proof.kinds[0] >= len(laid.members):
        return ()
    (kind,) = proof.kinds
    nodes = [
        (inventory.node(names[0]), len(names))
        for node, names in zip(laid.problem.classes, laid.names, strict=True)
        if kind in node.takes and names
    ]
    found = []
    for name, asked in laid.members[kind].wants.items():
        if sum(node.amounts.get(name, 0) // asked * size for node, size in nodes if node is not None) < proof.count:
            found.append(name)
    return tuple(found)


def why(laid: Laid, packing: Packing, facts: Facts) -> str:
    """Why pods don't fit together, as a text."""
    proof = packing.proof
    if proof is None:
        return "no placement of all pods on the nodes exists"
    if any(kind >= len(laid.members) for kind in proof.kinds):
        room = f"{proof.room or 'none'} of the nodes {'have' if proof.room > 1 else 'has'}"
        return f"each group needs a node for itself; {proof.count} are needed, and {room} room for a group"
    short = scarce(laid, packing, facts)
    asks = list(dict.fromkeys(asks_of(laid.members[kind], short) for kind in proof.kinds))
    if len(proof.kinds) == 1 and not short and (ports := laid.members[proof.kinds[0]].ports):
        asks = [" and ".join(f"host port {port.port}/{port.protocol}" for port in ports)]
    if proof.groups:
        room = f"{proof.room or 'none'} {'have' if proof.room > 1 else 'has'}"
        return f"each group needs a domain of its topology label for itself; {proof.count} are needed, and {room} room for a group"
    if proof.resource:
        asked, has = amount_text(proof.resource, proof.count), amount_text(proof.resource, proof.room)
        return f"they request {asked} {proof.resource}, and the nodes that could run them have {has}"
    each = f" with {asks[0]} each" if len(asks) == 1 else f" with {' or '.join(asks)}" if asks else ""
    if proof.count == 1:
        return f"1 pod{each.removesuffix(' each')} is needed, and the nodes have room for {proof.room}"
    return f"{proof.count} pods{each} are needed, and the nodes have room for {proof.room}"


def asks_of(member: Member, named: Sequence[str] = ()) -> str:
    """The requests of one pod for some resources; if none are given, for its devices, or else for CPU and memory."""
    wanted = {name: count for name, count in member.wants.items() if name != "pods"}
    chosen = {name: count for name, count in wanted.items() if (name in named if named else "/" in name)} or wanted
    return " and ".join(f"{amount_text(name, count)} {name}" for name, count in chosen.items()) or "no resources"


def subject_of(groups: Groups, *, alone: bool) -> str:
    """The name of a workload in a message; empty if the object has only one."""
    return "" if alone else f"{groups.workload.get('kind')} {name_of(groups.workload)}: "


def may_come(members: Iterable[Member], facts: Facts, config: Configuration) -> Iterator[str]:
    """What may add a node for one of the pods."""
    found: dict[str, None] = {}
    for member in members:
        pod = member.pod.as_object()
        for node in (*config.declared_nodes, *nodes_to_come(facts, pod)):
            if not (member.filters.check(node) or member.filters.feature_check(node)) and member.devices.allows(node):
                found[node.name] = None
        if any(config.expected_resources.get(name, 0) >= count for name, count in member.wants.items() if "/" in name):
            found["nodes that expectedResources declares"] = None
    found.update(dict.fromkeys(prospects(facts)))
    if not found and has_autoscaler(facts.objects):
        found["the cluster's autoscaler"] = None
    yield from found


def words(shortage: Shortage, groups: Sequence[Groups]) -> tuple[str, str]:
    """A shortage as a message, and what to do."""
    one = groups[shortage.number] if shortage.number is not None else None
    subject = subject_of(one, alone=len(groups) == 1) if one is not None else ""
    what = "groups" if one is not None and one.size > 1 else "replicas"
    if shortage.of is ShortOf.GROUP and one is not None and one.gang > 1:
        message = f"{subject}none of its pods starts: {shortage.asked} have to fit at once by their PodGroup, and {shortage.why}"
    elif shortage.of is ShortOf.GROUP and one is not None:
        roles = ", ".join(filter(None, one.pods))
        message = f"{subject}the {one.size} pods of a group ({roles}) don't fit on the nodes together: {shortage.why}"
    elif shortage.of is ShortOf.GROUP:
        message = f"its pods don't fit on the nodes together: {shortage.why}"
    elif shortage.of is ShortOf.UPDATE:
        message = f"{subject}a rolling update never ends: maxUnavailable comes to 0, and {shortage.why}"
    elif shortage.of is ShortOf.MOST:
        message = f"{subject}its autoscaler may create {shortage.asked} {what}, of which {shortage.room} fit: {shortage.why}"
    elif one is None:
        message = f"its pods don't fit on the nodes together: {shortage.why}"
    else:
        message = f"{subject}its {shortage.asked} {what} don't fit on the nodes together: {shortage.why}"
    return message, _hint(shortage, what)


def _hint(shortage: Shortage, what: str) -> str:
    if shortage.may_come:
        return f"{listed(shortage.may_come)} may bring room for the rest"
    if shortage.of is ShortOf.UPDATE:
        return "allow one pod to be missing (maxUnavailable: 1), or replace all pods at once (strategy Recreate)"
    if shortage.of is ShortOf.REPLICAS and shortage.room:
        return f"request {amount(shortage.room, what.removesuffix('s'))}, or declare the nodes that will come in expectedNodes"
    return "declare the nodes that will come in expectedNodes" if shortage.of is not ShortOf.MOST else ""
