"""A request in the form in which it is sent, and in the form in which it is judged here."""

from __future__ import annotations

from dataclasses import dataclass, replace

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, metadata_of
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, which is a dry run."""

    method: str
    path: str
    body: JSONValue
    request: Request

    def in_earnest(self, name: str) -> Asked:
        """The same without the dry run. A new object gets this name.

        What couldn't be asked about or removed afterwards remains a dry run: a deletion, an object with finalizers, and an update that
        leaves no replicas to scale.
        """
        metadata, is_new = metadata_of(self.body), self.request.operation is Operation.CREATE
        if not isinstance(self.body, dict) or "finalizers" in metadata or not (is_new or _has_replicas(self.body)):
            return self
        path, body, request = self.path.replace("dryRun=All&", ""), self.body, replace(self.request, dry_run=False)
        if is_new and "name" in metadata:
            body = {**body, "metadata": {**metadata, "name": name}}
            request = replace(request, object=body, name=name)
        return Asked(self.method, path, body, request)


def _has_replicas(body: JSONObject) -> bool:
    return body["kind"] == "Scale" or "size" in body["spec"]
