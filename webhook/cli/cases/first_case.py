"""Writes a first case from an object: the object, its cluster, and its present verdict, which the author should read before keeping it."""

from __future__ import annotations

import os
from pathlib import Path

from weighbridge.policies.config.document import API_VERSION
from weighbridge.policies.config.sections import POLICY_PREFIX
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of
from weighbridge.webhook.cli.cases.comparison import described
from weighbridge.webhook.cli.cases.reader import CLUSTER, EXPECT, OBJECT, Case
from weighbridge.webhook.cli.cases.verdicts import Judge, record_of
from weighbridge.webhook.cli.written import write_files
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.manifest_reader import read
from weighbridge.webhook.manifests import InputIssue
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text
from weighbridge.webhook.texts.yaml_text import yaml_text

_NO_NAME = expression(r"[^a-z0-9]+")


def write_first_case(path: str, folder: str, judge: Judge, cluster: tuple[str, ...]) -> str:
    """Write a case for the first object of a file into a new folder below `folder`. Returns its path. Raises InputError."""
    entries = read([path]).entries
    first = next(iter(entries), None)
    if first is None or isinstance(first, InputIssue):
        raise InputError(str(first) if first is not None else f"{as_text(path)}: no Kubernetes object in there")
    obj: JSONObject = first.value
    if obj["apiVersion"] == API_VERSION:
        raise InputError(f"{as_text(path)}: is a {obj['kind']} of Weighbridge; give a manifest of an object to judge")
    objects, extent = read_cluster(cluster)
    case = Case(as_text(path), as_text(path), "", obj, None, objects, extent, "", {"allowed": True})
    _, _, decision = judge.decided(case)
    verb = "accepts" if decision.allowed else "refuses"
    name = f"{verb}-{_NO_NAME.sub('-', name_of(obj).lower()).strip('-') or 'an-object'}"
    target = os.path.join(folder, name)
    if os.path.lexists(target):
        raise InputError(f"{as_text(target)}: exists already; rename it, or give another folder")
    texts = {OBJECT: yaml_text(obj), EXPECT: _expectation({**described(record_of(decision)), "object": _filled(decision)}, verb, obj)}
    if cluster:
        texts[CLUSTER] = "---\n".join(map(yaml_text, objects)) if not extent.complete else Path(cluster[0]).read_text(encoding="utf-8")
    write_files(Path(target), texts)
    return target


def _expectation(found: JSONObject, verb: str, obj: JSONObject) -> str:
    """The expectation that a verdict meets: the verdict and the findings; `message`, `warnings` and others follow from them."""
    kept = {key: found[key] for key in ("allowed", "findings", "notes", "unchecked", "object") if key == "allowed" or found[key]}
    return f"# It {verb} {obj.get('kind')} {name_of(obj)}; say here what the case shows.\n{yaml_text(kept, width=100_000)}"


def _filled(decision: Decision) -> JSONObject:
    """The part of the object that policies have filled in."""
    found: JSONObject = {}
    for entry in decision.provenance:
        path = entry.path[:-1] if isinstance(entry.path[-1], int) else entry.path
        if entry.source.startswith(POLICY_PREFIX) and (value := lookup(decision.object, path)) is not None:
            inner = found
            for step in path[:-1]:
                inner = inner.setdefault(str(step), {})
            inner[str(path[-1])] = value
    return found
