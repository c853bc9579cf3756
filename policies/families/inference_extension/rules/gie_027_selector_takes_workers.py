"""The pool's selector also matches workers of a group, which don't listen on the target port.

If a model runs on several nodes, only the leader serves HTTP. If the selector matches leader and workers, the picker sends requests to
pods that refuse them. Select the leaders by a label that the workers don't have. The rule is silent if the workers declare the port
too, as with data parallel ranks on every node.

Source: LeaderWorkerSet v0.6.2, api/leaderworkerset/v1; Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from collections.abc import Sequence

from weighbridge.policies.families.inference_extension.rulebook import Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.workloads import READ, Pods, chosen_by, labels_text


@pools.warning(reads=READ, good="accepts-workers-that-serve-too", bad="warns-of-a-selector-that-takes-workers")
def check(pool: Pool, given: Given) -> Said:
    ports = frozenset(number for _, number in pool.ports)
    groups: dict[tuple[str, str], list[Pods]] = {}
    for pods in chosen_by(pool, given.facts, given.config):
        if pods.role:
            groups.setdefault((pods.kind, pods.name), []).append(pods)
    for group in groups.values():
        serving = [pods for pods in group if pods.ports & ports]
        silent = [pods for pods in group if not pods.ports & ports]
        if serving and silent:
            listed = ", ".join(map(str, sorted(serving[0].ports & ports)))
            yield Violation(
                pool.selector_path,
                f"the selector also matches the {silent[0].role}s of {silent[0]}, which don't declare port {listed}",
                found=labels_text(pool.selector),
                expected=f"labels that only the {serving[0].role}s have",
                hint=f"choose by {_label_of(serving[0], silent)} as well",
            )


def _label_of(serving: Pods, others: Sequence[Pods]) -> str:
    """A label that the others don't have; one of the author's if there is one, else one of the controller's."""
    own = [label for label in sorted(serving.labels.items()) if all(label not in pods.labels.items() for pods in others)]
    key, value = min(own, key=lambda label: "/" in label[0])
    return f"{key}: {value}"
