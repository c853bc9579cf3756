"""The entry point of `weighbridge`: sees to it that an interrupt ends it without a word, and only then imports the program.

Python makes an exception of SIGINT, whose traceback is printed wherever it strikes: within an import, a callback, or at the very end. So
the signal gets its usual effect back as soon as there is anything of ours. Whatever is imported above that can still be struck.
"""

try:
    import os
    import signal
    from types import FrameType

    def _end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        # The first process of a container has to end by itself.
        os._exit(128 + number)

    # Who ignores interrupts, as `nohup` may, goes on doing so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> None:
    """Run the command line and exit."""
    from weighbridge.webhook.cli.program import run

    run()


if __name__ == "__main__":
    main()
