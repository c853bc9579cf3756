"""A version can only be compared with Equal, but has another operator.

OME compares a version with a candidate, build or development suffix with `Equal`, whatever the operator is. So a runtime for `4.45.0.dev0`
and older serves only `4.45.0.dev0`. Write the version without its suffix.

Source: OME v0.1.5, pkg/modelver/util.go.
"""

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, runtimes
from weighbridge.policies.families.ome.subject.model_versions import EQUAL, OPERATORS, parse


@runtimes.warning(good="accepts-a-development-version-by-equality", bad="warns-of-an-operator-for-a-development-version")
def check(runtime: Runtime) -> Said:
    for form, path in runtime.formats():
        found = parse(form.version or "") if form.operator in OPERATORS and form.operator != EQUAL else None
        if found is not None and found.has_tail:
            plain = ".".join(map(str, found.numbers))
            yield Violation(
                (*path, "operator"),
                f"{form.version} has a suffix, so it only equals itself, and {form.operator} has no effect",
                found=form.version or "",
                expected=f"v{plain}" if found.has_prefix else plain,
            )
