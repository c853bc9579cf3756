"""An InferencePool of either group, in one shape, with the paths of its fields.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; v1.6.0, api/v1/inferencepool_types.go.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.kinds import EXPERIMENTAL, STABLE
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

#: The port of the picker if a pool of v1alpha2 names none.
ASSUMED_PORT: Final = 9002
GROUPS: Final = (STABLE, EXPERIMENTAL)
#: The pools of both groups in the form of `reads`: for rules about a pool, and for rules about objects that refer to pools.
READ_BY_POOLS: Final = ("InferencePool", f"InferencePool.{EXPERIMENTAL}")
READ_BY_OTHERS: Final = ("InferencePool", f"InferencePool.{STABLE}")


@dataclass(frozen=True, slots=True)
class Picker:
    """The endpoint picker that a pool names; `port` is 0 if the pool names none and there is no default."""

    path: Path
    group: str
    kind: str
    name: str
    port: int
    port_path: Path

    @property
    def identity(self) -> tuple[str, str, str]:
        """Its group, kind and name."""
        return self.group, self.kind, self.name

    @property
    def is_service(self) -> bool:
        """Whether it is a Kubernetes Service."""
        return not self.group and self.kind == "Service"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool; `ports` are its target ports, each with its path."""

    group: str
    namespace: str
    name: str
    selector: dict[str, str]
    selector_path: Path
    ports: tuple[tuple[Path, int], ...]
    picker: Picker | None

    def __str__(self) -> str:
        return f'InferencePool "{self.name}"' if self.group == STABLE else f'InferencePool "{self.name}" ({EXPERIMENTAL})'


def pool_of(obj: JSONObject, group: str, namespace: str, name: str = "") -> Pool:
    """The pool that an object of this group describes."""
    spec = spec_of(obj)
    name = name_of(obj) or name
    if group == STABLE:
        listed = enumerate(items(spec, "targetPorts"))
        ports = tuple((("spec", "targetPorts", at, "number"), whole(port, "number")) for at, port in listed)
        selector, at_selector = text_map(spec, "selector", "matchLabels"), ("spec", "selector", "matchLabels")
        return Pool(group, namespace, name, selector, at_selector, _some(ports), _picker(spec, "endpointPickerRef"))
    single = ((("spec", "targetPortNumber"), whole(spec, "targetPortNumber")),)
    return Pool(group, namespace, name, text_map(spec, "selector"), ("spec", "selector"), _some(single), _picker(spec, "extensionRef"))


def requested(request: Request) -> Pool:
    """The pool of a request."""
    obj = request.object if isinstance(request.object, dict) else {}
    return request.once(pool_of, lambda: pool_of(obj, request.gvk.group, request.namespace or namespace_of(obj), request.name))


def with_picker(facts: Facts, pool: Pool, picker: Picker) -> Iterator[Pool]:
    """The other pools of its namespace that name this picker."""
    yield from _others(facts, pool, [(pool.namespace, picker.identity)])


def sharing_pods(facts: Facts, pool: Pool, pods: Iterable[Mapping[str, str]]) -> Iterator[Pool]:
    """The other pools of its namespace that may choose pods with the pool's labels, or some of these `pods`, which are given by their
    labels.

    A pool that selects by a part of these labels is found by the rarest label of its selector; one that selects by more labels than this
    pool is found by the rarest label of this pool's selector.
    """
    labels = dict.fromkeys(label for found in (pool.selector, *pods) for label in found.items())
    keys = [(pool.namespace, "one label", label) for label in labels] + [(pool.namespace, "a label", _rarest(pool.selector))]
    yield from _others(facts, pool, keys)


def _others(facts: Facts, pool: Pool, keys: Iterable[Hashable]) -> Iterator[Pool]:
    """The other pools of both groups that are filed under one of these keys; only one of two pools of the same name."""
    wanted, seen = list(keys), {pool.name}
    for group in GROUPS:
        found: dict[tuple[str, str], Pool] = {}
        for key in wanted:
            found.update(facts.objects.readings_where(group, "InferencePool", _READERS[group], _keys, key))
        for other in found.values():
            if other.name not in seen:
                seen.add(other.name)
                yield other


def _keys(pool: Pool) -> Iterator[Hashable]:
    """The keys of a pool: its picker, each label of its selector, and the one of these labels that is probably the rarest."""
    if pool.picker is not None:
        yield pool.namespace, pool.picker.identity
    for label in pool.selector.items():
        yield pool.namespace, "a label", label
    if pool.selector:
        yield pool.namespace, "one label", _rarest(pool.selector)


def _rarest(selector: Mapping[str, str]) -> tuple[str, str] | None:
    """The label with the longest value, since common labels are short."""
    return max(selector.items(), key=lambda label: (len(label[1]), label), default=None)


def _read_stable(obj: JSONObject) -> Pool:
    return pool_of(obj, STABLE, namespace_of(obj))


def _read_experimental(obj: JSONObject) -> Pool:
    return pool_of(obj, EXPERIMENTAL, namespace_of(obj))


_READERS: Final = {STABLE: _read_stable, EXPERIMENTAL: _read_experimental}


def know_all_pools(facts: Facts) -> bool:
    """Whether all pools of both groups are known."""
    return all(facts.objects.knows_all(group, "InferencePool") for group in GROUPS)


def _some(ports: tuple[tuple[Path, int], ...]) -> tuple[tuple[Path, int], ...]:
    return tuple((path, number) for path, number in ports if number)


def _picker(spec: JSONObject, field: str) -> Picker | None:
    found = part(spec, field)
    if not found:
        return None
    path: Path = ("spec", field)
    is_new = field == "endpointPickerRef"
    port = whole(part(found, "port"), "number") if is_new else whole(found, "portNumber", ASSUMED_PORT)
    port_path: Path = (*path, "port", "number") if is_new else (*path, "portNumber")
    return Picker(path, text(found, "group"), text(found, "kind", "Service"), text(found, "name"), port, port_path)
