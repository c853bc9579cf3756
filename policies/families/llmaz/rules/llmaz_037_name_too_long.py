"""A name leaves no room for that of the Service in front of the pods.

That is named `<name>-lb` and may have 63 characters: the object is stored, and the controller fails for ever.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.kinds import BALANCER_SUFFIX, LONGEST_NAME
from policies.families.llmaz.rules._examples import BESIDE
from policies.findings import Finding, Severity
from policies.objects import Operation, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    name = name_of(request.object)
    if request.operation is Operation.CREATE and LONGEST_NAME < len(name) <= 63:
        message = f"the name of the Service in front, which ends with {BALANCER_SUFFIX}, has more than 63 characters"
        yield RULE.finding(("metadata", "name"), message, found=name, expected=f"at most {LONGEST_NAME} characters")


RULE = Rule(
    id="LLMAZ-037",
    name="name-too-long",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="metadata: {name: opt}\nspec: {modelClaim: {modelName: opt}}",
    bad="""\
metadata: {name: ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp}
spec: {modelClaim: {modelName: opt}}""",
)
