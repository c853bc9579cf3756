"""`make demo`: shows the main job on real input, from start to end; takes no input and leaves nothing running.

It sends real admission reviews over TLS to a webhook with certificates that it makes itself. Then the command line judges the example
manifests of docs/examples against the example cluster there.
"""

from __future__ import annotations

import base64
import difflib
import json
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import jsonpatch
import yaml

from tests.doors.applied import fields_of
from tests.e2e.process import WEIGHBRIDGE, WebhookProcess, run

EXAMPLES = Path("docs/examples")
CLUSTER = EXAMPLES / "cluster.yaml"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def say(text: str) -> None:
    """A heading."""
    print(f"\n== {text}", flush=True)


def as_sent(manifest: dict[str, Any]) -> dict[str, Any]:
    """The object as kube-apiserver sends it to a webhook for `kubectl apply`: decoded, with the CRD's defaults.

    kubectl keeps the manifest in an annotation, and the server notes what was sent, so that a default isn't taken for its author's.
    """
    kept = {"annotations": {LAST_APPLIED: json.dumps(manifest)}}
    sent = {**manifest, "metadata": {**manifest["metadata"], **kept}}
    done = run("dry-run", "-", "--stage", "apiserver", "-o", "jsonl", text=json.dumps(sent))
    decoded: dict[str, Any] = json.loads(done.stdout)["object"]
    entry = {"manager": "kubectl-client-side-apply", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": fields_of(decoded)}
    return {**decoded, "metadata": {**decoded["metadata"], "managedFields": [entry]}}


def review(obj: dict[str, Any]) -> bytes:
    """What kube-apiserver sends when the object is created."""
    group, _, version = obj["apiVersion"].partition("/")
    request = {
        "uid": "00000000-0000-4000-8000-000000000001",
        "kind": {"group": group, "version": version, "kind": obj["kind"]},
        "resource": {"group": group, "version": version, "resource": f"{obj['kind'].lower()}s"},
        "operation": "CREATE",
        "namespace": obj["metadata"]["namespace"],
        "name": obj["metadata"]["name"],
        "userInfo": {"username": "anna"},
        "object": obj,
    }
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


def send(server: WebhookProcess, path: str, obj: dict[str, Any]) -> dict[str, Any]:
    """One call over TLS, verified by the authority that the server made."""
    context = ssl.create_default_context(cadata=server.ca_bundle.decode())
    url = f"{server.webhook}{path}?timeout=3s"
    print(f"POST {path}  ({obj['kind']} {obj['metadata']['namespace']}/{obj['metadata']['name']})")
    with urlopen(Request(url, review(obj), {"Content-Type": "application/json"}), context=context, timeout=10) as answer:
        response: dict[str, Any] = json.load(answer)["response"]
    return response


def show_refusal(server: WebhookProcess, obj: dict[str, Any]) -> None:
    """The answer to an object that can't work."""
    response = send(server, "/validate", obj)
    status = response["status"]
    print(f"allowed: {response['allowed']}, code {status['code']}")
    for cause in status["details"]["causes"]:
        print(f"  {cause['field']}: {cause['message']}")


def show_mutation(server: WebhookProcess, obj: dict[str, Any]) -> None:
    """The answer to an object with open fields."""
    response = send(server, "/mutate", obj)
    print(f"allowed: {response['allowed']}")
    patched = jsonpatch.apply_patch(obj, json.loads(base64.b64decode(response["patch"])))
    before, after = (yaml.safe_dump(each["spec"], sort_keys=True).splitlines() for each in (obj, patched))
    for line in difflib.ndiff(before, after):
        if not line.startswith("?"):
            print(f"  {line}")
    for warning in response["warnings"]:
        print(f"  Warning: {warning}")


def show_command(*arguments: str, expected: int) -> None:
    """One command as a user runs it."""
    print(f"$ weighbridge {' '.join(arguments)}", flush=True)
    code = subprocess.run([WEIGHBRIDGE, *arguments], check=False).returncode
    print(f"(exit code {code})")
    if code != expected:
        sys.exit(f"the demo expected exit code {expected}")


def main() -> None:
    """Run the demo."""
    open_model = as_sent(yaml.safe_load((EXAMPLES / "manifests" / "intel-model.yaml").read_text()))
    broken_model = as_sent(next(yaml.safe_load_all((EXAMPLES / "manifests" / "broken.yaml").read_text())))
    with tempfile.TemporaryDirectory() as directory:
        say("A webhook starts, with a certificate authority and a serving certificate that it makes itself")
        with WebhookProcess(Path(directory), "--cluster", str(CLUSTER)) as server:
            print(f"{server.webhook}, knows the cluster of {CLUSTER}")
            say("kube-apiserver asks about a Model that can't run in this cluster")
            show_refusal(server, broken_model)
            say("kube-apiserver asks what to fill into a Model that leaves things open")
            show_mutation(server, open_model)
        say("A person asks before kubectl apply: what would be stored, and where does each value come from?")
        show_command("dry-run", str(EXAMPLES / "manifests" / "intel-model.yaml"), "--cluster", str(CLUSTER), expected=0)
        say("What will the operator create for a service of that Model, and which nodes could run it?")
        show_command("dry-run", str(EXAMPLES / "service.yaml"), "--cluster", str(CLUSTER), expected=0)
        say("CI lints the manifests")
        show_command("lint", str(EXAMPLES / "manifests"), "--cluster", str(CLUSTER), expected=1)
    print("\nDone; nothing is left running.")


if __name__ == "__main__":
    main()
