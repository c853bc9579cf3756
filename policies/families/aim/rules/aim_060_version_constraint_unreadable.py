"""The operator can't read a version constraint and ignores it, so every version matches.

The operator doesn't support `~` and `^`, although the documentation shows them. It doesn't support commas, ranges with a hyphen, or a
version with fewer than two numbers either. Write `>=1.2.0 <2.0.0`: a blank means "and", `||` means "or".

Source: aim-engine v0.2.1 and kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/filtering.go; blang/semver v4.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Path, Said, Violation, items, specs
from weighbridge.policies.families.aim.subject.constraints import is_constraint


@specs.error(kinds=("AIMClusterModelSource",), good="accepts-a-range-of-versions", bad="refuses-a-tilde-in-a-version-constraint")
def check(spec: JSONObject) -> Said:
    lists: list[tuple[Path, JSONObject]] = [(("spec", "versions"), spec)]
    lists += [(("spec", "filters", index, "versions"), found) for index, found in enumerate(items(spec, "filters"))]
    for path, holder in lists:
        versions = holder.get("versions")
        for index, constraint in enumerate(versions if isinstance(versions, list) else ()):
            if isinstance(constraint, str) and not is_constraint(constraint):
                yield Violation(
                    (*path, index),
                    f'"{constraint}" can\'t be read, so every version matches',
                    found=constraint,
                    expected="such as >=1.2.0 <2.0.0",
                )
