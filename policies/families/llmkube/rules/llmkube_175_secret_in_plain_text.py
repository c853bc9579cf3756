"""The manifest holds a secret in plain text.

Everyone who may read the InferenceService, its Deployment or the Git repository can read it. Put it into a Secret, and refer to it with
`valueFrom.secretKeyRef`, or with `hfTokenSecretRef` of the engine's block. The rule recognises a secret by its form (``hf_...``), by the
name of the variable (``..._TOKEN``, ``..._PASSWORD``, ``..._API_KEY``), or by an argument for keys and tokens.

Source: Kubernetes documentation, Secrets; OWASP Kubernetes Top Ten, K08.
"""

from collections.abc import Iterator

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import SECRETS
from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, services, text
from weighbridge.policies.families.plain_secrets import holds_secret, may_be_secret
from weighbridge.policies.families.serving_engines.command_line import Problem


@services.warning(
    topic="Services: amounts, secrets, and what the API server refuses",
    reads=PREDICTED,
    good="accepts-a-key-from-a-secret",
    bad="warns-of-a-key-among-the-arguments",
)
def check(service: Service) -> Said:
    env = service.spec.get("env")
    for at, entry in enumerate(env if isinstance(env, list) else ()):
        name = text(entry, "name")
        if holds_secret(name, text(entry, "value")):
            yield Violation(
                ("spec", "env", at, "value"),
                f"{name} holds a secret in plain text; everyone who may read the object can read it",
                expected="valueFrom.secretKeyRef",
                hint="put the value into a Secret, refer to it with valueFrom.secretKeyRef, and replace the value that was published",
            )
    if service.has_own_arguments and service.pod_model is not None and service.started is not None:
        yield from _of_arguments(service.started)


def _of_arguments(found: Started) -> Iterator[Violation]:
    flags = [(each.flag.name, each.written, " ".join(each.values), each.at) for each in found.line.given]
    # A flag at which the engine stops is published as well.
    joined = [(found.table.full_name(name), name, value, at) for name, value, at in map(_in_one_word, found.line.problems)]
    for flag, written, value, at in (*flags, *joined):
        if flag in SECRETS and found.item(at) >= 0 and may_be_secret(value):
            yield Violation(
                ("spec", "extraArgs", found.item(at)),
                f"{written} holds a secret in plain text; everyone who may read the object can read it",
                expected="a variable from a Secret",
                hint=f"set a variable with valueFrom.secretKeyRef in env, and write $(VARIABLE) after {written}",
            )


def _in_one_word(problem: Problem) -> tuple[str, str, int]:
    """A word that has both a flag and its value: the flag, the value, and the place of the word."""
    name, _, value = problem.word.replace(" ", "=", 1).partition("=")
    return name, value, problem.at
