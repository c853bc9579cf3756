"""Pages of rules, and what is generated for a family."""
