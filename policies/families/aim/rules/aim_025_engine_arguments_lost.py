"""`AIM_ENGINE_ARGS` isn't merged as its author would expect.

Two levels that both hold a JSON object are merged, the higher one first. A value that is no JSON object replaces the other one whole. An
empty value, or one from a Secret or ConfigMap, is lost to a literal of any other level.

Source: aim-engine v0.2.1 internal/utils/utils.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.environment import ENGINE_ARGUMENTS
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.work is None:
        return
    work = serving.work
    layers = [_entry(spec) for spec in (work.config, work.template_spec) if serving.dialect.merges_deeply or spec is work.template_spec]
    below = [entry for entry in layers if entry is not None]
    own = _entry(serving.spec)
    place = next((at for at, entry in enumerate(items(serving.spec, "env")) if entry is own), 0)
    if own is None or not below:
        return
    path: Path = ("spec", "env", place)
    if not text(own, "value"):
        yield RULE.finding(
            path, "AIM_ENGINE_ARGS is lost: the template or the runtime config has a literal, which wins", hint="write the JSON here"
        )
    elif not _is_object(own):
        yield RULE.finding(
            (*path, "value"),
            "AIM_ENGINE_ARGS is no JSON object, and replaces the arguments of the template and the runtime config whole",
            found=text(own, "value"),
            expected="a JSON object",
        )
    elif any(not _is_object(entry) for entry in below):
        yield RULE.finding(
            path, "AIM_ENGINE_ARGS below is no JSON object: nothing of it is kept", hint="write a JSON object in the template"
        )


def _entry(spec: JSONObject) -> JSONObject | None:
    return next((entry for entry in items(spec, "env") if text(entry, "name") == ENGINE_ARGUMENTS), None)


def _is_object(entry: JSONObject) -> bool:
    try:
        return isinstance(json.loads(text(entry, "value")), dict)
    except (ValueError, RecursionError):
        return False


RULE = Rule(
    id="AIM-025",
    name="engine-arguments-lost",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/utils.go",
    reads=SERVICE_READS,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: tuned, namespace: default}
spec:
  modelName: llama
  env: [{name: AIM_ENGINE_ARGS, value: '{"enforce-eager": true}'}]
  modelSources: [{modelId: acme/llama, sourceUri: "hf://acme/llama", size: 16Gi}]
status: {status: Ready}""",
    check=_check,
    good="""\
model: {name: llama}
template: {name: tuned}
env: [{name: AIM_ENGINE_ARGS, value: '{"max-model-len": 8192}'}]""",
    bad="""\
model: {name: llama}
template: {name: tuned}
env: [{name: AIM_ENGINE_ARGS, value: "--max-model-len 8192"}]""",
)
