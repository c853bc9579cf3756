"""What the rules look at: pools, references to them, and the workloads whose pods they choose."""
