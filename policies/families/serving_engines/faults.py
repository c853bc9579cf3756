"""Faults in how a container starts its engine, in the same words for every family.

A rule passes a container as the family's operator creates it, and reports each fault at the field of its own object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Inventory
from weighbridge.policies.facts.accelerators import vendor_of_resource
from weighbridge.policies.facts.accelerators.units import most_devices
from weighbridge.policies.families.rule import Violation
from weighbridge.policies.families.serving_engines.command_line import Problem, Trouble
from weighbridge.policies.families.serving_engines.containers import Started
from weighbridge.policies.families.serving_engines.engines import TABLES
from weighbridge.policies.families.serving_engines.images import unusable_by
from weighbridge.policies.families.serving_engines.parallelism import gpus_used, parallel_sizes
from weighbridge.policies.families.serving_engines.ports import asked_ports, local_address, port_of
from weighbridge.policies.ground.fields import amounts, items, whole
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

#: The words in flags that give secrets to an engine: findings never show their values.
_SECRET: Final = ("key", "token", "password")


@dataclass(frozen=True, slots=True)
class ContainerFault:
    """A fault of a container: its field there, and the parts of a finding."""

    place: Path
    message: str
    found: str = ""
    expected: str = ""
    nearest: str = ""
    hint: str = ""

    def violation(self, path: Path) -> Violation:
        """The violation, at the field of the judged object."""
        return Violation(path, self.message, hint=self.hint, found=self.found, expected=self.expected, nearest=self.nearest)


def unreached(started: Started, container: JSONObject, sent: Sequence[int]) -> Iterator[ContainerFault]:
    """The engine listens on an address or port that nothing reaches; `sent` are the ports that a Service sends to, one of which must be the
    engine's.
    """
    yield from unreachable_port(started, container, sent)
    yield from _unreachable_address(started)


def unreachable_port(started: Started, container: JSONObject, sent: Sequence[int]) -> Iterator[ContainerFault]:
    """The engine listens on another port than the probes or the Service use."""
    port = port_of(started)
    if port is not None:
        missed = [f"the {name} probe asks at {asked}" for name, asked in asked_ports(container) if asked != port.number]
        if sent and port.number not in sent:
            missed.append(f"the Service sends to {' and '.join(map(str, sent))}")
        if missed:
            place = started.place(port.given.at) if port.given is not None else ()
            yield ContainerFault(
                place,
                f"{started.engine} listens on port {port.number} ({port.words}), but {' and '.join(missed)}",
                found=str(port.number),
                expected=str(sent[0]) if sent else "",
                hint="write the same port on the command line, in the declared ports and in the probes",
            )


def _unreachable_address(started: Started) -> Iterator[ContainerFault]:
    address, given = local_address(started)
    if address:
        flag = started.table.meanings["host"]
        yield ContainerFault(
            started.place(given.at) if given is not None else (),
            f"{started.engine} listens on {address} only, {'so' if given is not None else f'since it gets no {flag}, and'} "
            "neither the probes nor the Service reach it",
            found=address if given is not None else "",
            expected="an address of the pod, such as 0.0.0.0 or ::",
            hint=f"write {flag} 0.0.0.0",
        )


def declared_ports(container: JSONObject, otherwise: int) -> list[int]:
    """The ports that a container declares, or else the one that its Service sends to."""
    return [whole(port, "containerPort") for port in items(container, "ports")] or [otherwise]


def gpus_of(container: JSONObject) -> tuple[str, int] | None:
    """The GPUs that a container requests: the resource and how many; `None` if it requests none, only a share of one, or several
    resources.
    """
    asked = amounts(container, "resources", "requests") | amounts(container, "resources", "limits")
    found = {name: quantity.value() for name, quantity in asked.items() if vendor_of_resource(name) and quantity.sign() > 0}
    return next(iter(found.items())) if len(found) == 1 else None


def gpus_lacking(started: Started, gpus: int, resource: str) -> Iterator[ContainerFault]:
    """The sizes on the command line need more GPUs than the pod has."""
    sizes = parallel_sizes(started.line)
    if sizes is not None and sizes.gpus > gpus:
        yield ContainerFault(
            started.place(sizes.last.at),
            f"{sizes.words} makes {started.engine} look for {sizes.gpus} GPUs, and the pod has {gpus} {resource}",
            found=str(sizes.gpus),
            expected=f"at most {gpus}",
            hint=f"lower {sizes.last.written}, or request more GPUs",
        )


def gpus_idle(
    started: Started, gpus: int, resource: str, where: str = "the command line", inventory: Inventory | None = None
) -> Iterator[ContainerFault]:
    """The pod has GPUs that the engine doesn't compute on; `where` names the place in which the author writes the size.

    Shares of one GPU count as one device, so an engine that uses it leaves none idle.
    """
    used, sizes = gpus_used(started), parallel_sizes(started.line)
    if used is None or used >= gpus or used >= most_devices(inventory, resource, gpus):
        return
    flag = started.table.meanings["tensor parallel"]
    why = f"{sizes.words} makes {started.engine} compute" if sizes is not None else f"{started.engine} gets no {flag}, so it computes"
    yield ContainerFault(
        started.place(sizes.last.at) if sizes is not None else (),
        f"the pod has {gpus} {resource}, and {why} on {used}",
        found=str(used),
        expected=str(gpus),
        hint=f"write {flag} {gpus} in {where}, or request {used} GPU{'s' if used > 1 else ''}",
    )


def foreign_image(image: str, resource: str, count: int, config: Configuration) -> Iterator[ContainerFault]:
    """The image is built for other GPUs than the pod has, or for none; an image from a mirror counts as the original."""
    if why := unusable_by(config.images.upstream_of(image), vendor_of_resource(resource)):
        yield ContainerFault(
            ("image",),
            f"{image} {why}, and the pod holds {count} {resource}",
            found=image,
            expected=f"an image for {resource}",
            hint="take the image that the engine's project builds for this GPU",
        )


def unreadable(started: Started) -> Iterator[ContainerFault]:
    """Each word of the command line that the engine can't read, apart from flags of older versions."""
    if started.is_open:
        return
    for problem in started.line.problems:
        word = problem.word.partition("=")[0].partition(" ")[0]
        if problem.trouble is Trouble.UNKNOWN and started.table.spelled(word) in started.table.older:
            continue
        yield _unreadable(started, problem, word)


