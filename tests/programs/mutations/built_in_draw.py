"""Draws set-ups about built-in kinds: mutating policies, and objects of one kind that are sent to them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from tests.programs.mutations.draw import Draw, Sent, Setup
from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.ground.objects import JSONObject

PIECES: Final[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("built_in_pieces.yaml").read_text(encoding="utf-8"))
KINDS: Final[dict[str, Any]] = PIECES["kinds"]
_API: Final = "admissionregistration.k8s.io/v1"
_VALUES: Final = ("'none'", "'true'", "'false'", "'0'", "'1'", "'RollingUpdate'", "'Always'", "'ClusterIP'", "'Opaque'")


class BuiltInDraw(Draw):
    """Draws from a seed; each set-up is about one kind."""

    def setup(self, number: int) -> Setup:
        self._kind = self.pick(["Deployment", "Deployment", "Pod", "Pod", *KINDS])
        self._pieces = KINDS[self._kind]
        found = super().setup(number)
        if self.chance(40):
            found.validating = self._validating(found.name)
        return found

    def _validating(self, setup: str) -> list[JSONObject]:
        """A validating policy about the same objects, with its binding."""
        validations = [{"expression": f"string({self._seen()}) != {self.pick(_VALUES)}", "message": "refused"}]
        if self.chance(30):
            validations.insert(0, {"expression": f"{self._seen()} == {self._seen()}", "message": "unequal"})
        spec = {"failurePolicy": "Fail", "matchConstraints": self._constraints(setup), "validations": validations}
        name = f"{setup}-validating"
        policy = {"apiVersion": _API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}
        bound = {"policyName": name, "validationActions": ["Deny"]}
        return [policy, {**policy, "kind": "ValidatingAdmissionPolicyBinding", "spec": bound}]

    # --- policies ---

    def _constraints(self, setup: str) -> JSONObject:
        group, _, version = self._pieces["api"].rpartition("/")
        rule = {"apiGroups": [group], "apiVersions": [version], "operations": ["CREATE", "UPDATE"], "resources": [plural_of(self._kind)]}
        return {"resourceRules": [rule], "objectSelector": {"matchLabels": {"setup": setup}}}

    def _variables(self, *, has_params: bool) -> dict[str, str]:
        return {"seen": self._seen()} if self.chance(25) else {}

    def _condition_texts(self) -> list[str]:
        return [f"{self._seen()} != 'none'", "object.metadata.name.startsWith('m')", "!has(object.metadata.finalizers)"]

    def _mutation(self, variables: dict[str, str], *, has_params: bool) -> JSONObject:
        if self.chance(55):
            expression = self._configuration(variables)
            return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}
        return {"patchType": "JSONPatch", "jsonPatch": {"expression": self._patch(variables)}}

    def _seen(self) -> str:
        own = self._pieces["seen"]
        return self._at_pod(str(self.pick([*own, *own, *PIECES["metadata_seen"], *(PIECES["pod_seen"] if "pod" in self._pieces else [])])))

    def _at_pod(self, text: str) -> str:
        pod = self._pieces.get("pod", "")
        return text.replace("$Q", pod).replace("$T", "/" + pod.replace(".", "/"))

    def _entries(self) -> Iterator[tuple[str, str]]:
        """The entries that an apply configuration may have, each with the path of the struct."""
        for path, texts in self._pieces.get("entries", {}).items():
            yield from ((path, text) for text in texts)
        pod = self._pieces.get("pod")
        if pod is not None:
            for path, texts in PIECES["pod_entries"].items():
                yield from ((".".join(filter(None, (pod, path))), text) for text in texts)

    def _configuration(self, variables: dict[str, str]) -> str:
        chosen = self.some(list(self._entries()), 1, 2)
        if self.chance(30):
            chosen.append(("metadata", str(self.pick(PIECES["metadata_entries"]))))
        if self.chance(35):
            seen = "variables.seen" if variables else self._seen()
            chosen.append(("metadata", f'labels: {{"seen": string({seen}).replace("%", "").replace(":", "")}}'))
        tree: dict[str, Any] = {}
        for path, text in chosen:
            node = tree
            for step in path.split(".") if path else []:
                node = node.setdefault(step, {})
            node[text.split(":")[0]] = self._at_pod(text.partition(": ")[2].replace("$P", f"Object.{path}" if path else "Object"))
        return _built(tree, "Object")

    def _patch(self, variables: dict[str, str]) -> str:
        options = [*self._pieces.get("patches", ()), *PIECES["metadata_patches"], *(PIECES["pod_patches"] if "pod" in self._pieces else ())]
        chosen = self.some(options, 1, 3)
        operations = [f"JSONPatch{self._at_pod(str(text))}" for text in chosen]
        odd = self._odd_metadata()
        # The comparison sends a changed object again, whose deletionTimestamp the server drops.
        if self.chance(self.odd_metadata) and "deletionTimestamp" not in odd:
            operations.append(odd)
        if variables:
            operations.append('JSONPatch{op: "add", path: "/metadata/labels/seen", value: string(variables.seen).replace("%", "")}')
        return f"[{', '.join(operations)}]"

    # --- objects ---

    def _sent(self, setup: str, index: int) -> Sent:
        body = self._object(setup, f"{setup}-{index}")
        if self.chance(75) or self._pieces.get("only_new"):
            return Sent(body)
        stored = self._object("", body["metadata"]["name"])
        if self.chance(6):
            body["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000"
        return Sent(body, stored, is_versioned=self.chance(90))

    def _object(self, setup: str, name: str) -> JSONObject:
        labels: JSONObject = {"setup": setup or "old"}
        if self.chance(30):
            labels["extra"] = "yes"
        metadata: JSONObject = {"name": name, "labels": labels}
        if not self._pieces.get("cluster"):
            metadata["namespace"] = "default"
        if self.chance(20):
            metadata["annotations"] = {"note": "kept"}
        if self.chance(10):
            metadata["finalizers"] = ["x.test/y"]
        obj: JSONObject = {"apiVersion": self._pieces["api"], "kind": self._kind, "metadata": metadata}
        if "bodies" in self._pieces:
            return {**obj, **copy.deepcopy(self.pick(self._pieces["bodies"]))}
        obj["spec"] = copy.deepcopy(self.pick(self._pieces["specs"]))
        if "pod" in self._pieces:
            self._put_pod(obj)
        return obj

    def _put_pod(self, obj: JSONObject) -> None:
        spec = copy.deepcopy({**self.pick(PIECES["pods"]), **self._pieces.get("pod_more", {})})
        spec["containers"] = [copy.deepcopy(self.pick(PIECES["containers"]))]
        if self.chance(20):
            spec["containers"].append({"name": "second", "image": "second"})
        volumes = self.pick(PIECES["volumes"])
        if volumes:
            spec["volumes"] = copy.deepcopy(volumes)
        steps = self._pieces["pod"].split(".")
        if len(steps) == 1:
            obj["spec"] = spec
            return
        if steps[0] != "spec":
            del obj["spec"]
        node = obj
        for step in steps[:-1]:
            node = node.setdefault(step, {})
        node["spec"] = spec
        node["metadata"] = {"labels": {"app": "a"}}
        if obj["kind"] not in ("Job", "CronJob") and not self._pieces.get("no_selector"):
            obj["spec"]["selector"] = {"matchLabels": {"app": "a"}}


def _built(tree: dict[str, Any], name: str) -> str:
    """The constructor of a tree of entries."""
    entries = [f"{key}: {value if isinstance(value, str) else _built(value, f'{name}.{key}')}" for key, value in tree.items()]
    return f"{name}{{{', '.join(entries)}}}"
