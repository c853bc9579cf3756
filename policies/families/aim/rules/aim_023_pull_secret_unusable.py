"""An entry of `imagePullSecrets` names no Secret, or repeats one.

The CRD accepts both. aim-engine copies the list into the pod, where an entry without a name has no effect. Remove the
entry.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/state/service_state.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, specs, text


@specs.warning(
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMClusterModelSource",
        "AIMArtifact",
        "AIMModelCache",
    ),
    good="accepts-two-pull-secrets",
    bad="warns-of-a-pull-secret-that-is-listed-twice",
)
def check(spec: JSONObject) -> Said:
    seen: set[str] = set()
    for index, entry in enumerate(items(spec, "imagePullSecrets")):
        name = text(entry, "name")
        path = ("spec", "imagePullSecrets", index, "name")
        if not name.strip():
            yield Violation(path, "the entry names no secret", hint="name a secret, or remove the entry")
        elif name in seen:
            yield Violation(path, f'secret "{name}" is listed twice', found=name, hint="remove one of the entries")
        seen.add(name)