def _unreadable(started: Started, problem: Problem, name: str) -> ContainerFault:
    place, engine = started.place(problem.at), started.engine
    flag = started.table.find(name)
    is_secret = flag is not None and any(part in flag.name for part in _SECRET)
    word = name if is_secret else problem.word
    stray = f"this word is neither a flag of {engine} nor the value of one"
    match problem.trouble:
        case Trouble.NO_VALUE:
            return ContainerFault(
                place, f"{word} has no value, so {engine} stops", found=word, hint="write the value as the next item, or remove it"
            )
        case Trouble.SPACED | Trouble.JOINED:
            words = ", ".join(word.split(None if problem.trouble is Trouble.SPACED else "=", 1))
            message = f"{word} is one word with its value, and {engine} fails at a flag that it doesn't know"
            return ContainerFault(place, message, found=word, expected=f"[{words}]", hint=f"write two items: [{words}]")
        case Trouble.NOT_TAKEN:
            return ContainerFault(
                place, f"{name} is a switch and takes no value, so {engine} fails", found=word, expected=name, hint=f"write {name}"
            )
        case Trouble.STRAY:
            # The word may be the value of a flag that was left out, and so it may be a secret.
            return ContainerFault(place, stray, hint="write the flag before it, or remove it")
    if not name.startswith("-"):
        return ContainerFault(place, stray, hint=f"write the flag before it, or remove it: {engine} stops here")
    other = _engine_of(name, engine)
    hint = (
        f"write {problem.nearest}"
        if problem.nearest
        else f"remove it, and its value if it has one: {engine} fails at a flag that it doesn't know"
    )
    is_of = f"; {other} has it" if other and not problem.nearest else ""
    return ContainerFault(
        place, f"{engine} {started.table.version} has no flag {name}{is_of}", found=name, nearest=problem.nearest, hint=hint
    )


def _engine_of(name: str, engine: str) -> str:
    """The other engine that has a flag of this name; empty if none has."""
    return next((other for other, table in TABLES.items() if other != engine and table.find(name) is not None), "")
