"""Compares the outcome of many CRDs on a real kube-apiserver and here: ``python -m tests.programs.definitions [mutated] [first seed]``.

The definitions and updates of `tests/acceptance`, those of upstream, and mutated ones. KUBE names the release of the server.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.acceptance.answers import Client, Comparable, our_create, our_update, put
from tests.acceptance.cases_update import UPDATES
from tests.acceptance.corpus import corpus_definitions
from tests.acceptance.definitions import edited
from tests.acceptance.mutations import mutated
from tests.acceptance.recording import CREATIONS
from tests.acceptance.storage import Storage
from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.numbers import numbers
from weighbridge.policies.ground.objects import FieldValidation, JSONObject
from weighbridge.policies.ground.server_release import judging

_SHARED = Path(__file__).resolve().parents[4] / "shared"
_LARGEST_MUTATED = 60_000
#: How often the server is asked before its answer counts as different, since it has several answers if it walks a map.
_ANSWERS = 8
_READS = 5


def _created(client: Client, count: int, first: int) -> Iterator[tuple[str, Comparable, Comparable | None]]:
    for name, crd in CREATIONS.items():
        yield _one(client, name, crd, FieldValidation.STRICT)
    if not _SHARED.is_dir():
        return
    for name, crd in corpus_definitions(_SHARED):
        yield _one(client, name, crd, FieldValidation.STRICT)
    bases = [*CREATIONS.values(), *(crd for _, crd in corpus_definitions(_SHARED, largest=_LARGEST_MUTATED) for _ in range(8))]
    for seed in range(first, first + count):
        yield _one(client, f"mutated {seed}", mutated(random.Random(seed).choice(bases), seed), FieldValidation.IGNORE)


def _one(client: Client, name: str, crd: JSONObject, validation: FieldValidation) -> tuple[str, Comparable, Comparable | None]:
    ours = our_create(crd, validation)
    theirs = None
    for _ in range(_ANSWERS):
        theirs = client.try_to_create(crd, validation)
        if theirs in (ours, None):
            break
    return name, ours, theirs


def _updated(plane: ControlPlane, client: Client) -> Iterator[tuple[str, Comparable, Comparable | None]]:
    storage = Storage(plane._layout.etcd_url, client)
    for name, update in UPDATES.items():
        # A controller of the server may write in between.
        for _ in range(_READS):
            stored = storage.put(update.stored_form())
            body = edited(stored, update.edits)
            theirs = put(client, stored["metadata"]["name"], body, update.subresource)
            if theirs["code"] != 409 or update.conflicts:
                break
        yield name, our_update(body, stored, update.subresource), theirs
    storage.remove_all()


def main(arguments: list[str]) -> int:
    """Print the differences; returns 1 if there are any."""
    count, first = numbers(arguments, mutated=500, first_seed=0)
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    asked = unanswered = 0
    wrong: list[str] = []
    with ControlPlane(assets) as plane, closing(Client(plane)) as client:
        with Connections(plane) as connections:
            release = connections.release()
        with judging(release):
            for name, ours, theirs in (*_created(client, count, first), *_updated(plane, client)):
                asked += 1
                unanswered += theirs is None
                if theirs not in (ours, None):
                    wrong.append(name)
                    print(f"{name}\n  ours   {ours}\n  theirs {theirs}")
    print(f"{asked} CRDs and updates of them, {unanswered} without an answer: {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
