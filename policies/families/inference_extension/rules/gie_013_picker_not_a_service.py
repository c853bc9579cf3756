"""The endpoint picker isn't a Service.

The CRD accepts any kind, but no implementation supports another one: some set InvalidExtensionRef, and one is known to crash. Name the
Service of the picker.

Source: Gateway API Inference Extension, upstream issue 2915; agentgateway, issue 1719.
"""

from weighbridge.policies.families.inference_extension.rulebook import Pool, Said, Violation, pools


@pools.warning(good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-a-picker-in-a-group")
def check(pool: Pool) -> Said:
    picker = pool.picker
    if picker is not None and not picker.is_service:
        kind = f"{picker.kind}.{picker.group}" if picker.group else picker.kind
        is_group = picker.kind == "Service"
        yield Violation(
            (*picker.path, "group" if is_group else "kind"),
            f'no gateway supports a picker of kind "{kind}"',
            found=picker.group if is_group else picker.kind,
            expected="a Service of the core group",
            hint="leave group and kind out, and name the Service of the picker",
        )
