"""No known workload creates pods that the pool's selector matches.

The gateway accepts a pool without pods like any other, but its requests find no endpoint, and the pool's status doesn't report it. The
rule compares the labels with the pods of the namespace's Deployments, StatefulSets, DaemonSets, Jobs and LeaderWorkerSets, with the pods
that serving systems will create for their objects, and with pods among the manifests. Write the labels of the model servers' pods. The
workload may come later in the same rollout, so the rule only warns.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go; upstream issue 806.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, NotChecked, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.workloads import READ, Pods, chosen_by, known_pods, labels_text, unknown

#: The most workloads that are compared to find the nearest one.
_MOST: Final = 500


@pools.warning(about=REFERENCE, reads=READ, good="accepts-the-labels-of-a-workload", bad="warns-of-a-label-too-many")
def check(pool: Pool, given: Given) -> Said:
    if not pool.selector or chosen_by(pool, given.facts, given.config):
        return
    if reason := unknown(given.facts, given.config, pool.namespace):
        yield NotChecked(reason)
        return
    labels = labels_text(pool.selector)
    yield Violation(
        pool.selector_path,
        f'no workload of namespace "{pool.namespace}" creates pods with {labels}',
        found=labels,
        nearest=_nearest(pool, given.facts),
        hint="write labels that the pods of the model servers have",
    )


def _nearest(pool: Pool, facts: Facts) -> str:
    """The workload whose pods have the most of the labels, else one with a label of the same key."""
    best, most = "", (0, 0)
    for pods in islice(_alike(pool, facts), _MOST):
        alike = len(pool.selector.items() & pods.labels.items()), len(pool.selector.keys() & pods.labels.keys())
        if alike > most:
            has = ", ".join(f"{key}={pods.labels[key]}" for key in sorted(pool.selector) if key in pods.labels)
            best, most = f"{pods} has {has}", alike
    return best


def _alike(pool: Pool, facts: Facts) -> Iterator[Pods]:
    """The pods that have one of the labels, then those that have one of the keys."""
    for label in (*pool.selector.items(), *pool.selector):
        yield from known_pods(facts, pool.namespace, label)
