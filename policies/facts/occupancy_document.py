"""The part `pods` of a snapshot, which says what pods take of each node.

Each node with pods has an entry: by priority the number of pods, what they request together and their ports, and the few pods that hold the
most of its devices. Amounts are written as in a pod.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.facts.node import counted
from weighbridge.policies.facts.occupancy import EVERY_ADDRESS, USUAL_PROTOCOL, Amounts, Holder, HostPort, NodeUse, Occupancy, Share
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.quantity import Format, Quantity, QuantityError

#: The least and the most that a priority can be.
_PRIORITIES: Final = range(-(2**31), 2**31)
_PORTS: Final = range(1, 65536)
_NODE_KEYS: Final = ("node", "priorities", "holders", "moreHolders")
_SHARE_KEYS: Final = ("priority", "pods", "requests", "hostPorts")
_HOLDER_KEYS: Final = ("pod", "priority", "requests", "hostPorts", "started")
_PORT_KEYS: Final = ("port", "protocol", "hostIP")


def as_json(occupancy: Occupancy) -> list[JSONObject]:
    """The entries, by the names of nodes."""
    return [_node(name, use) for name, use in sorted(occupancy.nodes.items()) if use.pods]


def _node(name: str, use: NodeUse) -> JSONObject:
    priorities = [
        {"priority": priority, "pods": share.pods, "requests": _amounts(share.requests), **_ports(share.ports)}
        for priority, share in sorted(use.shares.items())
    ]
    holders = [
        {
            **({"pod": holder.name} if holder.name else {}),
            "priority": holder.priority,
            "requests": _amounts(holder.requests),
            **_ports(holder.ports),
            **({"started": holder.started} if holder.started else {}),
        }
        for holder in use.holders
    ]
    more = {} if use.is_every_holder else {"moreHolders": True}
    return {"node": name, "priorities": priorities, **({"holders": holders} if holders else {}), **more}


def _amounts(amounts: Amounts) -> dict[str, str]:
    return {name: _amount(name, amount) for name, amount in amounts.items()}


def _amount(name: str, amount: int) -> str:
    if name == "cpu":
        return str(Quantity.parse(f"{amount}m"))
    is_binary = (name in ("memory", "ephemeral-storage") or name.startswith("hugepages-")) and amount % 1024 == 0
    return str(Quantity.from_int(amount, Format.BINARY_SI if is_binary else Format.DECIMAL_SI))


def _ports(ports: Iterable[HostPort]) -> JSONObject:
    written = [
        {
            "port": port.port,
            **({"protocol": port.protocol} if port.protocol != USUAL_PROTOCOL else {}),
            **({"hostIP": port.address} if port.address != EVERY_ADDRESS else {}),
        }
        for port in ports
    ]
    return {"hostPorts": written} if written else {}


def read(entries: Iterable[JSONObject]) -> Occupancy:
    """The occupancy of entries in which `mistakes` finds none."""
    return Occupancy({text(entry, "node"): _use(entry) for entry in entries})


def _use(entry: JSONObject) -> NodeUse:
    shares = {
        whole(share, "priority"): Share(whole(share, "pods"), _counts(share), _read_ports(share)) for share in items(entry, "priorities")
    }
    holders = tuple(
        Holder(text(held, "pod"), whole(held, "priority"), _counts(held), _read_ports(held), text(held, "started"))
        for held in items(entry, "holders")
    )
    return NodeUse.of_shares(shares, holders, is_every_holder=entry.get("moreHolders") is not True)


def _counts(entry: JSONObject) -> Amounts:
    return {name: counted(name, Quantity.parse(str(amount))) for name, amount in part(entry, "requests").items()}


def _read_ports(entry: JSONObject) -> tuple[HostPort, ...]:
    return tuple(
        HostPort(whole(port, "port"), text(port, "protocol") or USUAL_PROTOCOL, text(port, "hostIP") or EVERY_ADDRESS)
        for port in items(entry, "hostPorts")
    )


def redacted(occupancy: Occupancy, node_names: Callable[[str], str]) -> Occupancy:
    """The occupancy with nodes under new names, pods without theirs, and addresses numbered. The times of their starts are left out too."""
    addresses: dict[str, str] = {EVERY_ADDRESS: EVERY_ADDRESS}

    def ports_of(ports: Iterable[HostPort]) -> tuple[HostPort, ...]:
        # Equal addresses must remain equal. The new ones are reserved for documentation (RFC 5737).
        new = ((port, addresses.setdefault(port.address, f"192.0.2.{len(addresses)}")) for port in ports)
        return tuple(HostPort(port.port, port.protocol, address) for port, address in new)

    def use_of(use: NodeUse) -> NodeUse:
        shares = {priority: Share(share.pods, share.requests, ports_of(share.ports)) for priority, share in use.shares.items()}
        holders = tuple(Holder("", holder.priority, holder.requests, ports_of(holder.ports)) for holder in use.holders)
        return NodeUse.of_shares(shares, holders, is_every_holder=use.is_every_holder)

    return Occupancy({node_names(name): use_of(use) for name, use in occupancy.nodes.items()})


def mistakes(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    """Every wrong place in the entries, and what would be right."""
    yield from _wrong_list(value, path, _NODE_KEYS)
    for entry, where in _maps(value, path):
        if not text(entry, "node"):
            yield (*where, "node"), "must be the name of a node"
        for key, keys in (("priorities", _SHARE_KEYS), ("holders", _HOLDER_KEYS)):
            yield from _wrong_list(entry.get(key, []), (*where, key), keys)
            for taken, at in _maps(entry.get(key), (*where, key)):
                yield from _wrong_taken(taken, at)
        known = {share.get("priority") for share in items(entry, "priorities")}
        for held, at in _maps(entry.get("holders"), (*where, "holders")):
            if held.get("priority") not in known:
                yield (*at, "priority"), "must be one of the node's priorities"


def _maps(value: JSONValue, path: Path) -> Iterator[tuple[JSONObject, Path]]:
    return ((entry, (*path, index)) for index, entry in enumerate(value if isinstance(value, list) else ()) if isinstance(entry, dict))


def _wrong_list(value: JSONValue, path: Path, keys: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The mistakes of a value that isn't a list of maps with these keys."""
    named = ", ".join(keys)
    if not isinstance(value, list):
        yield path, f"must be a list of maps with {named}"
        return
    for index, entry in enumerate(value):
        if not isinstance(entry, dict):
            yield (*path, index), f"must be a map with {named}"
            continue
        yield from (((*path, index, key), f"unknown key; the keys here are {named}") for key in entry if key not in keys)


