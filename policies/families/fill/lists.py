"""Adding to a list that is the author's: items that were added before are recognized, updated and removed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONValue, Path, lookup


def settle_list(
    mutation: Mutation, path: Path, ours: Sequence[JSONValue], decide: Callable[[list[JSONValue]], list[Filling]], *, no_longer: str
) -> None:
    """Add to the list at `path` what it lacks, and remove the items that were added before (`ours`) and aren't wanted any more.

    `decide` says what to add to the author's items. A value that is no list stays as it is. `no_longer` is the reason of a removal.
    """
    found = lookup(mutation.object, path)
    if found is not None and not isinstance(found, list):
        return
    items: list[JSONValue] = found or []
    ours = [item for item in items if item in ours]
    kept = [item for item in items if item not in ours]
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
