"""An entry of `imagePullSecrets` names no secret, or names one again.

The CRD takes both. aim-engine copies the list into the pod; an entry without a name pulls nothing. Remove it.

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
