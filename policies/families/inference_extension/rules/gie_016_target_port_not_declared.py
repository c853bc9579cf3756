"""The pool's pods declare other ports than the pool's target ports.

The gateway sends requests to this port of each pod. A container needn't declare the port that it listens on, so the rule only warns if all
matching workloads declare ports. A common mistake is to write the port of the Service. Write the port that the server listens on.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.workloads import READ, chosen_by


@pools.warning(about=REFERENCE, reads=READ, good="accepts-a-port-that-no-container-declares", bad="warns-of-the-port-of-the-service")
def check(pool: Pool, given: Given) -> Said:
    workloads = chosen_by(pool, given.facts, given.config)
    if not workloads or not all(pods.ports for pods in workloads):
        return
    declared = frozenset().union(*(pods.ports for pods in workloads))
    for path, number in pool.ports:
        if number not in declared:
            yield Violation(
                path,
                f"the pods of {workloads[0]} declare no port {number}; they declare {_text(workloads[0].ports)}",
                found=str(number),
                expected=_text(declared),
                hint="write the port that the model server listens on",
            )


def _text(ports: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(ports)))
