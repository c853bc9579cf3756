"""A Model in MLX format on Metal is served by runtime llamacpp, whose agent refuses it.

On Metal the host's agent starts the server. Its llama-server takes only GGUF; MLX needs another runtime of the agent. The CRD
defaults the runtime to llamacpp.

Source: LLMKube v0.9.19, pkg/agent/agent.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, services, spec_of, text


@services.warning(
    topic="Services: engines and their settings",
    mirrors="the metal agent's own check",
    reads=("Model",),
    good="accepts-gguf-on-llama-server",
    bad="warns-of-mlx-on-llama-server",
)
def check(service: Service) -> Said:
    if service.is_metal and service.runtime == "llamacpp" and text(spec_of(service.model), "format") == "mlx":
        yield Violation(
            ("spec", "runtime"),
            "the Metal agent's llama-server can't load a Model in format mlx",
            found="llamacpp",
            expected="a Model in format gguf, or an agent started for a runtime that loads MLX",
        )
