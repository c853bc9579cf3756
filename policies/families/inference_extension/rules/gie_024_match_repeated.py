"""A rule of a rewrite matches a model that an earlier rule already matches.

The first rule that matches applies, so the later one never does. Keep one rule for a model, with the targets of both.

Source: Gateway API Inference Extension v1.5.0, docs/proposals/1816-inferenceomodelrewrite/README.md.
"""

from weighbridge.policies.families.inference_extension.rulebook import Matches, Path, Said, Violation, field, matches


@matches.warning(good="accepts-a-rule-for-all-others", bad="warns-of-a-match-that-is-listed-twice")
def check(matches: Matches) -> Said:
    seen: dict[str, Path] = {}
    for match in matches:
        first = seen.setdefault(match.model, match.path)
        if first != match.path:
            message = f"{match} is matched at {field(first)} already, and the first rule applies"
            yield Violation(match.path, message, "keep one rule for the model", match.model)
