"""The entry point of `weighbridge`: makes an interrupt end it silently, then imports the program.

Python turns SIGINT into an exception, whose traceback is printed wherever it comes: within an import, a callback, or at the very end. So
the signal gets its usual effect back before anything of ours is imported.
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

    # Interrupts that are ignored, as by `nohup`, stay ignored.
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
