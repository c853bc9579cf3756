"""`python -m weighbridge`: the same as the command, where that isn't on the path."""

from weighbridge.webhook.cli.main import main

main()
