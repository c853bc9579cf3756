"""The runtime has no default image, and the service names none.

The runtimes generic and personaplex start the image in `spec.image`. Without it the API server refuses the Deployment, and
the operator reports only `Failed to create Deployment`.

Source: LLMKube v0.9.19, internal/controller/runtime_generic.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, off_metal


@off_metal.error(
    topic="Services: images",
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Deployment.apps", "Model"),
    good="fills-the-port-of-personaplex",
    bad="refuses-personaplex-without-an-image",
)
def check(service: Service) -> Said:
    if service.runtime in {"generic", "personaplex"} and not service.image:
        yield Violation(("spec", "image"), f"runtime {service.runtime} has no default image", expected="an image", hint="set spec.image")
