"""A flag has no value, or has it in a place where the engine doesn't read it.

Each item of `extraArgs` is one argument: the engine reads `--ctx-size 4096` in one item as the name of a flag, which doesn't exist.
llama.cpp doesn't accept `--flag=value` either. A switch takes no value, and a flag at the end of the list may lack its value. In each
case the engine fails at start.

Source: llama.cpp, common/arg.cpp; Python's argparse; clap 4.5.
"""

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import place, word_shown
from weighbridge.policies.families.llmkube.rulebook import Arguments, Said, Severity, Violation, command_lines
from weighbridge.policies.families.serving_engines.command_line import Problem, Trouble
from weighbridge.policies.families.serving_engines.flags import Style
from weighbridge.policies.ground.records import replace


@command_lines.error(
    topic="Services: arguments of the engine", good="accepts-an-argument-of-llamacpp", bad="refuses-a-flag-and-its-value-in-one-word"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    for problem in found.line.problems if service.has_own_arguments else ():
        finding = _finding(found, problem)
        if finding is not None:
            is_sure = service.runs_its_engine and not _takes_next_flag(found, problem)
            yield finding if is_sure else replace(finding, severity=Severity.WARNING)


def _takes_next_flag(found: Started, problem: Problem) -> bool:
    """Whether the engine takes the next flag as the value, since the value may be any text."""
    is_last = problem.at == len(found.origins) - 1
    return problem.trouble is Trouble.NO_VALUE and found.table.style is Style.LLAMA_CPP and not is_last


def _finding(found: Started, problem: Problem) -> Violation | None:
    path, word, engine = place(found, problem.at), word_shown(found.table, problem.word), found.table.engine
    match problem.trouble:
        case Trouble.NO_VALUE:
            why = "the next word is a flag" if _takes_next_flag(found, problem) else f"{engine} stops here"
            return Violation(path, f"{word} has no value: {why}", found=word, hint="write the value as the next item, or remove it")
        case Trouble.SPACED | Trouble.JOINED:
            words = ", ".join(word.split(None if problem.trouble is Trouble.SPACED else "=", 1))
            why = "is one word, and" if problem.trouble is Trouble.SPACED else "has its value in the same word, and"
            message = f"{word} {why} {engine} fails at a flag that it doesn't know"
            return Violation(path, message, found=word, expected=f"[{words}]", hint=f"write two items: [{words}]")
        case Trouble.NOT_TAKEN:
            name = word.partition("=")[0]
            message = f"{name} is a switch and takes no value: {engine} fails here"
            return Violation(path, message, found=word, expected=name, hint=f"write {name}")
    return None
