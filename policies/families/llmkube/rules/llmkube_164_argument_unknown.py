"""The engine has no such argument.

Engines fail at a flag that they don't know, and the container restarts again and again. The rule looks up flags in the engine's own list:
for llama.cpp the list of 2025 and 2026, for vLLM, SGLang and TGI the list of the version that the operator starts. A newer image may have
more flags, so the rule only warns. It reports flags of older versions only if the operator chooses the image.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7.
"""

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import place
from weighbridge.policies.families.llmkube.rulebook import Arguments, Path, Said, Violation, command_lines, field
from weighbridge.policies.families.serving_engines.command_line import Problem, Trouble


@command_lines.warning(
    topic="Services: arguments of the engine", good="accepts-an-argument-of-llamacpp", bad="warns-of-an-unknown-argument"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    of_fields: dict[Path, list[str]] = {}
    for problem in found.line.problems:
        path, is_item = place(found, problem.at), found.item(problem.at) >= 0
        if problem.trouble is Trouble.STRAY and is_item:
            yield _stray(found, path)
        elif problem.trouble is Trouble.UNKNOWN and not (service.has_own_image and _is_older(found, problem)):
            if is_item and not problem.word.startswith("-") and not problem.nearest:
                yield _stray(found, path)
            elif is_item:
                yield _unknown(found, problem, path)
            else:
                of_fields.setdefault(path[:3], []).append(problem.word)
    for path, words in of_fields.items():
        yield _of_field(found, path, words)


def _stray(found: Started, path: Path) -> Violation:
    """The violation for a word that is no flag. The message leaves the word out, since it may be the value of a flag, and so a secret."""
    said = f"this word is neither a flag of {found.table.engine} nor the value of one"
    return Violation(path, said, hint="write the flag before it, or remove it")


def _unknown(found: Started, problem: Problem, path: Path) -> Violation:
    table, word = found.table, problem.word.partition("=")[0]
    has = "no longer has" if _is_older(found, problem) else "has no flag"
    return Violation(
        path,
        f"{table.engine} {table.version} {has} {word}",
        found=word,
        nearest=problem.nearest,
        hint=f"write {problem.nearest}"
        if problem.nearest
        else f"remove it, and its value if it has one: {table.engine} fails at a flag that it doesn't know",
    )


def _of_field(found: Started, path: Path, words: list[str]) -> Violation:
    """The violation for unknown flags that the operator writes for a field."""
    table = found.table
    return Violation(
        path,
        f"the operator passes {' and '.join(words)} for it, and {table.engine} {table.version} stops there: it doesn't have them",
        found=", ".join(words),
        hint=f"remove {field(path)}, and pass what you need in extraArgs",
    )


def _is_older(found: Started, problem: Problem) -> bool:
    """Whether earlier versions had the flag."""
    return found.table.spelled(problem.word.partition("=")[0]) in found.table.older
