"""llmaz's webhook can't read the time at which the model was created.

The schema allows a small `t` or `z` in it, but the webhook, which every model passes, doesn't, and refuses the model. Leave
`createdAt` out, and the webhook writes the time of the first write, or write a time such as `2026-01-31T12:00:00Z`.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go; apimachinery v0.33, pkg/apis/meta/v1/time.go.
"""

from weighbridge.policies.families.go_times import read_time
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, models


@models.error(good="accepts-a-time-in-another-zone", bad="refuses-a-time-with-small-letters")
def check(given: Given) -> Said:
    time = given.spec.get("createdAt")
    if isinstance(time, str) and read_time(time) is None:
        yield Violation(("spec", "createdAt"), "llmaz can't read this time", found=time[:80], expected="such as 2026-01-31T12:00:00Z")
