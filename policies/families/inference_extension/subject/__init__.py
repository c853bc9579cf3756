"""The objects that the rules read: pools, references to them, and the workloads whose pods they select."""
