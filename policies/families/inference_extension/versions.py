"""Which version of the Inference Extension a cluster has, as far as the installed CRDs show.

The pool of v1 shows the most, since it has changed with most releases. Removed kinds may stay installed, so the newest version that any CRD
shows counts. Source: Gateway API Inference Extension v0.2.0 to v1.6.0, config/crd/bases.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.inference_extension.kinds import IMPORT, MODEL, OBJECTIVE, OLD_POOL, POOL, REWRITE
from weighbridge.policies.families.inference_extension.settings import InferenceExtension
from weighbridge.policies.families.upstream_versions import Version, parse_version
from weighbridge.policies.ground.fields import part, texts, whole
from weighbridge.policies.ground.objects import JSONObject

#: The versions whose CRDs ship; each is the last one, or the only one, with a certain shape of some kind.
VERSIONS: Final = ("v0.5.1", "v1.0.0", "v1.0.2", "v1.2.0", "v1.3.0", "v1.4.0", "v1.5.0", "v1.6.0")


def known_version(definitions: Definitions) -> Version | None:
    """The newest version to which the installed CRDs can belong; `None` if none is installed."""
    found: list[Version] = []
    pool, rewrite = definitions.installed(POOL), definitions.installed(REWRITE)
    if pool is not None:
        found.append(_of_pool(part(pool.openapi_schema, "properties", "spec")))
    if rewrite is not None:
        rule = part(rewrite.openapi_schema, "properties", "spec", "properties", "rules", "items", "properties")
        found.append((1, 2, 0) if "split" in rule else (1, 3, 0))
    if definitions.installed(IMPORT) is not None:
        found.append((1, 1, 0))
    if definitions.installed(OBJECTIVE) is not None:
        found.append((1, 0, 0))
    if definitions.installed(MODEL) is not None or definitions.installed(OLD_POOL) is not None:
        found.append((0, 5, 1))
    return max(found, default=None)


def version_of(installed: Definitions, config: Configuration) -> Version | None:
    """The version by the installed CRDs, else by the configuration; `None` if neither says."""
    return known_version(installed) or parse_version(config.settings_of(InferenceExtension).version or "")


def _of_pool(spec: JSONObject) -> Version:
    fields = part(spec, "properties")
    if "endpointPickerRef" not in texts(spec, "required"):
        return (1, 6, 0)
    if "appProtocol" in fields:
        return (1, 5, 0)
    if whole(part(fields, "targetPorts"), "maxItems") > 1:
        return (1, 3, 0)
    return (1, 0, 2) if "minProperties" in part(fields, "selector", "properties", "matchLabels") else (1, 0, 0)
