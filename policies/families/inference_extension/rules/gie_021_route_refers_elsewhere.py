"""A route names this pool, but doesn't reach it.

A backend of an HTTPRoute or GRPCRoute is a Service of the core group unless it sets both group and kind, and the pools of the two groups
are two kinds. A route that names the wrong one gets ResolvedRefs=False with the reason BackendNotFound, and answers with 500. Write the
pool's group and kind into the route's backend.

A route in another namespace reaches the pool only if a ReferenceGrant in the pool's namespace allows it; otherwise it gets
ResolvedRefs=False with the reason RefNotPermitted. Create the grant, or move the route.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/httproute_invalid_inferencepool_ref.go; Gateway API v1,
BackendObjectReference; v1beta1, ReferenceGrant.
"""

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.rulebook import Given, NotChecked, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.pool import READ_BY_POOLS
from weighbridge.policies.families.inference_extension.subject.routes import (
    GRANTS,
    ROUTES,
    Backend,
    Route,
    is_granted,
    named_backends,
    read_route,
)


@pools.warning(
    reads=tuple(sorted((*(f"{kind}.{group}" for group, kind in (*ROUTES, GRANTS)), "Service", *READ_BY_POOLS))),
    good="accepts-a-pool-with-picker-pods-and-route",
    bad="warns-of-a-route-without-a-group",
)
def check(pool: Pool, given: Given) -> Said:
    if unknown := [f"{kind}s" for group, kind in ROUTES if not given.facts.objects.knows_all(group, kind)]:
        yield NotChecked(f"not all {' and '.join(unknown)} of the cluster are known")
    for kind in ROUTES:
        for route in given.facts.objects.read_where(*kind, read_route, named_backends, (pool.namespace, pool.name)):
            yield from _objections(route, pool, given.facts)


def _objections(route: Route, pool: Pool, facts: Facts) -> Said:
    for ref in route.backends:
        if ref.means(pool) and not _is_there(ref, facts):
            yield Violation(
                ("metadata", "name"),
                f"{route} is meant for this pool, but refers to {ref}, which doesn't exist",
                found=str(ref),
                expected=f"group {pool.group} and kind InferencePool",
                hint=f"write group: {pool.group} and kind: InferencePool at the route's backend",
            )
            return
    if any(ref.is_to(pool) for ref in route.backends) and not is_granted(route, pool, facts):
        yield (
            _not_granted(route, pool)
            if facts.objects.knows_all(*GRANTS)
            else NotChecked(f"not all ReferenceGrants of the cluster are known; {route} of another namespace needs one in {pool.namespace}")
        )


def _not_granted(route: Route, pool: Pool) -> Violation:
    allowed = f"from: [{{group: {route.group}, kind: {route.kind}, namespace: {route.namespace}}}]"
    return Violation(
        ("metadata", "name"),
        f'{route} of namespace "{route.namespace}" refers to this pool, and no ReferenceGrant of namespace "{pool.namespace}" allows it',
        found=route.namespace,
        expected=f'a ReferenceGrant in namespace "{pool.namespace}"',
        hint=f"create a ReferenceGrant there with {allowed} and to: [{{group: {pool.group}, kind: InferencePool, name: {pool.name}}}]",
    )


def _is_there(ref: Backend, facts: Facts) -> bool:
    """Whether the object of a backend exists, or may exist."""
    if (ref.group, ref.kind) == ("", "InferencePool"):
        return False
    found = facts.objects.get(ref.group, ref.kind, ref.namespace, ref.name)
    return found is not None or not facts.objects.knows_all(ref.group, ref.kind)