def _wrong_taken(taken: JSONObject, path: Path) -> Iterator[tuple[Path, str]]:
    """The mistakes in what one pod, or the pods of one priority, take."""
    if not _is_within(taken.get("priority"), _PRIORITIES):
        yield (*path, "priority"), "must be a priority, such as 0"
    if "pods" in taken and not _is_within(taken["pods"], _PRIORITIES[2**31 :]):
        yield (*path, "pods"), "must be the number of pods"
    for key in ("pod", "started"):
        if not isinstance(taken.get(key, ""), str):
            yield (*path, key), "must be a text"
    if not isinstance(taken.get("requests", {}), dict):
        yield (*path, "requests"), "must be amounts by resource, such as {cpu: 500m}"
    for name, amount in part(taken, "requests").items():
        try:
            Quantity.parse(str(amount))
        except QuantityError:
            yield (*path, "requests", name), "must be an amount, such as 500m or 16Gi"
    yield from _wrong_list(taken.get("hostPorts", []), (*path, "hostPorts"), _PORT_KEYS)
    for port, at in _maps(taken.get("hostPorts"), (*path, "hostPorts")):
        if not _is_within(port.get("port"), _PORTS):
            yield (*at, "port"), "must be the number of a port"


def _is_within(value: JSONValue, numbers: range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in numbers


def json_schema() -> JSONObject:
    """The JSON Schema of the part."""
    amounts = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}, "description": "amounts by resource"}
    port = {"port": {"type": "integer", "minimum": 1, "maximum": 65535}, "protocol": {"type": "string"}, "hostIP": {"type": "string"}}
    taken = {"priority": {"type": "integer"}, "requests": amounts, "hostPorts": {"type": "array", "items": _closed(port, "port")}}
    share = _closed({**taken, "pods": {"type": "integer", "minimum": 0}}, "priority", "pods")
    holder = _closed({**taken, "pod": {"type": "string"}, "started": {"type": "string"}}, "priority")
    node = {
        "node": {"type": "string"},
        "priorities": {"type": "array", "items": share, "description": "what the pods of each priority take together"},
        "holders": {"type": "array", "items": holder, "description": "the pods with the most devices"},
        "moreHolders": {"type": "boolean", "description": "further pods have devices"},
    }
    return {"type": "array", "items": _closed(node, "node"), "description": "what pods take of each node; there if that was read"}


def _closed(properties: JSONObject, *required: str) -> JSONObject:
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": properties}
