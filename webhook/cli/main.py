"""The entry point of `weighbridge`: makes an interrupt end it silently, gives a kept answer if there is one, or imports the program.

Python turns SIGINT into an exception, whose traceback is printed anywhere: within an import, a callback, or at the very end. So the signal
gets its usual effect back before any module of the program is imported.
"""

try:
    import gc
    import os
    import sys

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        import signal
    else:
        # The module `signal` makes enumerations of these, which takes longer than everything else here.
        import _signal as signal

    def _end(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        # The first process of a container has to end by itself.
        os._exit(128 + number)

    # Interrupts that are ignored, as by `nohup`, stay ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
except KeyboardInterrupt:
    raise SystemExit(130) from None


#: The number of new objects after which garbage is collected.
_COLLECT_AFTER = 500_000


def main() -> None:
    """Run the command line and exit."""
    # Imports create hundreds of thousands of objects and no garbage.
    gc.set_threshold(_COLLECT_AFTER)
    try:
        code = _known(sys.argv[1:])
    except OSError as error:
        from weighbridge.webhook.cli.program import without_output
        from weighbridge.webhook.texts.streams import OutputError, open_streams

        open_streams()
        code = without_output(OutputError(error))
    if code is not None:
        sys.exit(code)
    from weighbridge.webhook.cli.program import run

    run()


def _known(arguments: list[str]) -> int | None:
    """Answer without the program: the version, or a run whose answer is kept. `None` for all else. Raises OSError for the output."""
    if sys.stdout is None:
        # Standard output is closed. An opened file would get its number.
        return None
    if arguments == ["--version"]:
        from weighbridge import __version__

        os.write(1, f"weighbridge {__version__}\n".encode())
        return 0
    from weighbridge.webhook.cache.runs import COMMANDS, answered

    code = answered(arguments)
    if code is None and arguments and arguments[0] in COMMANDS:
        from weighbridge.webhook.cache import bytecode

        bytecode.install()
        from weighbridge.webhook.cache import expressions

        expressions.install()
    return code


if __name__ == "__main__":
    main()
