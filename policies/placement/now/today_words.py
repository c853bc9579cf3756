"""The texts about a pod that fits an empty cluster and finds no node now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weighbridge.policies.facts.occupancy import Holder
from weighbridge.policies.ground.spelling import amount, listed
from weighbridge.policies.placement.nearest_resources import amount_text
from weighbridge.policies.placement.now.preemption import PreemptionCandidate
from weighbridge.policies.placement.now.today import Short, Today

#: The most pods that are named, and the most nodes of which the scheduler takes one.
_MOST_NAMED, _MOST_CHOICES = 3, 2


def sentence(answer: Today, wanted: int) -> str:
    """Why no node has room; `wanted` is the requested amount of the scarce resource."""
    scarce = answer.scarce
    head = f"no node has {amount_text(scarce, wanted)} free {scarce}" if scarce else "no node has room"
    near = "; ".join(near_lines(answer))
    return f"{head}: {near}" if near else head


def near_lines(answer: Today) -> Iterator[str]:
    """A line for each of the nodes that lack the least."""
    for short in answer.near:
        yield _near(short, answer.scarce)


def _near(short: Short, scarce: str) -> str:
    things, alone = [], ""
    for lack in short.lacks:
        free = amount_text(lack.resource, lack.free)
        if lack.resource == "pods":
            things.append("already has as many pods as it may have")
        elif lack.resource == scarce:
            things.append(f"has {free}")
            gained = lack.free + sum(holder.requests.get(scarce, 0) for holder in short.without)
            alone = f"have {amount_text(scarce, gained)}" if len(short.lacks) == 1 and not short.ports else ""
        else:
            things.append(f"has {free} of the {amount_text(lack.resource, lack.wanted)} {lack.resource}")
    things += [f"has port {port} taken" for port in short.ports]
    if not things:
        # It has room for the pod alone; other nodes were nearer.
        return f"{short.node} has room"
    without = f", and would {alone or 'fit'} without {named(short.without)}" if short.without else ""
    return f"{short.node} {' and '.join(things)}{without}"


def named(holders: Sequence[Holder]) -> str:
    """Pods by their names, or their number if names are left out."""
    names = [holder.name for holder in holders]
    if not all(names):
        return f"{amount(len(names), 'pod')} that runs there" if len(names) == 1 else f"{len(names)} pods that run there"
    if len(names) > _MOST_NAMED:
        return listed(names, most=_MOST_NAMED)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def preempted(candidates: Sequence[PreemptionCandidate]) -> str:
    """What kube-scheduler does to make room; empty if it does nothing."""
    if not candidates:
        return ""
    if len(candidates) > _MOST_CHOICES or any(one.victims is None for one in candidates):
        nodes = [one.node for one in candidates]
        return f"kube-scheduler would preempt pods of lower priority on {nodes[0] if len(nodes) == 1 else f'one of {listed(nodes)}'}"
    return f"kube-scheduler would preempt {' or '.join(f'{named(one.victims or ())} on {one.node}' for one in candidates)}"
