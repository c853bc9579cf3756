"""The parameters of a model's storage hold a token in plain text.

Everyone who may read the object can read the token, and many users may read objects of these kinds. Put the token into a Secret,
and name the Secret in `storage.key`.

Source: OME v0.1.5, pkg/modelagent/gopher.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects, text_map

#: Parameters that are secrets by their name.
_SECRET: Final = ("token", "aws_secret_access_key", "security_token", "azure_account_key", "github_token")


@objects.error(
    kinds=("BaseModel", "ClusterBaseModel", "FineTunedWeight", "BenchmarkJob"),
    good="accepts-a-model-with-a-token-in-a-secret",
    bad="refuses-a-token-in-plain-text",
)
def check(given: Given) -> Said:
    for field in ("storage", "outputLocation", "dataset"):
        for key in text_map(given.spec, field, "parameters"):
            if key in _SECRET:
                message = f'"{key}" is in plain text, so everyone who may read the object can read it'
                yield Violation(("spec", field, "parameters", key), message, hint="put it into a Secret, and name that as storage.key")
