"""The services that have a path already: by their own template, by a config's, or without one."""

from __future__ import annotations

from itertools import product

import pytest

from tests.programs.benchmarks.growth import NEW_AIM, OLD_AIM, obj
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.paths.route import route
from weighbridge.policies.families.aim.predictions.paths.taken_paths import services_at
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.inputs.facts import bundled_definitions

_GATEWAY = {"enabled": True, "gatewayRef": {"name": "g"}}
_TEMPLATES = ("", "/a", "/{.metadata.labels['team']}", "/{.metadata.nothing}")


def _config(api: str, kind: str, name: str, template: str, namespace: str) -> JSONObject:
    return obj(api, kind, name, {"routing": {**_GATEWAY, **({"pathTemplate": template} if template else {})}}, namespace)


@pytest.mark.parametrize("api", [NEW_AIM, OLD_AIM])
def test_each_service_with_a_path_is_among_those_that_may_have_it(api: str) -> None:
    group = api.partition("/")[0]
    dialect = dialect_of(group)
    configs = [
        _config(api, "AIMRuntimeConfig", "default", "/{.metadata.labels['team']}", "one"),
        _config(api, "AIMClusterRuntimeConfig", "shared", "/a", ""),
        _config(api, "AIMRuntimeConfig", "plain", "", "one"),
    ]
    services = []
    for number, (config, template, team) in enumerate(product(("", "shared", "plain", "gone"), _TEMPLATES, ("a", "b"))):
        named = {"runtimeConfigName": config} if config else {}
        routing = {**_GATEWAY, **({"pathTemplate": template} if template else {})}
        found = obj(api, "AIMService", f"s{number}", {**named, "routing": routing}, ("one", "two")[number % 7 == 0])
        found["metadata"] |= {"uid": f"u{number}", "labels": {"team": team}}
        services.append(found)
    facts = from_objects([*configs, *services], bundled_definitions())
    for path in ("/a", "/b", "/one/u0", "/one/u1", "/c"):
        having = set()
        for service in services:
            if service["metadata"]["namespace"] == "one":
                known = runtime_config(dialect, service["spec"].get("runtimeConfigName", "default"), "one", facts, DEFAULT)
                if route(service, known.spec, dialect).path == path:
                    having.add(name_of(service))
        may_have = [name_of(service) for service in services_at(path, dialect, "one", facts, DEFAULT)]
        assert having <= set(may_have)
        # An index that returned all of them would be useless.
        assert len(may_have) < len(services) / 2
    assert list(services_at("/c", dialect, "one", facts, DEFAULT)) == []
