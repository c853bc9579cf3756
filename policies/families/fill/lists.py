"""Adding to a list that is the author's: what was added before is told apart, brought up to date, and taken out again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONValue, Path, lookup


def settle_list(
    mutation: Mutation, path: Path, ours: Sequence[JSONValue], decide: Callable[[list[JSONValue]], list[Filling]], *, no_longer: str
) -> None:
    """Add to the list at `path` what it lacks, and take out of it what was added before (`ours`) and isn't wanted any more.

    `decide` says what to add to the items that are left once ours are out. What stands there and is no list is left alone.
    `no_longer` is the reason that is told of what goes.
    """
    found = lookup(mutation.object, path)
    if found is not None and not isinstance(found, list):
        return
    standing: list[JSONValue] = found or []
    ours = [item for item in standing if item in ours]
    kept = [item for item in standing if item not in ours]
    wanted = decide(kept)
    values = [filling.value for filling in wanted]
    if all(item in values for item in ours):
        for filling in wanted:
            if filling.value not in ours:
                mutation.append(path, filling.value, source=filling.source, reason=filling.reason)
    elif kept or values:
        source, reason = (wanted[0].source, wanted[0].reason) if wanted else ("cluster", no_longer)
        mutation.replace(path, [*kept, *values], source=source, reason=reason)
        if wanted:
            places = enumerate(wanted, start=len(kept))
            mutation.provenance[-1:] = [Provenance((*path, at), entry.value, entry.source, entry.reason) for at, entry in places]
    else:
        mutation.remove(path, source="cluster", reason=no_longer)
