"""The cost of OME's largest CRD in one process, which reads it from the cache with the compiled units that one object needs. Prints CPU
seconds.

It is a separate process since only the first use counts. Everything else that a lint imports and reads is loaded before the clock starts.
"""

from __future__ import annotations

import time

from tests.programs.benchmarks.ome_objects import model, service
from weighbridge.policies import apiserver
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions


def _took(obj: dict[str, object]) -> float:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("bench", Operation.CREATE, gvk, obj, namespace="serving")
    start = time.process_time()
    definition = bundled_definitions().get(gvk)
    assert definition is not None
    decoded = apiserver.decode(request, definition)
    assert apiserver.validate(request, decoded.object, definition).refusal is None
    return time.process_time() - start


if __name__ == "__main__":
    # Another kind of the family comes first, so that everything that all kinds need is loaded.
    _took(model(0))
    print(_took(service(0)))
