"""What a service takes from the GPUQuotas of its namespace."""

from collections.abc import Iterator

from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.upstream.quota_webhook import Excess, Limit, excesses


def quota_excesses(service: Service, *limits: Limit) -> Iterator[Excess]:
    """The ways in which a service exceeds these limits of quotas; none before v0.9.6, which brought quotas."""
    if service.operator.since(0, 9, 6):
        yield from excesses(service.object, quota_namespace(service), service.facts, service.operator, frozenset(limits))


def quota_namespace(service: Service) -> str:
    """The namespace whose quotas count: the request's namespace, as for upstream's webhook."""
    return service.request.namespace or service.namespace
