"""OME doesn't know the comparison operator of a version.

It knows `Equal`, `GreaterThan` and `GreaterThanOrEqual`, and silently treats any other word as `Equal`. Write one of the three.

Source: OME v0.1.5, pkg/modelver/util.go.
"""

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, runtimes
from weighbridge.policies.families.ome.subject.model_versions import EQUAL, OPERATORS


@runtimes.warning(good="accepts-an-operator-for-versions", bad="warns-of-an-unknown-operator-for-versions")
def check(runtime: Runtime) -> Said:
    for form, path in runtime.formats():
        if form.operator not in OPERATORS:
            yield Violation(
                (*path, "operator"),
                f'OME doesn\'t know "{form.operator}", and compares as with {EQUAL}',
                found=form.operator,
                expected=", ".join(OPERATORS),
            )
