"""The names of each family's webhooks, which are in configurations, alerts and the API server's refusals."""

from __future__ import annotations

from weighbridge.policies.families import families


def test_each_webhook_has_a_name_of_its_own() -> None:
    names = {family.name: (family.mutating_webhook(), family.validating_webhook(), family.deletion_webhook()) for family in families()}
    assert names["llmkube"] == tuple(f"{what}.llmkube.weighbridge.dev" for what in ("mutate", "validate", "delete"))
    told = names["inference_extension"]
    assert told == tuple(f"{what}.inference-extension.weighbridge.dev" for what in ("mutate", "validate", "delete"))
    every = [name for found in names.values() for name in found]
    assert len(set(every)) == len(every)
