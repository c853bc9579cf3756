"""The client of a conversion webhook names an address or a Service; mistakes are reported in the server's words."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.conversion import conversion_errors
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.ground.objects import JSONObject

_SERVICE: JSONObject = {"namespace": "n", "name": "s"}
_BOTH = "spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required"


@pytest.mark.parametrize(
    ("client", "errors"),
    [
        ({"url": "https://x.example"}, []),
        ({"service": _SERVICE}, []),
        ({"url": "https://x.example", "service": _SERVICE}, [_BOTH]),
        ({}, [_BOTH]),
        (None, ["spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook"]),
    ],
    ids=["an address", "a Service", "both", "neither", "no client"],
)
def test_a_client_names_one_of_two(client: JSONObject | None, errors: list[str]) -> None:
    webhook = {"conversionReviewVersions": ["v1"]} | ({} if client is None else {"clientConfig": client})
    conversion: JSONObject = {"strategy": "Webhook", "webhook": webhook}
    assert [str(error) for error in conversion_errors(conversion, FieldPath("spec") / "conversion", Options())] == errors
