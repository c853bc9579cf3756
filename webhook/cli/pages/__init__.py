"""Pages of rules, and the generated page of a family."""
