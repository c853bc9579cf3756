"""Objects that come with the judged one, such as its model in the same folder, and what policies fill into them."""

from __future__ import annotations

from weighbridge.policies.config import Configuration


def let_policies_fill_in(config: Configuration) -> None:
    """Let the policies of a configuration fill in such objects as well: the families, which read them, know no policies."""
    if config.policies is not None and config.policies.fill_in and config.policies.fill_companion is None:
        from weighbridge.policies.verdict.own_fill_ins import fill_companion

        config.policies.fill_companion = fill_companion
